/**
 * Numbers that a page or a text shows without saying what they are: without a unit or a counted noun, and changes of speed without an interval or the
 * number of loads that they rest on.
 */

/** A piece of text as it is read: a cell with its heading, an item, a paragraph. */
export interface ShownText {
  readonly text: string;
  /** What names it: the heading of its column, the term of a list. */
  readonly heading: string;
  /** What stands beside it: its row, its figure, the caption of its table. */
  readonly around: string;
}

/** Runs in the page: every visible text with a digit. Nothing from outside may be used. */
export function shownTexts(): readonly ShownText[] {
  // What a program or a person has named, and what is typed.
  const NAMES = 'code, pre, bdi, .address, textarea, select, script, style';
  const BLOCKS =
    'td, th, dd, dt, li, p, h1, h2, h3, figcaption, caption, summary, label, button, legend, text, div, section, header, footer';
  const textOf = (element: Element | null | undefined): string => {
    const copy = element?.cloneNode(true) as Element | undefined;
    for (const named of copy?.querySelectorAll('code, pre, bdi, .address, select, script, style') ?? []) named.replaceWith('name');
    for (const part of copy?.querySelectorAll('*') ?? []) part.append(' ');
    return (copy?.textContent ?? '').replace(/\s+/g, ' ').trim();
  };
  const columnOf = (cell: HTMLTableCellElement): string => {
    const head = cell.closest('table')?.tHead?.rows[0];
    return textOf(head?.cells[cell.cellIndex]);
  };
  const blocks = new Set<Element>();
  const nodes = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = nodes.nextNode(); node !== null; node = nodes.nextNode()) {
    const parent = node.parentElement;
    if (parent === null || !/\d/.test(node.textContent ?? '') || parent.closest(NAMES) !== null || !parent.checkVisibility()) continue;
    const block = parent.closest(BLOCKS);
    if (block !== null) blocks.add(block);
  }
  return [...blocks].map((block) => {
    const table = block.closest('table');
    const cell = block.closest('td, th');
    let term = block.localName === 'dd' ? block.previousElementSibling : null;
    while (term !== null && term.localName !== 'dt') term = term.previousElementSibling;
    const around = block.closest('tr, li, .row, #card, .answer, dl, figure, section, main') ?? block;
    return {
      text: textOf(block),
      heading: cell instanceof HTMLTableCellElement ? columnOf(cell) : textOf(term),
      around: [textOf(around), textOf(table?.caption), textOf(block.previousElementSibling)].join(' '),
    };
  });
}

