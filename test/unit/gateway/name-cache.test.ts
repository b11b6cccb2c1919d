import type { LookupAddress } from 'node:dns';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { createNameCache } from '../../../src/gateway/name-cache.ts';

const TWO: LookupAddress[] = [
  { address: '192.0.2.1', family: 4 },
  { address: '2001:db8::1', family: 6 },
];

function cacheWith(answers: (Error | LookupAddress[])[]) {
  let now = 0;
  let asked = 0;
  const cache = createNameCache({
    lookup: (_host, _options, callback) => {
      const answer = answers[asked++] ?? [];
      setImmediate(() => (answer instanceof Error ? callback(answer, []) : callback(null, answer)));
    },
    now: () => now,
  });
  return { all: (host: string) => promisify(cache)(host, { all: true }), cache, asked: () => asked, advance: (ms: number) => (now += ms) };
}

it('asks once for all who ask at the same time, and again only after 60 s', async () => {
  const { all, asked, advance } = cacheWith([TWO, TWO]);
  await Promise.all([all('a.example'), all('a.example'), all('a.example')]);
  advance(59_999);
  await all('a.example');
  expect(asked()).toBe(1);
  advance(1);
  await all('a.example');
  expect(asked()).toBe(2);
});

it('keeps no failure, and tells it to everyone who waits', async () => {
  const { all, asked } = cacheWith([Object.assign(new Error('no'), { code: 'ENOTFOUND' }), TWO]);
  const both = await Promise.allSettled([all('a.example'), all('a.example')]);
  expect(both.map((r) => r.status)).toEqual(['rejected', 'rejected']);
  await all('a.example');
  expect(asked()).toBe(2);
});

it('answers in the form that was asked for', async () => {
  const { cache } = cacheWith([TWO]);
  const one = (options: object) =>
    new Promise((resolve, reject) => cache('a.example', options, (e, address, family) => (e ? reject(e) : resolve([address, family]))));
  expect(await one({})).toEqual(['192.0.2.1', 4]);
  expect(await one({ family: 6 })).toEqual(['2001:db8::1', 6]);
  expect(await one({ family: 6, all: true })).toEqual([[TWO[1]], undefined]);
});

it('says that there is no address of the family asked for', async () => {
  const { cache } = cacheWith([[{ address: '192.0.2.1', family: 4 }]]);
  await expect(promisify(cache)('a.example', { family: 6 })).rejects.toMatchObject({ code: 'ENOTFOUND' });
});
