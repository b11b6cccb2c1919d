import { describe, expect, it } from 'vitest';
import { addressKey } from '../../../../src/core/field/address-key.ts';
import { loadSummary, summaryEfficiency } from '../../../../src/core/field/load-summary.ts';
import { measureLoad } from '../../../../src/core/measure/measure-load.ts';
import type { MarkedPageLoad } from '../../../../src/core/trial/trial-mark.ts';
import { kilobitsPerSecond, milliseconds } from '../../../../src/core/units.ts';
import { waterfall } from '../../../fixtures/waterfall.ts';

const LINK = { rttMs: milliseconds(100), downKbps: kilobitsPerSecond(1000) };

const page = (more = '') =>
  waterfall(`
    load event=3000 ${more}
    https://a.test/  main_frame fetch=0    connect=2-202 tls=102 send=202 first=303 end=320 bytes=4000
    https://a.test/1 image      fetch=320  reused send=320 first=421 end=1221 bytes=90000
    https://b.test/2 image      fetch=320  connect=322-522 tls=422 send=522 first=623 end=2900 bytes=6000`);

describe('the figures of a load', () => {
  it('hold what its comparison needs', () => {
    expect(loadSummary(page())).toEqual({
      startedAt: 0,
      page: addressKey('https://a.test/'),
      site: addressKey('https://a.test'),
      standing: 'whole',
      profileId: 'firefox-default',
      carrier: 'none',
      loadTimeMs: 2900,
      bytes: 100_000,
      // a.test alone has two samples, which is too few. Of all: a.test 100 and 101, so as likely as not 99 or more; b.test 100 once.
      rttMs: 100,
      rttLowMs: 99,
      // The window is 400 ms; best while both images come, from 623 to 1221: 900 kbit/s and 6000 bytes in 2277 ms.
      downKbps: expect.closeTo(900 + (6000 * 8) / 2277, 6),
    });
  });

  it.each([
    ['whole', page()],
    ['cut short', page('ended=page-left')],
    ['of unknown size', waterfall('load event=900\n a.test/ main_frame fetch=0 connect=2-102 send=102 first=203 end=320')],
    ['faster than the link', waterfall('load event=300\n a.test/ main_frame fetch=0 reused send=2 first=50 end=51 bytes=100000')],
    ['from cache', waterfall('load event=300\n a.test/ main_frame fetch=0 end=51 cached')],
  ])('give the efficiency that measuring the load gives: %s', (_, load) => {
    expect(summaryEfficiency(loadSummary(load), LINK)).toBe(measureLoad(load, { link: LINK }).efficiency);
  });

  it('say where the load stands', () => {
    const applied = { profileId: 'c4-d6', applier: 'policy', carrier: 'gateway', intended: {}, readBack: [], mismatches: [] } as const;
    const standing = (load: MarkedPageLoad) => loadSummary(load).standing;
    expect(standing(page('ended=time-limit'))).toBe('cut-short');
    expect(standing({ ...page(), applied: { ...applied, mismatches: ['network.x'] } })).toBe('not-as-intended');
    expect(standing(waterfall('load event=3\n a.test/ main_frame failed'))).toBe('unmeasurable');
    expect(loadSummary({ ...page(), applied })).toMatchObject({ profileId: 'c4-d6', carrier: 'gateway', standing: 'whole' });
  });

  it('know the place in a trial, and whether it counts there', () => {
    const mark = { trialId: 't', block: 1, slot: 3, profileId: 'c4-d6', position: 1, washout: false };
    const trial = (place: MarkedPageLoad['trial']) => loadSummary({ ...page(), ...(place && { trial: place }) }).trial;
    expect(trial(undefined)).toBeUndefined();
    expect(trial({ mark })).toEqual({ slot: 3, counts: true });
    expect(trial({ mark: { ...mark, washout: true } })).toEqual({ slot: 3, counts: false });
    expect(trial({ mark, void: 'paused' })).toEqual({ slot: 3, counts: false });
  });

  it('are of the same page whatever its fragment', () => {
    expect(loadSummary({ ...page(), url: 'https://a.test/#top' }).page).toBe(addressKey('https://a.test/'));
    expect(loadSummary({ ...page(), url: 'https://a.test/?q' }).page).not.toBe(addressKey('https://a.test/'));
  });
});

it('keys of addresses are whole, below 2^53, and differ', () => {
  const keys = Array.from({ length: 20_000 }, (_, at) => addressKey(`https://site.test/article/${at}`));
  expect(new Set(keys).size).toBe(keys.length);
  expect(keys.every((key) => Number.isSafeInteger(key) && key >= 0)).toBe(true);
});
