import { beforeEach, describe, expect, it } from 'vitest';
import { GatewayTraffic } from '../../../src/background/gateway-traffic.ts';

const PARTIAL = 'NS_ERROR_NET_PARTIAL_TRANSFER';
let traffic: GatewayTraffic;
let ids = 0;

/** @returns its id. */
function begin(tabId: number, type = 'image', method = 'GET'): string {
  const requestId = String(++ids);
  traffic.began({ requestId, tabId, type, method, url: `http://site-${tabId}.example/` });
  return requestId;
}

beforeEach(() => {
  traffic = new GatewayTraffic();
});

describe('after the gateway has ended', () => {
  it('a page is loaded again once, whichever of its pieces failed, and whenever it was told', () => {
    begin(1, 'main_frame');
    const before = begin(1);
    const after = begin(1, 'stylesheet');
    const other = begin(1, 'font');
    expect(traffic.ended(before, PARTIAL, 1_000)).toBeUndefined();
    expect(traffic.gatewayEnded(1_010)).toEqual([1]);
    expect(traffic.ended(after, PARTIAL, 1_020)).toBeUndefined();
    expect(traffic.ended(other, PARTIAL, 1_030)).toBeUndefined();
  });

  it('so is one whose failure is told later, the document itself included', () => {
    const page = begin(4, 'main_frame');
    const other = begin(5, 'main_frame');
    expect(traffic.gatewayEnded(0)).toEqual([]);
    expect(traffic.ended(page, PARTIAL, 3)).toBe(4);
    expect(traffic.ended(other, 'NS_ERROR_NET_RESET', 3)).toBe(5);
  });

  it('no page is that lost nothing: what was answered, or what the person broke off', () => {
    begin(1, 'main_frame');
    const [answered, stopped] = [begin(1), begin(1)];
    traffic.gatewayEnded(0);
    expect(traffic.ended(answered, undefined, 1)).toBeUndefined();
    expect(traffic.ended(stopped, 'NS_BINDING_ABORTED', 1)).toBeUndefined();
  });

  it.each([
    ['came by POST', 'POST', 'image', 'GET'],
    ['lost what it had asked for by itself', 'GET', 'xmlhttprequest', 'GET'],
    ['lost what it had sent', 'GET', 'sub_frame', 'POST'],
  ])('no page is that %s', (_, documentMethod, type, method) => {
    begin(1, 'main_frame', documentMethod);
    const request = begin(1, type, method);
    traffic.gatewayEnded(0);
    expect(traffic.ended(request, PARTIAL, 1)).toBeUndefined();
  });

  it('no page is whose document did not come through the gateway, and nothing that belongs to no tab', () => {
    begin(-1, 'main_frame');
    const [loose, elsewhere] = [begin(-1), begin(7)];
    traffic.gatewayEnded(0);
    expect(traffic.ended(loose, PARTIAL, 1)).toBeUndefined();
    expect(traffic.ended(elsewhere, PARTIAL, 1)).toBeUndefined();
    expect(traffic.ended('never routed', PARTIAL, 1)).toBeUndefined();
  });

  it('a failure of long before was another one', () => {
    begin(1, 'main_frame');
    traffic.ended(begin(1), PARTIAL, 1_000);
    begin(2, 'main_frame');
    traffic.ended(begin(2), PARTIAL, 2_500);
    expect(traffic.gatewayEnded(3_001)).toEqual([2]);
  });
});

describe('what is under way', () => {
  it('has finished when each has ended, in whatever way', async () => {
    const [one, other] = [begin(1), begin(1)];
    let finished = false;
    const waiting = traffic.finished().then(() => {
      finished = true;
    });
    traffic.ended(one, PARTIAL, 0);
    await Promise.resolve();
    expect(finished).toBe(false);
    traffic.ended(other, undefined, 0);
    await waiting;
    await traffic.finished();
  });
});

it('pages that show something of a site: those of a form are told apart, and what a tab has left counts no more', () => {
  begin(1, 'main_frame');
  begin(2, 'main_frame', 'POST');
  begin(2);
  begin(3, 'main_frame');
  traffic.wentDirect({ requestId: 'x', tabId: 3, type: 'main_frame', method: 'GET', url: 'http://other.example/' });
  const all = [1, 2, 3].map((tabId) => `http://site-${tabId}.example`);
  expect(traffic.showing(all)).toEqual({ again: [1], others: 1 });
  expect(traffic.showing(['http://none.example'])).toEqual({ again: [], others: 0 });
});

describe('switched off', () => {
  it('waits for what was sent, and not for what was cancelled while its proxy was asked, of which Firefox reports no end', async () => {
    const sent = begin(1);
    begin(1);
    traffic.sent(sent);
    let isFinished = false;
    const finished = traffic.finished().then(() => {
      isFinished = true;
    });
    traffic.dropUnsent();
    await Promise.resolve();
    expect(isFinished).toBe(false);
    traffic.ended(sent, undefined, 1);
    await finished;
  });

  it('has nothing to wait for where nothing was sent', async () => {
    begin(1);
    traffic.dropUnsent();
    await traffic.finished();
  });

  it('has kept at most a thousand requests that were never sent', () => {
    const first = begin(1);
    const sent = begin(1);
    traffic.sent(sent);
    for (let at = 0; at < 1_000; at++) begin(1);
    expect([traffic.isUnderWay(first), traffic.isUnderWay(sent)]).toEqual([false, true]);
  });
});
