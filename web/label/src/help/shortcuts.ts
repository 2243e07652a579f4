// The list of keyboard shortcuts.
import { el } from "../ui/dom";
import { openDialog } from "../ui/dialog";

const isMac = /Mac|iPhone|iPad/.test(navigator.platform);
const CTRL = isMac ? "⌘" : "Ctrl";

const GROUPS: readonly { title: string; keys: readonly [string, string][] }[] = [
  {
    title: "Everywhere",
    keys: [
      ["F6, Shift F6", "Next, previous pane"],
      [`${CTRL} O`, "Open a file"],
      [`${CTRL} S`, "Download the ZPL"],
      [`${CTRL} P`, "Print the labels"],
      [`${CTRL} Enter`, "Render now"],
      ["F1", "ZPL in five minutes"],
      ["Shift F1", "Command reference"],
      ["?", "This list (outside the editor)"],
    ],
  },
  {
    title: "Editor",
    keys: [
      [`${CTRL} Space`, "Complete a command"],
      [`${CTRL} F`, "Search and replace"],
      [`${CTRL} Z, ${CTRL} ${isMac ? "Shift Z" : "Y"}`, "Undo, redo"],
      ["F8", "Next problem"],
      ["Tab", "Leave the editor"],
    ],
  },
  {
    title: "Preview",
    keys: [
      ["+, −", "Zoom in, out"],
      ["0", "Fit to window"],
      ["1, 2, 4", "100 %, 200 %, 400 %"],
      ["Arrow keys", "Move the label"],
      ["N, P", "Next, previous element"],
      ["Enter", "Go to the element's code"],
      ["Page Down, Page Up", "Next, previous label"],
      ["B", "Boxes, quiet zones, overlaps"],
      ["Escape", "Choose nothing"],
      ["M", "Measure; arrow keys move the end, Space sets the start"],
      ["E", "Edit on the label"],
      ["Arrow keys, Shift arrow keys", "While editing: move by 1, by 10 dots"],
      ["Shift N, Shift P", "Choose a further element"],
      [`${CTRL} A`, "Choose all elements"],
      [`${CTRL} wheel, pinch`, "Zoom"],
    ],
  },
  {
    title: "Tabs of open labels",
    keys: [
      ["Left, Right", "The label before, the next one"],
      ["F2", "Rename"],
      ["Delete", "Close"],
    ],
  },
  {
    title: "Dividers",
    keys: [
      ["Left, Right", "Move the divider"],
      ["Enter", "Put it back"],
    ],
  },
];

export function openShortcuts(): void {
  openDialog(
    "Keyboard shortcuts",
    "reading",
    el(
      "div",
      { class: "prose" },
      ...GROUPS.flatMap((group) => [
        el("h3", {}, group.title),
        el(
          "table",
          {},
          el(
            "tbody",
            {},
            ...group.keys.map(([keys, meaning]) => el("tr", {}, el("th", { scope: "row" }, el("kbd", {}, keys)), el("td", {}, meaning))),
          ),
        ),
      ]),
    ),
  );
}
