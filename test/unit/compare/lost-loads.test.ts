/** What a missing load of the baseline does to the others: nothing, where its cause cannot depend on how long it took. */
import { describe, expect, it } from 'vitest';
import { compareProfiles } from '../../../src/core/compare/compare-profiles.ts';
import type { ComparableLoad } from '../../../src/core/compare/comparison.ts';
import { comparableLoads } from '../../../src/core/report/comparable-loads.ts';
import type { MeasuredLoad } from '../../../src/core/report/report.ts';
import { soundnessNotes } from '../../../src/core/report/soundness-notes.ts';
import { voided } from '../../../src/core/report/validity.ts';
import { sampleReport } from '../../golden/sample-report.ts';
import { BASELINE, baseline, direct, gaussian, simulate } from './simulated-run.ts';

const PROFILES = [baseline(), direct(8, 0.6), direct(2, 0.3)];
const LOADS = simulate({ profiles: PROFILES, blocks: 4, seed: 5, noise: (random) => 0.005 * gaussian(random) });

const compare = (lost: (load: ComparableLoad) => ComparableLoad['lostTo'] | 'kept') => {
  const loads = LOADS.map((load): ComparableLoad => {
    const lostTo = lost(load);
    if (lostTo === 'kept') return load;
    return { ...load, valid: false, ...(lostTo !== undefined && { lostTo }) };
  });
  return compareProfiles(loads, { baseline: BASELINE, profiles: PROFILES });
};

const isThere = (id: string) => (load: ComparableLoad) => load.profileId === id && load.page === 'page-0' && load.link === 'link-1';

describe('loads that one profile lost more of', () => {
  /** 20 blocks of 4 pages over links: two equal profiles, and one of them 5 % better. */
  const equal = (seed: number) => simulate({ profiles: [baseline(), direct(8, 0.5)], blocks: 20, seed });
  const slowest = (loads: readonly ComparableLoad[], share: number) => {
    const own = loads.filter(({ profileId }) => profileId === 'c8-d1').sort((a, b) => (b.loadTimeMs ?? 0) - (a.loadTimeMs ?? 0));
    // Of every page over every link, as slow as they may be among themselves.
    const places = new Map<string, ComparableLoad[]>();
    for (const load of own) places.set(load.page + load.link, [...(places.get(load.page + load.link) ?? []), load]);
    return new Set([...places.values()].flatMap((there) => there.slice(0, there.length * share)));
  };

  it.each(['possibly-load-time', undefined] as const)('hold every verdict where the cause is %s', (lostTo) => {
    for (const share of [0.2, 0.4]) {
      const loads = equal(4);
      const lost = slowest(loads, share);
      const left = loads.map((load): ComparableLoad => (lost.has(load) ? { ...load, valid: false, ...(lostTo && { lostTo }) } : load));
      const [, candidate] = compareProfiles(left, { baseline: BASELINE, plannedBlocks: 20 }).profiles;
      expect(candidate?.versusBaseline.verdict).toBe('no-verdict');
      expect(candidate?.versusBaseline.reason).toContain(`${80 * share} of 80 loads of c8-d1 and 0 of 80 of ${BASELINE} were excluded`);
    }
  });

  it('hold none where the cause cannot depend on the load time, or both lost about as many', () => {
    const loads = equal(4);
    const verdictOf = (lost: (load: ComparableLoad) => boolean, lostTo: ComparableLoad['lostTo']) => {
      const left = loads.map((load): ComparableLoad => (lost(load) ? { ...load, valid: false, ...(lostTo && { lostTo }) } : load));
      return compareProfiles(left, { baseline: BASELINE, plannedBlocks: 20 }).profiles[1]?.versusBaseline.verdict;
    };
    const isThird = ({ block }: ComparableLoad) => block % 3 === 0;
    expect(verdictOf((load) => load.profileId === 'c8-d1' && isThird(load), 'unrelated')).not.toBe('no-verdict');
    expect(verdictOf(isThird, 'possibly-load-time')).not.toBe('no-verdict');
  });
});

