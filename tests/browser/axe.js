// What axe finds to mend on a page as it stands, by its rules for WCAG 2.2 A and AA and for good practice.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

const source = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** [{ id, nodes: [{ target: selectors, summary }] }] */
export async function violations(page) {
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(source);
  return page.evaluate(async () => {
    // Colours and places on their way to others are nobody's to judge. What goes round for ever is not waited for.
    await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)));
    const ending = document.getAnimations().filter((animation) => animation.playState === "running" && animation.effect.getComputedTiming().endTime < Infinity);
    await Promise.allSettled(ending.map((animation) => animation.finished));
    const found = await window.axe.run(document, {
      runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
      // The report on all the nodes that passed would take as long as the checks.
      resultTypes: ["violations"],
    });
    return found.violations.map(({ id, nodes }) => ({ id, nodes: nodes.map(({ target, failureSummary }) => ({ target: target.flat(), summary: failureSummary })) }));
  });
}