/** Words that may stand after a number without being what is counted. */
const LINKS = /^(?:to|and|or|of|bis|von|und)$/;
const NO_NOUN = /^(?:is|are|was|were|in|on|at|for|with|from|until|against|over|under|by|than|as|but|not|would|up|down)$/;
const UNIT = /^[(]?(?:%|ms|s|B|kB|MB|kbit\/s|Mbit\/s|px|×)(?![\p{L}\d])/u;
const NUMBER = /^[([≈~±+−-]*(\d+(?:[.,\u202f]\d+)*)([)\].,;:!?…”"]*)$/;
/** What may name a number that comes after it. */
const NAMED =
  /^\(?(?:loads:|blocks?|slot|connections?|requests|depth|version|Firefox|Gecko|Node|Plumbfox|report|seed|lines?|page|step|turn|level|TLS|HTTP|RTT|queue|window|burst|ESR|Debian|GNU\/Linux|betterfoxBetterfox|Betterfox|per server|server|second)[,:]?$/i;
/** Columns and terms whose figures are counts, names of versions, or dates. */
const COUNTS =
  /load|excluded|request|connection|line|first|quartile|last|block|rank|seed|queue|plumbfox|firefox|node|system|made|version|value|note|set by|set for|page|turn|day/i;

/** What a preference is set to: its name says what it counts. */
const ALLOWED = /Firefox’s own value|set it to \d|sets name to/;
const isOrdinal = (word: string, at: number): boolean => at === 0 && /^\d\.$/.test(word);

/** Numbers of a text that have no unit, no counted noun and no name before them. */
export function bareNumbers({ text, heading, around = '' }: Pick<ShownText, 'text' | 'heading'> & Partial<ShownText>): readonly string[] {
  if ((heading !== '' && COUNTS.test(heading)) || ALLOWED.test(text)) return [];
  // Commands are to be copied, and say nothing. Of networks with the same figures, "RTT 50 ms, 10 Mbit/s (2)" is the second one's name.
  const words = text
    .replaceAll(/[\u00a0\s]+/g, ' ')
    .replaceAll(/(RTT [\d.]+ m?s(?:, [\d.,]+ [kM]bit\/s)?) \(\d+\)/g, '$1')
    .replaceAll(/--[a-z-]+ \d+/g, 'command')
    .split(' ');
  const isNumber = (word: string | undefined): boolean => {
    const [, digits = ''] = NUMBER.exec(word ?? '') ?? [];
    // A version, an address.
    return digits !== '' && !/\d+\.\d+\.\d/.test(digits);
  };
  const isTold = (at: number): boolean => {
    const [, , ended = ''] = NUMBER.exec(words[at] ?? '') ?? [];
    const next = words[at + 1] ?? '';
    if (ended === '' || ended === ')') {
      if (UNIT.test(next)) return true;
      if (LINKS.test(next)) {
        const other = /^(?:the|about)$/.test(words[at + 2] ?? '') ? at + 3 : at + 2;
        if (isNumber(words[other]) && isTold(other)) return true;
        // "3 of your sites"
        if (/^(?:your|these)$/.test(words[at + 2] ?? '')) return true;
      } else if (/^\p{L}{2,}/u.test(next) && !NO_NOUN.test(next) && ended === '') return true;
    }
    // One of several that are counted together: "2, 3 and 4 connections".
    if (ended === ',' && isNumber(next)) return isTold(at + 1);
    return isNamed(at, next);
  };
  /** By what stands before it, or was said of another number of the same sentence. */
  const isNamed = (at: number, next: string): boolean => {
    let before = at - 1;
    while (/^(?:of|about|the)$/.test(words[before] ?? '') || (before < at - 1 && isNumber(words[before]))) before -= 1;
    if (NAMED.test(words[before] ?? '') || /ratio of$/.test(words.slice(at - 2, at).join(' '))) return true;
    // "2000 kbit/s down, 384 up", "8 of 24 loads of the one and 0 of 24 of the other", "About 364 more loads, at most 556", "initiators (1)".
    if (/^up,?$/.test(next) && words[at - 1] === 'down,') return true;
    if (next === 'of' || words[at - 1] === 'of') return /\d of \d+ loads/.test(text);
    if (words[at - 1] === 'most') return /\d (?:more loads|requests)/.test(text);
    return /^\(/.test(words[at] ?? '') && text.includes('(number of requests)');
  };
  return words.flatMap((word, at) =>
    isNumber(word) && !isTold(at) && !isOrdinal(word, at)
      ? [`${word} in: ${text.slice(0, 160)}${heading && ` below ${heading}`}${text.length < 9 ? ` beside ${around.slice(0, 120)}` : ''}`]
      : [],
  );
}

const CHANGE = /(?<![\d%] to |[(]|to )[+−]\d+(?:\.\d+)?\s%/;
const INTERVAL = /[+−]?\d[\d.]*(?:\s%)? to [+−]?\d[\d.]*\s(?:%|times)|not bounded yet|no interval yet/;
const GROUND = /\d\s(?:\p{L}+\s){0,2}(?:loads?|pairs?|pages?|blocks?)\b|this page|predicted|measured [\d.]+/iu;

/** Changes of speed in a text that nothing around them bounds or counts. */
export const groundlessChanges = ({ text, around }: Pick<ShownText, 'text' | 'around'>): readonly string[] => {
  const beside = around.replaceAll('\u00a0', ' ');
  return CHANGE.test(text.replaceAll('\u00a0', ' ')) && !INTERVAL.test(beside) && !GROUND.test(beside) ? [text.slice(0, 160)] : [];
};

/** Both, of every text of a page. */
export const numberFaults = (shown: readonly ShownText[]): readonly string[] => [
  ...new Set(shown.flatMap((one) => [...bareNumbers(one), ...groundlessChanges(one)])),
];
