/** Networks told apart by what the recorder saw of them: loads of one page over two emulated links and back, in a real Firefox. */

import { afterAll, beforeAll, expect, it } from 'vitest';
import { fieldLinks } from '../../src/core/field/field-links.ts';
import { type LoadSummary, loadSummary } from '../../src/core/field/load-summary.ts';
import { RTT_TOLERANCE_MS } from '../../src/lab/link/link-check.ts';
import { parseLink } from '../../src/lab/link/parse-link.ts';
import { parsePageLoad } from '../../src/protocol/stored-records.ts';
import { startTestLane, type TestLane } from '../support/lane.ts';

const NEAR = { rttMs: 30, downKbps: 10_000 };
const FAR = { rttMs: 120, downKbps: 2_000 };
/** In this order; a new network needs some loads before it is believed, a known one fewer. */
const STRETCHES = [
  { link: NEAR, loads: 8 },
  { link: FAR, loads: 8 },
  { link: NEAR, loads: 4 },
] as const;

const specOf = ({ rttMs, downKbps }: typeof NEAR) => parseLink(`rtt=${rttMs},down=${downKbps},up=1000,queue=100`);

let lane: TestLane;
const figures: LoadSummary[] = [];
/** By plain TCP, ms. */
const measuredRttMs = new Map<object, number>();

beforeAll(async () => {
  lane = await startTestLane(`rtt=${NEAR.rttMs},down=${NEAR.downKbps},up=1000,queue=100`);
  for (const { link, loads } of STRETCHES) {
    if (!measuredRttMs.has(link)) measuredRttMs.set(link, (await lane.lane.checkLink(specOf(link))).rttMs);
    await lane.lane.useLink(specOf(link));
    for (let at = 0; at < loads; at++) {
      const { outcome, validity } = await lane.load('firefox-default', 'wiki');
      expect(validity).toEqual({ state: 'valid' });
      figures.push(loadSummary(parsePageLoad(outcome.load)));
    }
  }
});

afterAll(() => lane?.lane.close());

it('every load is in the class of its link, there and back', () => {
  const { links, linkOf } = fieldLinks(figures);
  expect(figures.map((_, at) => linkOf(at))).toEqual(STRETCHES.flatMap(({ link, loads }) => Array(loads).fill(link === NEAR ? 0 : 1)));
  expect(links).toHaveLength(2);
});

it('the figures of the classes are those of the links', () => {
  const { links } = fieldLinks(figures);
  for (const [at, link] of [NEAR, FAR].entries()) {
    const { rttMs, downKbps } = link;
    // Never faster to answer than the link is, and little slower; a page never gets more than the link has, and on a near one not all of it.
    expect(links[at]?.rttMs).toBeGreaterThanOrEqual(Math.min(rttMs, measuredRttMs.get(link) ?? Number.NaN) - RTT_TOLERANCE_MS);
    expect(links[at]?.rttMs).toBeLessThanOrEqual(rttMs + 20);
    expect(links[at]?.downKbps).toBeLessThanOrEqual(downKbps * 1.05);
    expect(links[at]?.downKbps).toBeGreaterThanOrEqual(downKbps * 0.3);
  }
});
