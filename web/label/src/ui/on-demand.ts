// Opens something whose script comes only now. Where it does not come, the page says so.
import { toast } from "./messages";
import { say } from "./language";

export function onDemand(open: () => Promise<void>): () => void {
  let opening = false;
  return () => {
    // A second press while the first one is on its way opens nothing twice.
    if (opening) return;
    opening = true;
    open()
      .catch(() => toast(say("This part of the page could not be loaded. Is the service there?")))
      .finally(() => (opening = false));
  };
}
