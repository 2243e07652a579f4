// Says which labels this browser has no room for.
import type { Work } from "../documents/documents";
import { titleOf } from "../documents/title";
import { toast } from "../ui/messages";
import { say } from "../ui/language";

const MOST_NAMES = 3;

export function tellNotKept(works: readonly Work[]): void {
  const names = works.slice(0, MOST_NAMES).map(titleOf);
  toast(say("This browser has no room to keep {names}. Download the ZPL to keep it.", { names: [...names, ...(works.length > MOST_NAMES ? ["…"] : [])].join(", ") }));
}
