import { promisify } from 'node:util';
import { describe, expect, it, test } from 'vitest';
import { FoundSites, isNear } from '../../../src/gateway/found-sites.ts';

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
    expect(asked.map((origin) => found.whyNot(origin))).toEqual([undefined, 'again', 'again', 'this-machine']);
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
    expect(['http://a.example', 'http://b.example'].map((origin) => replaced.whyNot(origin))).toEqual(['again', undefined]);
  });
});
