/** What of a page does not fit: runs in the page, so nothing from outside it may be used. */
export interface PageFaults {
  /** Wider than the window. */
  readonly overflow: readonly string[];
  /** Cut off, with no way to see the rest. */
  readonly clipped: readonly string[];
  /** Words that stand on two lines, without a hyphen. */
  readonly broken: readonly string[];
  /** Where something can be pressed that is lower or narrower than 24 px: WCAG 2.2, 2.5.8. */
  readonly smallTargets: readonly string[];
}

export function pageFaults(): PageFaults {
  const MIN_TARGET_PX = 24;
  const nameOf = (element: Element) =>
    `${element.localName}#${element.id}.${element.className} ${(element.textContent ?? '').trim().slice(0, 50)}`;
  const isForReaders = (element: Element) => element.closest('.visually-hidden') !== null;
  const visible = [...document.body.querySelectorAll<HTMLElement>('*')].filter(
    (element) => element.checkVisibility() && !isForReaders(element),
  );
  const width = document.documentElement.clientWidth;
  const canScroll = (element: Element): boolean =>
    element.parentElement !== null &&
    (/auto|scroll/.test(getComputedStyle(element.parentElement).overflowX) || canScroll(element.parentElement));
  const outside = visible.filter((element) => {
    const { left, right } = element.getBoundingClientRect();
    return (left < -1 || right > width + 1) && !canScroll(element);
  });
  const clipped = visible.filter(
    (element) =>
      /hidden|clip/.test(getComputedStyle(element).overflow) &&
      getComputedStyle(element).textOverflow !== 'ellipsis' &&
      element.localName !== 'canvas' &&
      !(element instanceof HTMLInputElement) &&
      (element.scrollWidth > element.clientWidth + 1 || element.scrollHeight > element.clientHeight + 1),
  );
  const broken: string[] = [];
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const range = document.createRange();
  for (let node = texts.nextNode(); node !== null; node = texts.nextNode()) {
    const parent = node.parentElement;
    // A name that a program gives, an address, what somebody typed: these may break anywhere.
    if (
      parent === null ||
      !parent.checkVisibility() ||
      isForReaders(parent) ||
      parent.closest('code, pre, svg, option, bdi, .address') !== null
    )
      continue;
    for (const { 0: word, index } of (node.textContent ?? '').matchAll(/(?<![\w.:/=+-])\p{L}{3,24}(?![\w.:/=+-])/gu)) {
      range.setStart(node, index);
      range.setEnd(node, index + word.length);
      const lines = new Set([...range.getClientRects()].filter((box) => box.width > 0).map((box) => Math.round(box.top)));
      if (lines.size > 1) broken.push(`${word} in ${nameOf(parent)}`);
    }
  }
  const target = (element: Element) =>
    element instanceof HTMLInputElement && /checkbox|radio/.test(element.type) ? (element.closest('label') ?? element) : element;
  const inSentence = (element: Element) => element.localName === 'a' && element.parentElement?.matches('p, li, td, span') === true;
  const smallTargets = visible
    .filter((element) => element.matches('button, summary, a[href], input, select, textarea') && !inSentence(element))
    .map(target)
    .filter((element) => {
      const { width: w, height: h } = element.getBoundingClientRect();
      return w < MIN_TARGET_PX - 0.5 || h < MIN_TARGET_PX - 0.5;
    });
  return { overflow: outside.map(nameOf), clipped: clipped.map(nameOf), broken, smallTargets: smallTargets.map(nameOf) };
}
