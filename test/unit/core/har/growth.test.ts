/** Reading a HAR takes time in proportion to its requests, whatever they look like. */
import { describe, expect, it } from 'vitest';
import { pageFromHar } from '../../../../src/core/har/page-from-har.ts';
import { entry, harOf } from './har-of.ts';

const ENDINGS = ['css', 'js', 'png', 'woff2', 'json'];
const HOSTS = 57;

type Shape = 'plain' | 'all at once' | 'one address' | 'redirects' | 'unseen queues';

function har(requests: number, shape: Shape) {
  const entries = Array.from({ length: requests - 1 }, (_, n) => {
    const url = `https://h${n % HOSTS}.test/${shape === 'one address' ? 0 : n}.${ENDINGS[n % ENDINGS.length]}`;
    const frames = Array.from({ length: 5 }, (_, back) => ({ url: `https://h${(n - back) % HOSTS}.test/${n - back}.js` }));
    return entry(url, {
      at: shape === 'all at once' ? 500 : 150 + n * 5,
      blocked: shape === 'unseen queues' ? -1 : 0,
      connect: n < HOSTS ? 40 : -1,
      wait: 30 + (n % 90),
      receive: shape === 'all at once' ? 0 : n % 40,
      body: 1000 + ((n * 13) % 50_000),
      ...(shape === 'redirects' && { status: 302, location: url }),
      ...(n % 2 === 0 ? { more: { _initiator: { type: 'script', stack: { callFrames: frames } } } } : { referer: 'https://h0.test/' }),
    });
  });
  return harOf([entry('https://h0.test/', { receive: 100 }), ...entries], { onLoad: 60_000 });
}

/** Time of the processor, microseconds: waiting for it does not count. The least of several runs: what else the machine does only ever adds. */
function cost(of: unknown, times: number): number {
  const runs = Array.from({ length: times }, () => {
    const began = process.cpuUsage();
    pageFromHar(of);
    const { user, system } = process.cpuUsage(began);
    return user + system;
  });
  return Math.min(...runs);
}

describe('pageFromHar', () => {
  it.each<Shape>(['plain', 'all at once', 'one address', 'redirects', 'unseen queues'])(
    'takes about eight times as long for eight times the requests: %s',
    (shape) => {
      const [few, many] = [har(1000, shape), har(8000, shape)];
      // In proportion 8, with the square of the requests 64; sorting and what else the machine does take their share.
      expect(cost(many, 3) / cost(few, 6)).toBeLessThan(32);
    },
    60_000,
  );

  it('reads 1,050 requests over 57 hosts', () => {
    const { page } = pageFromHar(har(1050, 'plain'));
    expect(page.requests).toHaveLength(1050);
    expect(Object.keys(page.origins ?? {})).toHaveLength(HOSTS);
  });

  it('does not read bodies: 50 MB of them cost nothing', () => {
    const of = har(500, 'plain');
    const before = cost(of, 5);
    const text = 'x'.repeat(100_000);
    for (const each of of.log.entries as { response: { content: { text?: string } } }[]) each.response.content.text = text;
    expect(cost(of, 5) / before).toBeLessThan(3);
  });
});
