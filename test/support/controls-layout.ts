/** What can be hit on a page, and where it lies. Runs in the page: nothing from outside it may be used. */
export interface ControlsLayout {
  readonly scrollWidth: number;
  /** Whether the page takes the pointer for a finger. */
  readonly coarse: boolean;
  readonly targets: readonly { readonly name: string; readonly left: number; readonly right: number; readonly height: number }[];
  /** Pairs of targets of which one covers part of the other. */
  readonly overlapping: readonly string[];
  /** Fields whose text is so small that Firefox for Android enlarges the page when they have the focus. */
  readonly smallText: readonly string[];
}

export function controlsLayout(): ControlsLayout {
  const SMALLEST_TEXT_PX = 16;
  const fields = 'input, select, textarea';
  const nameOf = (element: Element) => `${element.localName}#${element.id} ${(element.textContent ?? '').trim().slice(0, 40)}`;
  const visible = [...document.querySelectorAll(`button, summary, a[href], ${fields}`)].filter((element) => element.checkVisibility());
  // A check box is hit by its label.
  const target = (element: Element) =>
    element instanceof HTMLInputElement && element.type === 'checkbox' ? (element.closest('label') ?? element) : element;
  const boxes = visible.map((element) => ({ name: nameOf(target(element)), box: target(element).getBoundingClientRect() }));
  const covers = (a: DOMRect, b: DOMRect) =>
    Math.min(a.right, b.right) - Math.max(a.left, b.left) > 0.5 && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 0.5;
  return {
    scrollWidth: document.documentElement.scrollWidth,
    coarse: matchMedia('(pointer: coarse)').matches,
    targets: boxes.map(({ name, box }) => ({ name, left: box.left, right: box.right, height: box.height })),
    overlapping: boxes.flatMap((a, at) => boxes.slice(at + 1).flatMap((b) => (covers(a.box, b.box) ? [`${a.name} and ${b.name}`] : []))),
    smallText: visible
      .filter((element) => element.matches(fields) && Number.parseFloat(getComputedStyle(element).fontSize) < SMALLEST_TEXT_PX)
      .map(nameOf),
  };
}
