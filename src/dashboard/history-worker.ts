/**
 * Finds recorded loads in a thread of its own. It answers from what it knows: the newest at once. All others, then the networks and the addresses of
 * older loads follow: each time it posts that there is more.
 */
import * as v from 'valibot';
import { completeFigures } from '../adapters/figures-store.ts';
import {
  type KeyedFigures,
  type LoadAddress,
  oldestWholeLoad,
  readAddresses,
  readKeyedFigures,
  readVersions,
} from '../adapters/history-store.ts';
import { assertNever } from '../core/errors.ts';
import { fieldLinks, type GivenLinkName } from '../core/field/field-links.ts';
import {
  createHistory,
  findLoads,
  type History,
  type HistoryInput,
  type HistoryQuery,
  historyLoad,
  siteHosts,
} from '../core/field/history.ts';
import type { LoadSummary } from '../core/field/load-summary.ts';
import type { VersionCounts } from '../core/measure/requests.ts';
import { type HistoryAnswer, type HistoryReply, type HistoryRequest, historyRequestSchema } from '../protocol/history-messages.ts';
import { groupsAnswer, trendAnswer } from './group-answers.ts';

/** TypeScript types globalThis as a window; a worker's postMessage works alike. */
const post = (reply: HistoryReply): void => globalThis.postMessage(reply);

/** Loads whose addresses are read at once: 2 MB of records. */
const ADDRESSES_AT_ONCE = 100;
/** Chunks of summaries whose rows are shown first: at least 256 loads. */
const NEWEST_CHUNKS = 2;
/** Sites to choose from; the others are found by search. Chosen, not measured. */
const MAX_SITES = 200;

/** Addresses by the load's key; that of a load never changes as long as the store is the same. */
const addresses = new Map<number, LoadAddress>();
/** The requests of loads that still have them, by the load's key; they are counted once the table of sites was asked for. */
const versions = new Map<number, VersionCounts>();

interface Stored {
  /** The keys of `history.figures`. */
  readonly keys: readonly number[];
  readonly total: number;
  history: History;
  hosts: ReadonlyMap<number, string>;
  /** Only the newest loads are known. */
  readonly isPart: boolean;
  isPending: boolean;
}

let reading: Promise<Stored> | undefined;
let known: Stored | undefined;
/** The last result, for further rows of the same query. */
let last: { readonly history: History; readonly query: string; readonly found: readonly number[] } | undefined;

globalThis.onmessage = async ({ data }: MessageEvent<unknown>) => {
  const request = v.parse(historyRequestSchema, data);
  const { number, names } = request;
  try {
    if (request.isNew) reading = undefined;
    // Whoever types does not wait until all are read: there is more to follow then.
    if (known !== undefined && !request.isNew && reading === undefined) readBehind(names);
    reading ??= known === undefined ? readNewest(names) : readAll(names);
    const stored = known === undefined || request.isNew ? await reading : known;
    post(replyTo(stored, request));
  } catch (error) {
    reading = undefined;
    post({ kind: 'failed', number, message: error instanceof Error ? error.message : String(error) });
  }
};

function replyTo(stored: Stored, request: HistoryRequest): HistoryReply {
  const { number } = request;
  switch (request.kind) {
    case 'find':
      return { kind: 'find', number, answer: findAnswer(stored, request) };
    case 'groups': {
      const pending = countRequests(stored) || stored.isPending;
      const versionsOf = (at: number) => versions.get(stored.keys[at] ?? -1);
      return { kind: 'groups', number, answer: groupsAnswer(stored, { query: request.query, versionsOf, pending }) };
    }
    case 'trend':
      return { kind: 'trend', number, answer: trendAnswer(stored, request) };
    default:
      return assertNever(request);
  }
}

/** The keys of loads whose requests were counted, or are no longer kept. */
const counted = new Set<number>();
let isCounting = false;

