/** Which load is the one of the page that a tab shows: its own, or none. */
import { expect, test } from 'vitest';
import { isShown } from '../../../src/adapters/shown-load.ts';
import { storedUrl } from '../../../src/core/measure/stored-url.ts';
import { recordedLoad } from '../../support/recorded-load.ts';

const URL = 'http://site.test/a?query=1';
const [document, ...others] = recordedLoad({ minute: 1, rttMs: 50, page: 'a' }).requests;
if (document === undefined) throw new Error('A load has its document first');
const load = {
  ...recordedLoad({ minute: 1, rttMs: 50, page: 'a' }),
  url: storedUrl(URL),
  requests: [{ ...document, requestId: '7' }, ...others],
};
const { startedAt } = load;
const endedAt = startedAt + 3_000;
const since = startedAt - 60_000;
/** The load's own navigation, noted a moment after the document began. */
const navigation = { navigationAt: startedAt + 20, requestId: '7' };
const now = { url: URL, since, navigation };

test.each([
  ['at the address that it was recorded at', now],
  ['whatever follows the address’s #', { ...now, url: `${URL}#part` }],
  ['after a navigation that was not seen', { ...now, navigation: undefined }],
  ['after a navigation that an older page began', { ...now, navigation: { navigationAt: startedAt - 5_000, requestId: '6' } }],
  ['while Firefox starts, before the event page', { ...now, since: startedAt + 500 }],
])('it is shown %s', (_, tab) => {
  expect(isShown({ load, endedAt }, tab)).toBe(true);
});

test.each([
  ['a new tab', { ...now, url: 'about:newtab' }],
  ['a page that is not recorded', { ...now, url: 'http://never.test/a?query=1' }],
  ['another page of the site', { ...now, url: 'http://site.test/b' }],
  ['the page for another query', { ...now, url: 'http://site.test/a?query=2' }],
  ['the same page, loading again', { ...now, navigation: { navigationAt: startedAt + 9_000, requestId: '8' } }],
  ['a tab of the same number in a later run of Firefox', { ...now, since: endedAt + 1 }],
])('it is not that of %s', (_, tab) => {
  expect(isShown({ load, endedAt }, tab)).toBe(false);
});

test('where its own request was not seen, a navigation since it began is another one', () => {
  expect(isShown({ load: { ...load, requests: [document] }, endedAt }, now)).toBe(false);
});
