// The list of earlier versions: each opens again, or is compared with what is there now.
import { button } from "../ui/controls";
import { openDialog } from "../ui/dialog";
import { el, replaceChildren } from "../ui/dom";
import { toast } from "../ui/messages";
import { formatBytes } from "../ui/numbers";
import type { Renderer } from "../draw/renderer";
import { thumbnail } from "./thumbnail";
import { titleOf } from "./title";
import { clearVersions, listVersions, MOST_VERSIONS, type Version } from "./history";
import { locale, say } from "../ui/language";

export interface HistoryEvents {
  opened(version: Version): void;
  compared(version: Version): void;
}

const TIME = new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeStyle: "short" });

export function timeOf(version: Version): string {
  return TIME.format(version.at);
}

export async function openHistory(renderer: Renderer, events: HistoryEvents): Promise<void> {
  const versions = await listVersions().catch(() => [] as Version[]);
  const list = el("ul", { class: "history" });
  const fill = (shown: readonly Version[]): void => {
    replaceChildren(
      list,
      ...shown.map((version) =>
        el(
          "li",
          {},
          thumbnail(version, renderer),
          el("div", { class: "history-facts" }, el("strong", {}, titleOf(version)), el("small", {}, `${timeOf(version)}, ${formatBytes(version.zpl.length)}`), el("code", {}, version.zpl.slice(0, 500).replace(/\s+/g, " ").slice(0, 90))),
          button({ text: say("Open"), label: say("Open {name} of {time}", { name: titleOf(version), time: timeOf(version) }), kind: "outlined", onClick: () => (dialog.close(), events.opened(version)) }),
          button({ text: say("Compare"), label: say("Compare {name} of {time} with the label that is shown", { name: titleOf(version), time: timeOf(version) }), kind: "outlined", onClick: () => (dialog.close(), events.compared(version)) }),
        ),
      ),
      shown.length === 0 ? el("li", {}, say("Nothing yet: versions are kept while you work.")) : null,
    );
  };
  const dialog = openDialog(
    say("History"),
    "wide",
    el("p", {}, say("The last {most} versions, kept in this browser only.", { most: MOST_VERSIONS })),
    list,
    el(
      "div",
      { class: "buttons" },
      button({
        id: "clear-history",
        text: say("Clear history"),
        kind: "outlined danger",
        onClick: () =>
          void clearVersions().then(
            () => fill([]),
            () => toast(say("The history could not be cleared.")),
          ),
      }),
    ),
  );
  fill(versions);
}