describe('a page over a link without a load of the baseline', () => {
  it('is set aside and named, and the verdicts rest on the others, where the cause has nothing to do with load times', () => {
    const comparison = compare((load) => (isThere(BASELINE)(load) ? 'unrelated' : 'kept'));
    expect(comparison.setAside).toEqual([{ profileId: BASELINE, page: 'page-0', link: 'link-1' }]);
    const [, eight, two] = comparison.profiles.map(({ versusBaseline }) => versusBaseline);
    // Three scenarios of four, four blocks each.
    expect([eight?.verdict, eight?.pairs, two?.verdict]).toEqual(['better', 12, 'worse']);
    expect(eight?.reason).toContain('Without page-0 over link-1: no load of firefox-default counts there.');
    expect(comparison.recommendation).toMatchObject({ profileId: 'c8-d1', state: 'recommended' });
    expect(soundnessNotes(comparison)[0]).toBe(
      'page-0 over link-1 is set aside: no load of firefox-default counts there, for a cause that has nothing to do with load times.',
    );
  });

  it.each(['possibly-load-time', undefined] as const)('leaves no verdict where the cause is %s', (lostTo) => {
    const comparison = compare((load) => (isThere(BASELINE)(load) ? lostTo : 'kept'));
    expect(comparison.setAside).toBeUndefined();
    expect(comparison.profiles.slice(1).map(({ versusBaseline }) => versusBaseline.verdict)).toEqual(['no-verdict', 'no-verdict']);
  });

  it('is not set aside where a load counts, or one was lost to another cause', () => {
    expect(compare((load) => (isThere(BASELINE)(load) && load.block > 0 ? 'unrelated' : 'kept')).setAside).toBeUndefined();
    const mixed = compare((load) => (isThere(BASELINE)(load) ? (load.block > 0 ? 'unrelated' : 'possibly-load-time') : 'kept'));
    expect(mixed.setAside).toBeUndefined();
    expect(mixed.profiles[1]?.versusBaseline.verdict).toBe('no-verdict');
  });

  it('of a candidate is set aside for that one alone', () => {
    const comparison = compare((load) => (isThere('c8-d1')(load) ? 'unrelated' : 'kept'));
    expect(comparison.profiles.map(({ versusBaseline }) => versusBaseline.pairs)).toEqual([0, 12, 16]);
    expect(soundnessNotes(comparison)[0]).toContain('is set aside for c8-d1: ');
  });
});

describe('a void load of a report', () => {
  const load = sampleReport().loads.find(({ validity, profileId }) => validity.state === 'valid' && profileId === 'c8-d1') as MeasuredLoad;
  const [own] = comparableLoads([load]);

  it('is lost to a cause that has nothing to do with load times only where that is certain', () => {
    const lostTo = (validity: MeasuredLoad['validity']) => comparableLoads([{ ...load, validity }])[0]?.lostTo;
    expect(lostTo(voided({ cause: 'lane-broke', why: 'Firefox ended' }))).toBe('unrelated');
    expect(lostTo(voided({ cause: 'requests-missing', seen: 3, wanted: 4, of: 'page' }))).toBe('possibly-load-time');
    expect(lostTo({ state: 'void', reason: 'of an older report' })).toBe('possibly-load-time');
    expect(own?.lostTo).toBeUndefined();
  });

  it('that ran out of time enters at its bound', () => {
    const late = comparableLoads([load, { ...load, validity: voided({ cause: 'time-limit', afterMs: 60_000 }) }])[1];
    expect(late).toMatchObject({ valid: true, loadTimeMs: 60_000, atBound: true });
    // The same ideal over a longer time.
    expect(late?.efficiency).toBeCloseTo(((own?.efficiency ?? 0) * (own?.loadTimeMs ?? 0)) / 60_000, 10);
    const failed = voided({ cause: 'request-failed', error: 'NS_ERROR_NET_TIMEOUT', what: 'image', afterMs: 44_454 });
    expect(comparableLoads([{ ...load, validity: failed }])[0]).toMatchObject({ valid: true, loadTimeMs: 44_454, atBound: true });
  });
});
