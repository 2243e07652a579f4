// Which targets on a page are too small for a finger: 44 by 44 pixels (WCAG 2.5.5), or so far from others that a circle of that size around their middle meets none (the exception of WCAG 2.5.8, with 44 in place of 24).

/** [name and size], for what is in sight now. Links inside of sentences are as high as their line, as both criteria allow. */
export function smallTargets(page) {
  return page.evaluate(() => {
    const LEAST = 44;
    const NAMES = "a[href], button, input, select, textarea, summary, [role=button], [role=tab], [role=menuitem], [role=option], [role=slider], [role=separator][tabindex], [tabindex='0']";
    const roots = [document, ...[...document.querySelectorAll("*")].map((element) => element.shadowRoot).filter(Boolean)];
    const modal = [...document.querySelectorAll("dialog[open]")].filter((dialog) => dialog.matches(":modal")).at(-1);
    const isInSentence = (element) => {
      if (element.tagName !== "A" || getComputedStyle(element).display !== "inline") return false;
      const around = element.parentElement.textContent.replace(element.textContent, "").trim();
      return around.length > 0;
    };
    // A label is part of the target that it names.
    const boxOf = (element) => {
      const boxes = [element, ...(element.labels ?? [])].map((one) => one.getBoundingClientRect());
      const left = Math.min(...boxes.map((box) => box.left));
      const top = Math.min(...boxes.map((box) => box.top));
      return { left, top, right: Math.max(...boxes.map((box) => box.right)), bottom: Math.max(...boxes.map((box) => box.bottom)) };
    };
    const targets = roots
      .flatMap((root) => [...root.querySelectorAll(NAMES)])
      .filter((element) => element.checkVisibility({ checkOpacity: true, checkVisibilityCSS: true }) && !element.disabled && !element.matches("pre, .picture, [type=hidden]") && (!modal || modal.contains(element)))
      .map((element) => ({ element, box: boxOf(element) }))
      .filter(({ box }) => box.right > box.left && box.bottom > box.top && box.right > 0 && box.left < innerWidth && !(box.right - box.left <= 1.5 && box.bottom - box.top <= 1.5));
    const isSmall = ({ box }) => box.right - box.left < LEAST - 0.5 || box.bottom - box.top < LEAST - 0.5;
    const middle = ({ box }) => ({ x: (box.left + box.right) / 2, y: (box.top + box.bottom) / 2 });
    const isFree = (one) => {
      const { x, y } = middle(one);
      return targets.every((other) => {
        if (other === one || other.element.contains(one.element) || one.element.contains(other.element)) return true;
        if (isSmall(other)) {
          const there = middle(other);
          if (Math.hypot(there.x - x, there.y - y) < LEAST - 0.5) return false;
        }
        const dx = Math.max(other.box.left - x, 0, x - other.box.right);
        const dy = Math.max(other.box.top - y, 0, y - other.box.bottom);
        return Math.hypot(dx, dy) >= LEAST / 2 - 0.5;
      });
    };
    return targets
      .filter((one) => isSmall(one) && !isInSentence(one.element) && !isFree(one))
      .map(({ element, box }) => `${element.tagName.toLowerCase()}${element.id ? `#${element.id}` : element.className && typeof element.className === "string" ? `.${element.className.split(" ").join(".")}` : ""} "${(element.getAttribute("aria-label") ?? element.textContent).trim().slice(0, 24)}" ${Math.round(box.right - box.left)}×${Math.round(box.bottom - box.top)}`);
  });
}
