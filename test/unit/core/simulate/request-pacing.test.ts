/**
 * When Firefox paces requests, and when it does not (nsHttpConnectionMgr::TryDispatchTransaction and OnMsgProcessPendingQ, EventTokenBucket,
 * Firefox 140 to 153), by hand: on links so fast that only round trips of 100 ms count, a connection takes one, and so does a request.
 */
import { describe, expect, it } from 'vitest';
import type { PageRequest } from '../../../../src/core/graph/page-graph.ts';
import { predict } from '../../../../src/core/predict/predict.ts';
import { RequestPacing } from '../../../../src/core/simulate/request-pacing.ts';

const LINK = { rttMs: 100, downKbps: 10_000_000, upKbps: 100_000_000 };

interface Paced {
  readonly connections: number;
  readonly hz: number;
  readonly burst: number;
}

/** When each request is sent, in whole ms, by id. */
function starts(requests: readonly PageRequest[], { connections, hz, burst }: Paced): Readonly<Record<string, number>> {
  const preferences = { 'network.http.pacing.requests.hz': hz, 'network.http.pacing.requests.burst': burst };
  const [prediction] = predict({ page: { requests }, link: LINK, profiles: [{ id: 'paced', connections, preferences }] });
  return Object.fromEntries((prediction?.requests ?? []).map(({ id, startMs }) => [id, Math.round(startMs)]));
}

const image = (id: string, origin: string): PageRequest => ({ id, origin, bytes: 1000, class: 'image' });
const servers = Array.from({ length: 8 }, (_, at) => `s${at}`);

describe('requests to eight servers with a connection each, of which one has a token', () => {
  // All eight connections are being opened, which counts as active: the first that stands sends by its token. The second finds seven
  // active (six being opened, one busy) and may not send. From the third on there are six, and each sends: seven are busy then.
  const requests = [
    ...servers.map((server) => image(`${server} first`, server)),
    ...servers.map((server) => image(`${server} second`, server)),
  ];

  it('start without one as soon as six connections or fewer are active', () => {
    const at = starts(requests, { connections: 1, hz: 1, burst: 1 });
    for (const server of servers.filter((each) => each !== 's1')) {
      expect([server, at[`${server} first`], at[`${server} second`]]).toEqual([server, 100, 200]);
    }
  });

  it('start when a connection to another server is free that has nothing to send', () => {
    // At 300 ms the second response of the first server is there, and nothing waits for it: six are active, so the one that waits may go.
    const at = starts(requests, { connections: 1, hz: 1, burst: 1 });
    expect([at['s1 first'], at['s1 second']]).toEqual([300, 400]);
  });

  it('give up their place among those that wait for a token where they start without', () => {
    // In the order of asking the first server's second request comes before the one that waits; it has gone at 200 ms. The token of 250 ms is for who is left.
    const [first, ...others] = requests as [PageRequest, ...PageRequest[]];
    const at = starts([first, image('s0 second', 's0'), ...others.filter(({ id }) => id !== 's0 second')], {
      connections: 1,
      hz: 4,
      burst: 1,
    });
    expect([at['s0 second'], at['s1 first'], at['s1 second']]).toEqual([200, 250, 350]);
  });
});

it('style sheets and scripts take tokens, and wait for none', () => {
  const scripts = Array.from({ length: 12 }, (_, k): PageRequest => ({ id: `script ${k}`, bytes: 1000, class: 'script' }));
  const images = Array.from({ length: 10 }, (_, k): PageRequest => ({ id: `image ${k}`, bytes: 1000, class: 'image' }));
  const at = starts([...scripts, ...images], { connections: 32, hz: 1, burst: 10 });
  expect(scripts.map(({ id }) => at[id])).toEqual(scripts.map(() => 100));
  // Twelve are busy; as they end, the sixth leaves six, so that it and the six after it give way to an image each; the rest a round trip later.
  expect(images.map(({ id }) => at[id])).toEqual([...Array(7).fill(200), ...Array(3).fill(300)]);
});

it('through the gateway nothing is paced, as it switches pacing off', () => {
  const origins = Object.fromEntries(servers.map((server) => [server, { tls: '1.3' as const }]));
  const requests = servers.flatMap((server) => Array.from({ length: 4 }, (_, k) => image(`${server} ${k}`, server)));
  const time = (profile: string | { id: string; connections: number; preferences: Record<string, boolean> }) =>
    predict({ page: { requests, origins }, link: LINK, profiles: [profile] })[0]?.loadTimeMs ?? 0;
  const unpaced = { id: 'unpaced', connections: 4, preferences: { 'network.http.pacing.requests.enabled': false } };
  expect(time('c4-d6')).toBe(time(unpaced));
  expect(time('c4-d1')).toBeGreaterThan(time(unpaced));
});

describe('the bucket', () => {
  it('lets a burst pass, then one at each interval, in the order in which they asked', () => {
    const pacing = new RequestPacing({ above: 0, perSecond: 100, burst: 2 });
    expect([0, 1, 2, 3].map((request) => pacing.mayStart(request, { now: 0, active: 1 }))).toEqual([true, true, false, false]);
    expect(pacing.nextAt(0)).toBe(10);
    expect(pacing.admit(10)).toEqual([2]);
    expect(pacing.mayStart(3, { now: 10, active: 1 })).toBe(false);
    expect(pacing.admit(20)).toEqual([3]);
    expect(pacing.nextAt(20)).toBeUndefined();
  });

  it('never holds more than the burst', () => {
    const pacing = new RequestPacing({ above: 0, perSecond: 100, burst: 2 });
    expect([0, 1, 2].map((request) => pacing.mayStart(request, { now: 5000, active: 1 }))).toEqual([true, true, false]);
  });
});
