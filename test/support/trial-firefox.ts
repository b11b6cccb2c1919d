/** A trial in a real Firefox: loads of a page whose pictures are held back, so that the server sees how many are wanted at once. */
import { expect } from 'vitest';
import { storedUrl } from '../../src/core/measure/stored-url.ts';
import type { MarkedPageLoad } from '../../src/core/trial/trial-mark.ts';
import type { TrialFacts } from '../../src/protocol/trial-state.ts';
import type { ExtensionFirefox } from './extension-firefox.ts';
import { pngOf, type Resource, type Served, type TestServer } from './extension-server.ts';

export const PER_SERVER = 'network.http.max-persistent-connections-per-server';
/** Urgent requests may exceed the limit by so many: `network.http.max-urgent-start-excessive-connections-per-host` as shipped. */
const URGENT_START = 3;
/** Connections per server: Firefox's own, and those of the candidate. */
const CONNECTIONS: Readonly<Record<string, number>> = { 'firefox-default': 6, 'c2-d1': 2 };

const PICTURES = 24;

/** `/hold?x`: 24 pictures held back for 80 ms each; `/long?x`: for a second each. */
export function heldPages(path: string): Resource | undefined {
  const [name = '', query = ''] = path.split('?');
  if (name === '/hold' || name === '/long') {
    const pictures = Array.from({ length: PICTURES }, (_, at) => `<img src="/held${name}-${at}?${query}" alt="">`).join('');
    return { path, type: 'text/html', body: `<!doctype html><meta charset="utf-8"><title>t</title>${pictures}` };
  }
  const [, kind, at] = /^\/held\/(hold|long)-(\d+)$/.exec(name) ?? [];
  if (kind === undefined) return undefined;
  return { path, type: 'image/png', body: pngOf(500 + Number(at)), delayMs: kind === 'hold' ? 80 : 1_000 };
}

/** Most pictures of one load that the server held at the same time. */
export function mostAtOnce(log: readonly Served[], url: string): number {
  const [page] = url.split('?');
  const own = log.filter(({ path }) => path.startsWith('/held/') && storedUrl(`${page}?${path.split('?')[1]}`) === storedUrl(url));
  return Math.max(
    0,
    ...own.map(({ startedAt }) => own.filter((other) => other.startedAt <= startedAt && startedAt < other.endedAt).length),
  );
}

/** What the server saw is what the load's place in the trial says. */
export function expectUnderItsProfile(server: TestServer, load: MarkedPageLoad): void {
  const profileId = load.trial?.mark.profileId ?? '';
  const limit = CONNECTIONS[profileId] ?? Number.NaN;
  const seen = mostAtOnce(server.log, load.url);
  expect.soft(seen, `${load.url} under ${profileId}`).toBeGreaterThanOrEqual(limit);
  expect.soft(seen, `${load.url} under ${profileId}`).toBeLessThanOrEqual(limit + URGENT_START);
  expect.soft(load.applied, load.url).toMatchObject({ profileId, mismatches: [] });
}

/** Loads a page and waits until it is recorded, and the trial has been told. */
export async function loadOnce(firefox: ExtensionFirefox, url: string): Promise<MarkedPageLoad> {
  await firefox.page.goto(url, { waitUntil: 'load' });
  return recorded(firefox, url);
}

export async function recorded(firefox: ExtensionFirefox, url: string): Promise<MarkedPageLoad> {
  const find = async () => (await firefox.ask({ kind: 'loads-after' })).find((load) => load.url === storedUrl(url));
  await expect.poll(find).toBeDefined();
  await firefox.ask({ kind: 'trial-state' });
  return (await find()) as MarkedPageLoad;
}

export async function trialNow(firefox: ExtensionFirefox): Promise<NonNullable<TrialFacts['current']>> {
  const { current, failure } = await firefox.ask({ kind: 'trial-state' });
  expect(failure).toBeUndefined();
  expect(current).toBeDefined();
  return current as NonNullable<TrialFacts['current']>;
}
