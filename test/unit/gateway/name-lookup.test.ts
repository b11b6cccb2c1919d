import type { LookupAddress } from 'node:dns';
import { promisify } from 'node:util';
import { describe, expect, it, test } from 'vitest';
import { NEAR_ADDRESS } from '../../../src/gateway/failure.ts';
import { createNameCache, FoundSites, givenSites, isNear } from '../../../src/gateway/name-lookup.ts';

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

const OWN = ['127.0.0.1', '192.168.1.7', '2001:db8::7'];

test.each([
  '127.0.0.1',
  '127.255.255.254',
  '0.0.0.0',
  '::1',
  '::',
  '::ffff:127.0.0.1',
  '::ffff:7f00:1',
  '169.254.169.254',
  'fe80::1',
  '192.168.1.7',
  '::ffff:192.168.1.7',
  '2001:db8::7',
])('%s is this machine or its own link', (address) => {
  expect(isNear(address, OWN)).toBe(true);
});

test.each(['126.255.255.255', '128.0.0.1', '192.168.1.1', '198.18.0.2', '::2', '2001:db8::1', '::ffff:192.0.2.1', 'localhost', ''])(
  '%s is not',
  (address) => {
    expect(isNear(address, OWN)).toBe(false);
  },
);

describe('the sites the extension has found', () => {
  const found = new FoundSites();
  found.know([
    { origin: 'http://news.example', address: '192.0.2.1' },
    { origin: 'http://news.example:8080', address: '192.0.2.1' },
    { origin: 'http://six.example', address: '2001:db8::1' },
    { origin: 'http://here.example', address: '127.0.0.1' },
  ]);
  const where = promisify(found.lookup);

  it('are carried, and nothing else; this machine is not', () => {
    const asked = ['http://news.example', 'http://news.example:81', 'http://other.example', 'http://here.example'];
    expect(asked.map((origin) => found.whyNot({ origin }))).toEqual([undefined, 'again', 'again', 'this-machine']);
  });

  it('are looked for where Firefox has found them', async () => {
    expect(await where('news.example', { all: true })).toEqual([{ address: '192.0.2.1', family: 4 }]);
    expect(await where('six.example', { all: true, family: 6 })).toEqual([{ address: '2001:db8::1', family: 6 }]);
    await expect(where('six.example', { family: 4 })).rejects.toMatchObject({ code: 'ENOTFOUND' });
    await expect(where('other.example', { all: true })).rejects.toMatchObject({ code: 'ENOTFOUND' });
  });

  it('are replaced as a whole', () => {
    const replaced = new FoundSites();
    replaced.know([{ origin: 'http://a.example', address: '192.0.2.1' }]);
    replaced.know([{ origin: 'http://b.example', address: '192.0.2.1' }]);
    expect(['http://a.example', 'http://b.example'].map((origin) => replaced.whyNot({ origin }))).toEqual(['again', undefined]);
  });
});

describe('the sites that the command was given', () => {
  const answers: Record<string, string[]> = {
    'news.example': ['192.0.2.1'],
    'here.example': ['127.0.0.1'],
    'lan.example': ['10.1.2.3'],
    'both.example': ['192.168.0.1', '198.51.100.2'],
  };
  const origins = new Set([
    'http://news.example',
    'http://10.1.2.3',
    'http://127.0.0.1:81',
    ...Object.keys(answers).map((host) => `http://${host}`),
  ]);
  const given = (reachesPrivate: boolean) =>
    givenSites(origins, {
      reachesPrivate,
      lookup: (host, _options, callback) =>
        callback(
          null,
          (answers[host] ?? []).map((address) => ({ address, family: 4 })),
        ),
    });
  const whyNot = (reachesPrivate: boolean, url: string) => given(reachesPrivate).whyNot({ origin: url, host: new URL(url).hostname });

  it('are served, and no other, nor this machine or a private network by its address', () => {
    const asked = ['http://news.example', 'http://news.example:81', 'http://other.example', 'http://127.0.0.1:81', 'http://10.1.2.3'];
    expect(asked.map((url) => whyNot(false, url))).toEqual([undefined, 'refused', 'refused', 'refused', 'refused']);
    expect(asked.map((url) => whyNot(true, url))).toEqual([undefined, 'refused', 'refused', 'refused', undefined]);
  });

  it('are not followed by their names to this machine, nor to a private network unless that is wanted', async () => {
    const found = (reachesPrivate: boolean, host: string) =>
      promisify(given(reachesPrivate).lookup)(host, { all: true }).then(
        (all) => (all as unknown as { address: string }[]).map(({ address }) => address),
        ({ code }: NodeJS.ErrnoException) => code,
      );
    const hosts = ['news.example', 'here.example', 'lan.example', 'both.example'];
    expect(await Promise.all(hosts.map((host) => found(false, host)))).toEqual([
      ['192.0.2.1'],
      NEAR_ADDRESS,
      NEAR_ADDRESS,
      ['198.51.100.2'],
    ]);
    expect(await Promise.all(hosts.map((host) => found(true, host)))).toEqual([
      ['192.0.2.1'],
      NEAR_ADDRESS,
      ['10.1.2.3'],
      ['192.168.0.1', '198.51.100.2'],
    ]);
  });
});
