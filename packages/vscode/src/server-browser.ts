// The worker of a browser.
import { serve } from "./engine";

serve({
  send: (message) => postMessage(message),
  listen: (heard) => addEventListener("message", (event) => heard((event as MessageEvent).data)),
});
