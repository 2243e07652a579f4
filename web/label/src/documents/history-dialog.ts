// The list of earlier versions: each opens again, or is compared with what is there now.
import { UNTITLED } from "../panels/document-tabs";
import { button } from "../ui/controls";
import { openDialog } from "../ui/dialog";
import { el, replaceChildren } from "../ui/dom";
import { toast } from "../ui/messages";
import { formatBytes } from "../model/units";
import { clearVersions, listVersions, MOST_VERSIONS, type Version } from "./history";

export interface HistoryEvents {
  opened(version: Version): void;
  compared(version: Version): void;
}

const TIME = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });

export function timeOf(version: Version): string {
  return TIME.format(version.at);
}

export async function openHistory(events: HistoryEvents): Promise<void> {
  const versions = await listVersions().catch(() => [] as Version[]);
  const list = el("ul", { class: "history" });
  const fill = (shown: readonly Version[]): void => {
    replaceChildren(
      list,
      ...shown.map((version) =>
        el(
          "li",
          {},
          el("div", { class: "history-facts" }, el("strong", {}, version.name || UNTITLED), el("small", {}, `${timeOf(version)}, ${formatBytes(version.zpl.length)}`), el("code", {}, version.zpl.replace(/\s+/g, " ").slice(0, 90))),
          button({ text: "Open", label: `Open ${version.name || UNTITLED} of ${timeOf(version)}`, kind: "outlined", onClick: () => (dialog.close(), events.opened(version)) }),
          button({ text: "Compare", label: `Compare ${version.name || UNTITLED} of ${timeOf(version)} with the label that is shown`, kind: "outlined", onClick: () => (dialog.close(), events.compared(version)) }),
        ),
      ),
      shown.length === 0 ? el("li", {}, "Nothing yet: versions are kept while you work.") : null,
    );
  };
  const dialog = openDialog(
    "History",
    "wide",
    el("p", {}, `The last ${MOST_VERSIONS} versions, kept in this browser only.`),
    list,
    el(
      "div",
      { class: "buttons" },
      button({
        id: "clear-history",
        text: "Clear history",
        kind: "outlined danger",
        onClick: () =>
          void clearVersions().then(
            () => fill([]),
            () => toast("The history could not be cleared."),
          ),
      }),
    ),
  );
  fill(versions);
}
