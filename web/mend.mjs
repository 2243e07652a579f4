// Mends a fault of @codemirror/state while the page is bundled. Comparing decorations before and after a change, it looks for the ends of the
// old ones by places of the new text: after each deletion every decoration behind it counts as changed, and the editor makes all lines
// that are in sight anew.
import fs from "node:fs";

const FAULT = "a.openEnd(end) != b.openEnd(end)";
const MENDED = "a.openEnd(end - dPos) != b.openEnd(end)";

export const COMPARISON = {
  name: "comparison",
  setup(build) {
    build.onLoad({ filter: /@codemirror\/state\/dist\/index\.js$/ }, ({ path }) => {
      const parts = fs.readFileSync(path, "utf8").split(FAULT);
      if (parts.length !== 2) throw new Error(`${path} has another comparison: look whether it still needs web/mend.mjs`);
      return { contents: parts.join(MENDED) };
    });
  },
};
