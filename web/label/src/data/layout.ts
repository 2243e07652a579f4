// Label code laid out, or as short as it gets: one change of one label, whichever is shown when the answer comes.
import { RenderFailure } from "../api";
import type { App } from "../app";
import { toast } from "../ui/messages";
import { say, sayCount } from "../ui/language";
import { rewrite } from "./rewrite";

/** Format and Minify, of the label that is shown. */
export async function layOut(app: App, action: "format" | "minify"): Promise<void> {
  const document = app.current;
  const before = document.zpl;
  /** What was typed meanwhile is not thrown away. */
  const exchange = (old: string, text: string): void => {
    const isDone = app.texts.change(document, (now) => (now === old ? [{ from: 0, to: old.length, insert: text }] : undefined));
    if (isDone) app.touched(document);
    else throw new RenderFailure("refused", say("The code has been changed meanwhile, so it stays as it is."), undefined);
  };
  const undo = (): void => {
    try {
      exchange(after, before);
    } catch (error) {
      toast((error as RenderFailure).message);
    }
  };
  let after = before;
  try {
    after = await rewrite(before, action, app.access);
    if (after === before) return toast(say("It is so already."));
    exchange(before, after);
    toast(action === "format" ? say("Formatted: one field a line.") : sayCount("Minified: {count} character less.", "Minified: {count} characters less.", before.length - after.length), { text: say("Undo"), run: undo });
  } catch (error) {
    toast(error instanceof RenderFailure ? error.message : say("The code could not be rewritten."));
  }
}
