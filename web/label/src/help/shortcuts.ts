// The list of keyboard shortcuts.
import { el } from "../ui/dom";
import { openDialog } from "../ui/dialog";
import { say } from "../ui/language";

const isMac = /Mac|iPhone|iPad/.test(navigator.platform);
const CTRL = isMac ? "⌘" : say("Ctrl");

const GROUPS: readonly { title: string; keys: readonly [string, string][] }[] = [
  {
    title: say("Everywhere"),
    keys: [
      [say("F6, Shift F6"), say("Next, previous pane")],
      [`${CTRL} Z, ${CTRL} ${isMac ? "⇧ Z" : "Y"}`, say("Undo, redo")],
      [`${CTRL} O`, say("Open a file")],
      [`${CTRL} S`, say("Download the ZPL")],
      [`${CTRL} P`, say("Print the labels")],
      [`${CTRL} ${say("Enter")}`, say("Render now")],
      ["F1", say("ZPL in five minutes")],
      [say("Shift F1"), say("Command reference")],
      ["?", say("This list (outside the editor)")],
    ],
  },
  {
    title: say("Editor"),
    keys: [
      [`${CTRL} ${say("Space")}`, say("Complete a command")],
      [`${CTRL} F`, say("Search and replace")],
      ["F8", say("Next problem")],
      ["Tab", say("Leave the editor")],
    ],
  },
  {
    title: say("Preview"),
    keys: [
      ["+, −", say("Zoom in, out")],
      ["0", say("Fit to window")],
      ["1, 2, 4", "100 %, 200 %, 400 %"],
      [say("Arrow keys"), say("Move the label")],
      ["N, P", say("Next, previous element")],
      [say("Enter"), say("Go to the element's code")],
      [say("Page Down, Page Up"), say("Next, previous label")],
      ["B", say("Boxes, quiet zones, overlaps")],
      [say("Escape"), say("Choose nothing")],
      ["M", say("Measure; arrow keys move the end, Space sets the start")],
      ["E", say("Edit on the label")],
      [say("Arrow keys, Shift arrow keys"), say("While editing: move by 1, by 10 dots")],
      [say("Delete"), say("While editing: delete what is chosen")],
      [`${CTRL} D`, say("While editing: duplicate")],
      [`${CTRL} C, ${CTRL} X, ${CTRL} V`, say("While editing: copy, cut, paste")],
      ["F2", say("While editing: edit the text")],
      [say("Shift N, Shift P"), say("Choose a further element")],
      [`${CTRL} A`, say("Choose all elements")],
      [`${CTRL} ${say("wheel, pinch")}`, say("Zoom")],
    ],
  },
  {
    title: say("Tabs of open labels"),
    keys: [
      [say("Left, Right"), say("The label before, the next one")],
      ["F2", say("Rename")],
      [say("Delete"), say("Close")],
    ],
  },
  {
    title: say("Dividers"),
    keys: [
      [say("Left, Right"), say("Move the divider")],
      [say("Enter"), say("Put it back")],
    ],
  },
];

export function openShortcuts(): void {
  openDialog(
    say("Keyboard shortcuts"),
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
