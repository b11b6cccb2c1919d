/** Selects a page of a HAR, with its entries. */
import { PlumbfoxError } from '../errors.ts';
import { type Inference, inferenceOf } from '../graph/inference.ts';
import { type Fields, fieldsOf, listOf, numberOf, pointInTime, textOf } from './fields.ts';

interface HarPage {
  readonly entries: readonly Fields[];
  /** ms since the epoch. */
  readonly startMs?: number;
  /** ms since the epoch. */
  readonly loadEventMs?: number;
  readonly byFirefox: boolean;
  readonly inferred: readonly Inference[];
}

const HOW_TO_GET_ONE = 'record a page load in the network panel of the browser and save it as HAR';
const MAX_IDS_SHOWN = 5;
const MAX_ID_LENGTH = 60;

/**
 * @param pageId the page; defaults to the first that has requests.
 * @throws PlumbfoxError `bad-input`: it is no HAR, holds no requests, or has no such page.
 */
export function pageOfHar(har: unknown, pageId: string | undefined): HarPage {
  const log = fieldsOf(fieldsOf(har).log);
  if (!Array.isArray(log.entries)) throw new PlumbfoxError('bad-input', `This is not a HAR: it has no log.entries; ${HOW_TO_GET_ONE}`);
  const entries = listOf(log.entries).map(fieldsOf);
  if (entries.length === 0) throw new PlumbfoxError('bad-input', `The HAR has no requests; ${HOW_TO_GET_ONE}`);
  const pages = listOf(log.pages).map(fieldsOf);
  const byPage = entriesByPage(entries, pages);
  const id = pageId === undefined ? ([...byPage].find(([, own]) => own.length > 0)?.[0] ?? NO_PAGE) : (nameOf(pageId) ?? NO_PAGE);
  const own = byPage.get(id);
  if (own === undefined || own.length === 0) throw new PlumbfoxError('bad-input', noSuchPage(id, byPage));
  const page = pages.find((each) => idOf(each) === id) ?? {};
  const startMs = pointInTime(page.startedDateTime);
  const loadEvent = loadEventOf(page);
  return {
    entries: own,
    ...(startMs !== undefined && { startMs }),
    ...(startMs !== undefined && loadEvent !== undefined && { loadEventMs: startMs + loadEvent }),
    byFirefox: /firefox/i.test(`${textOf(fieldsOf(log.creator).name) ?? ''} ${textOf(fieldsOf(log.browser).name) ?? ''}`),
    inferred: inferenceOf('left-out', entries.length - own.length, leftOutPages(id, byPage)),
  };
}

/** Stand-in id: a page without an id, or entries without pageref in a file that lists no pages. */
const NO_PAGE = '';

/** A page's name, which some write as a number. */
const nameOf = (value: unknown): string | undefined => (typeof value === 'number' ? String(value) : textOf(value));
const idOf = (page: Fields): string => nameOf(page.id) ?? NO_PAGE;

/** Pages in the file's order, then those that only entries name. */
function entriesByPage(entries: readonly Fields[], pages: readonly Fields[]): ReadonlyMap<string, readonly Fields[]> {
  const byPage = new Map<string, Fields[]>(pages.map((page) => [idOf(page), []]));
  const first = pages[0] === undefined ? undefined : idOf(pages[0]);
  for (const entry of entries) {
    const id = nameOf(entry.pageref) ?? first ?? NO_PAGE;
    const own = byPage.get(id);
    if (own === undefined) byPage.set(id, [entry]);
    else own.push(entry);
  }
  return byPage;
}

/** ms after the page's start; 0 and -1 stand for unknown. */
function loadEventOf(page: Fields): number | undefined {
  const stated = [fieldsOf(page.pageTimings).onLoad, page._docTime, page._loadTime].map(numberOf);
  return stated.find((each) => each !== undefined && each > 0);
}

const quoted = (id: string): string => `"${id.slice(0, MAX_ID_LENGTH).replace(/[^\x20-\x7e]/g, '?')}"`;

function idsOf(byPage: ReadonlyMap<string, readonly Fields[]>): string {
  const ids = [...byPage].filter(([, own]) => own.length > 0).map(([id]) => quoted(id));
  return ids.length <= MAX_IDS_SHOWN ? ids.join(', ') : `${ids.slice(0, MAX_IDS_SHOWN).join(', ')} and ${ids.length - MAX_IDS_SHOWN} more`;
}

const noSuchPage = (id: string, byPage: ReadonlyMap<string, readonly Fields[]>): string =>
  `The HAR has no page ${quoted(id)} with requests; it has ${idsOf(byPage)}`;

function leftOutPages(id: string, byPage: ReadonlyMap<string, readonly Fields[]>): string {
  const count = [...byPage.values()].filter((own) => own.length > 0).length;
  return `The file has ${count} pages; only ${quoted(id)} is used, and requests of the others are excluded`;
}