/** Begins to count the requests of loads of which that was not done. @returns whether there are any. */
function countRequests({ keys, isPending }: Stored): boolean {
  // The newest come first, so the others are not known yet.
  if (isPending || isCounting) return true;
  const missing = keys.filter((key) => !counted.has(key));
  if (missing.length === 0) return false;
  isCounting = true;
  setTimeout(async () => {
    try {
      const oldest = (await oldestWholeLoad()) ?? Number.POSITIVE_INFINITY;
      const whole = missing.filter((key) => key >= oldest);
      for (let end = whole.length; end > 0; end -= ADDRESSES_AT_ONCE) {
        const some = whole.slice(Math.max(0, end - ADDRESSES_AT_ONCE), end);
        for (const [key, own] of await readVersions(Math.min(...some), Math.max(...some))) versions.set(key, own);
      }
      for (const key of missing) counted.add(key);
      isCounting = false;
      post({ kind: 'more' });
    } catch (error) {
      isCounting = false;
      postFailure(error);
    }
  }, 0);
  return true;
}

async function readNewest(names: readonly GivenLinkName[]): Promise<Stored> {
  const stored = await storedOf(await readKeyedFigures(NEWEST_CHUNKS), true);
  known = stored;
  // After the first answer.
  setTimeout(() => readBehind(names), 0);
  return stored;
}

/** Reads all loads while requests are answered from what is known. After a failure the next request begins again. */
function readBehind(names: readonly GivenLinkName[]): void {
  const own = readAll(names);
  reading = own;
  own
    .then(() => post({ kind: 'more' }))
    .catch((error: unknown) => {
      if (reading === own) reading = undefined;
      postFailure(error);
    });
}

async function readAll(names: readonly GivenLinkName[]): Promise<Stored> {
  const read = await readKeyedFigures();
  const stored = await storedOf(read, false);
  known = stored;
  setTimeout(() => complete(stored, names, read.missing), 0);
  return stored;
}

/** Orders loads by their start, and reads the addresses of the newest. */
async function storedOf({ figures, keys, total, missing }: KeyedFigures, isPart: boolean): Promise<Stored> {
  const [ordered, own] = inOrder(figures, keys);
  // A store that was made anew has the same keys for other loads.
  const before = isSameStore(known, own, ordered) ? known : undefined;
  if (before === undefined) for (const held of [addresses, versions, counted]) held.clear();
  await readMissing(own.slice(-ADDRESSES_AT_ONCE));
  return { keys: own, total, ...foundIn(own, ordered, linksBefore(before, own)), isPart: isPart && missing > 0, isPending: true };
}

/** Loads are stored in the order of their end, which mostly is that of their start. */
function inOrder(figures: readonly LoadSummary[], keys: readonly number[]): [readonly LoadSummary[], readonly number[]] {
  if (figures.every(({ startedAt }, at) => startedAt >= (figures[at - 1]?.startedAt ?? startedAt))) return [figures, keys];
  const order = keys.map((_, at) => at).sort((a, b) => (figures[a]?.startedAt ?? 0) - (figures[b]?.startedAt ?? 0));
  return [order.flatMap((at) => figures[at] ?? []), order.flatMap((at) => keys[at] ?? [])];
}

/** Whether the newest load that was known is still that of its key. */
function isSameStore(before: Stored | undefined, keys: readonly number[], figures: readonly LoadSummary[]): boolean {
  const newest = before?.keys.at(-1);
  const at = newest === undefined ? -1 : keys.lastIndexOf(newest);
  return at >= 0 && figures[at]?.startedAt === before?.history.figures.at(-1)?.startedAt;
}

/** The networks of before, until they are inferred anew. By key: the oldest loads are deleted, and one that began earlier may be stored later. */
function linksBefore(before: Stored | undefined, keys: readonly number[]): Pick<HistoryInput, 'links' | 'linkOf'> {
  if (before === undefined) return { links: [], linkOf: () => undefined };
  const { links, linkOf } = before.history;
  const byKey = new Map(before.keys.map((key, at) => [key, linkOf(at)]));
  return { links, linkOf: (at) => byKey.get(keys[at] ?? -1) };
}

