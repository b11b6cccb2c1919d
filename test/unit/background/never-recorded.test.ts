/** What is kept of the requests of a page that is not to be recorded: nothing, and everything of the others. */
import { expect, test } from 'vitest';
import { siteTyped } from '../../../src/adapters/site-shares.ts';
import { createNeverRecorded } from '../../../src/background/never-recorded.ts';
import { DEFAULT_SETTINGS } from '../../../src/protocol/settings.ts';
import { event, mainEvent } from '../../support/observation-builders.ts';

const stores = { keptSettings: async () => ({ ...DEFAULT_SETTINGS, neverRecorded: ['bank.co.uk'] }) };

const BANK = 'https://www.bank.co.uk/account';

test('every host of the site is meant, and no other site', async () => {
  const { isNeverRecorded } = createNeverRecorded({ stores });
  const urls = [BANK, 'http://bank.co.uk:8080/', 'https://notbank.co.uk/', 'https://bank.co.uk.evil.test/', 'about:blank'];
  expect(await Promise.all(urls.map(isNeverRecorded))).toEqual([true, true, false, false, false]);
});

test('requests of its pages go, with those of frames in them; the next page of the tab stays', async () => {
  const { withoutThem } = createNeverRecorded({ stores });
  const kept = [
    event('completed', 'other tab', 20, { tabId: 2 }),
    event('completed', 'page before', 25, { documentUrl: 'http://site.test/' }),
    mainEvent('started', 'next', 40),
    event('completed', 'of next', 50),
  ];
  const events = [
    mainEvent('started', 'bank', 10, { url: BANK }),
    event('completed', 'picture', 15, { documentUrl: BANK, url: 'https://cdn.test/i.png' }),
    event('completed', 'frame', 18, { frameId: 3, documentUrl: 'https://ads.test/', url: 'https://ads.test/x' }),
    ...kept.slice(0, 2),
    mainEvent('completed', 'bank', 30, { url: BANK }),
    ...kept.slice(2),
    event('completed', 'late', 60, { documentUrl: BANK }),
  ];
  // In two batches: the tab is remembered from one to the next.
  expect([...(await withoutThem(events.slice(0, 2))), ...(await withoutThem(events.slice(2)))]).toEqual(kept);
});

test.each([
  ['example.org', 'example.org'],
  [' https://www.example.org/path?q ', 'example.org'],
  ['shop.example.co.uk', 'example.co.uk'],
  ['192.168.1.5:8080', '192.168.1.5'],
  ['localhost', 'localhost'],
  // A network of IPv6 is one site: whoever has one of its addresses has them all.
  ['[2001:db8:0:7::5]', '[2001:db8:0:7::]'],
  ['[2001:db8:0:7:ffff:1:2:3]:8080', '[2001:db8:0:7::]'],
  ['[::1]', '[0:0:0:0::]'],
  ['[::ffff:192.0.2.1]', '[0:0:0:0::]'],
  // A short name under a country is a person's own.
  ['one.abc.io', 'abc.io'],
  ['two.abc.io', 'abc.io'],
  ['MÜNCHEN.de', 'xn--mnchen-3ya.de'],
  ['', undefined],
  ['a b', undefined],
  ['<img src=x onerror=alert(1)>', undefined],
])('%j is the site %j', (typed, site) => {
  expect(siteTyped(typed)).toBe(site);
});