function foundIn(
  keys: readonly number[],
  figures: readonly LoadSummary[],
  { links, linkOf }: Pick<HistoryInput, 'links' | 'linkOf'>,
): Pick<Stored, 'history' | 'hosts'> {
  const byPage = new Map<number, string>();
  for (const [at, { page }] of figures.entries()) {
    const url = addresses.get(keys[at] ?? -1)?.url;
    if (url !== undefined) byPage.set(page, url);
  }
  const input = { figures, links, linkOf, addresses: byPage };
  return { history: createHistory(input), hosts: siteHosts(input) };
}

/** Reads addresses that are not known yet. */
async function readMissing(keys: readonly number[]): Promise<void> {
  const missing = keys.filter((key) => !addresses.has(key));
  if (missing.length === 0) return;
  for (const address of await readAddresses(Math.min(...missing), Math.max(...missing))) addresses.set(address.key, address);
}

async function complete(stored: Stored, names: readonly GivenLinkName[], missing: number): Promise<void> {
  try {
    const { keys, history } = stored;
    const oldest = await oldestWholeLoad();
    const whole = oldest === undefined ? [] : keys.filter((key) => key >= oldest);
    for (let end = whole.length; end > 0; end -= ADDRESSES_AT_ONCE)
      await readMissing(whole.slice(Math.max(0, end - ADDRESSES_AT_ONCE), end));
    // Other loads were read meanwhile.
    if (known !== stored) return;
    Object.assign(stored, foundIn(keys, history.figures, fieldLinks(history.figures, names)), { isPending: false });
    if (missing > 0) {
      let isChanged = false;
      await completeFigures(() => {
        isChanged = true;
        return true;
      });
      // Loads that come and go between two transactions can make the counts differ for ever.
      if (isChanged) reading = undefined;
    }
    post({ kind: 'more' });
  } catch (error) {
    if (known === stored) reading = undefined;
    postFailure(error);
  }
}

/** No request waits for it: what was answered stays. */
const postFailure = (error: unknown) => post({ kind: 'failed', message: error instanceof Error ? error.message : String(error) });

function findAnswer(stored: Stored, { query }: Extract<HistoryRequest, { kind: 'find' }>): HistoryAnswer {
  const { history, hosts, total, isPart, isPending } = stored;
  const found = foundBy(history, query);
  const newest = history.figures.at(-1);
  const { sites, networks, profiles, protocols, excluded } = history.choices;
  return {
    rows: found.slice(query.from, query.from + query.most).flatMap((at) => rowOf(stored, at)),
    ...(newest && { newestAt: newest.startedAt }),
    found: found.length,
    total,
    isPart,
    pending: isPending,
    choices: {
      // One without a host cannot be chosen by name.
      sites: sites
        .flatMap((choice) => {
          const host = hosts.get(choice.value);
          return host === undefined ? [] : [{ ...choice, host }];
        })
        .slice(0, MAX_SITES),
      networks: networks.map((choice) => {
        const link = history.links.find(({ id }) => id === choice.value);
        return { ...choice, ...(link && { link }) };
      }),
      profiles: [...profiles],
      protocols: [...protocols],
      excluded: [...excluded],
    },
  };
}

function foundBy(history: History, query: HistoryQuery): readonly number[] {
  const { from: _, most: __, ...own } = query;
  const text = JSON.stringify(own);
  if (last?.history !== history || last.query !== text) last = { history, query: text, found: findLoads(history, query) };
  return last.found;
}

function rowOf({ keys, history, hosts }: Stored, at: number): HistoryAnswer['rows'] {
  const [load, key] = [historyLoad(history, at), keys[at]];
  if (load === undefined || key === undefined) return [];
  const [id, host] = [addresses.get(key)?.id, hosts.get(load.site)];
  return [{ key, ...load, ...(id !== undefined && { id }), ...(host !== undefined && { host }) }];
}
