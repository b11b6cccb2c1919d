/** What a missing load of the baseline does to the others: nothing, where its cause cannot depend on how long it took. */
import { describe, expect, it } from 'vitest';
import { compareProfiles } from '../../../../src/core/compare/compare-profiles.ts';
import type { ComparableLoad, Comparison } from '../../../../src/core/compare/comparison.ts';
import { comparableLoads } from '../../../../src/core/report/comparable-loads.ts';
import { voidLoadTable } from '../../../../src/core/report/html/tables.ts';
import type { MeasuredLoad } from '../../../../src/core/report/report.ts';
import { soundnessNotes } from '../../../../src/core/report/shown-comparison.ts';
import { voided } from '../../../../src/core/report/validity.ts';
import { markupText } from '../../../../src/core/text/markup.ts';
import { sampleReport } from '../../../golden/sample-report.ts';
import { BASELINE, baseline, control, direct, gateway, gaussian, simulate } from './simulated-run.ts';

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

  it('hold every verdict where they took no time, or came whole from a cache', () => {
    const loads = equal(4);
    const lost = slowest(loads, 0.2);
    const left = loads.map((load): ComparableLoad => (lost.has(load) ? { ...load, efficiency: undefined, loadTimeMs: undefined } : load));
    expect(compareProfiles(left, { baseline: BASELINE, plannedBlocks: 20 }).profiles[1]?.versusBaseline).toMatchObject({
      verdict: 'no-verdict',
      reason: `No verdict: 16 of 80 loads of c8-d1 and 0 of 80 of ${BASELINE} were excluded for reasons that may depend on how long a load takes.`,
    });
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

describe('a few loads lost in a short run', () => {
  /** 3 blocks of 4 pages over links. */
  const short = simulate({ profiles: [baseline(), direct(8, 0.5)], blocks: 3, seed: 4 });
  const heldWith = (lost: number): boolean => {
    let left = lost;
    const loads = short.map((load): ComparableLoad => (load.profileId === 'c8-d1' && left-- > 0 ? { ...load, valid: false } : load));
    return compareProfiles(loads, { baseline: BASELINE, plannedBlocks: 3 }).profiles[1]?.versusBaseline.verdict === 'no-verdict';
  };

  it('hold no verdict up to two, which chance alone makes of a twentieth in 13 of 100 runs', () => {
    expect([1, 2, 3].map(heldWith)).toEqual([false, false, true]);
  });
});

describe('unequal losses where the gateway is compared with its control', () => {
  /** 20 blocks of 4 pages over links; the gateway itself gains 20 %, and the profile 10 % more. */
  const PROFILES_WITH_CONTROL = [baseline(), gateway({ connections: 4, depth: 6, efficiency: 0.66 }), direct(8, 0.5), control(0.6)];
  const whole = simulate({ profiles: PROFILES_WITH_CONTROL, blocks: 20, seed: 7 });
  /** The first so many loads of each profile named are lost to a cause that may depend on how long they took. */
  const losing = (counts: Readonly<Record<string, number>>) => {
    const left = { ...counts };
    const loads = whole.map((load): ComparableLoad => {
      const more = left[load.profileId] ?? 0;
      if (more === 0) return load;
      left[load.profileId] = more - 1;
      return { ...load, valid: false, lostTo: 'possibly-load-time' };
    });
    return compareProfiles(loads, { baseline: BASELINE, profiles: PROFILES_WITH_CONTROL });
  };
  const verdictOn = (id: string, { profiles }: ReturnType<typeof losing>) => profiles.find((profile) => profile.id === id)?.versusBaseline;

  it('hold none where all lost as many', () => {
    const comparison = losing({ [BASELINE]: 6, 'c4-d6': 6, 'c6-d1-gateway': 6 });
    expect(comparison.control?.used).toBe(true);
    expect(verdictOn('c4-d6', comparison)?.verdict).toBe('better');
    expect(comparison.recommendation.profileId).toBe('c4-d6');
  });

  it('hold the gain against the baseline itself, where it is the one that lost a different number', () => {
    // 6 of 80 against 0 of 80 is unequal (p = 0.03); 6 against 3 and 3 against 0 are not.
    const comparison = losing({ 'c4-d6': 6, 'c6-d1-gateway': 3 });
    expect(comparison.control?.used).toBe(true);
    expect(verdictOn('c4-d6', comparison)).toMatchObject({
      verdict: 'no-verdict',
      reason: `No verdict: 6 of 80 loads of c4-d6 and 0 of 80 of ${BASELINE} were excluded for reasons that may depend on how long a load takes.`,
    });
    expect(comparison.recommendation.profileId).not.toBe('c4-d6');
  });

  it("hold the gateway's own cost, and with it every profile that needs the gateway", () => {
    const comparison = losing({ 'c4-d6': 16, 'c6-d1-gateway': 16 });
    expect(comparison.control).toMatchObject({ used: false });
    expect(comparison.control?.sentence).toContain(
      `The gateway's own cost is not known: 16 of 80 loads of c6-d1-gateway and 0 of 80 of ${BASELINE} were excluded`,
    );
    expect(verdictOn('c4-d6', comparison)?.verdict).toBe('no-verdict');
    expect(verdictOn('c8-d1', comparison)?.verdict).toBe('no-meaningful-difference');
  });

  it('hold what one candidate gains over another, so that the cheaper one stays', () => {
    const pair = [baseline(), direct(4, 0.6), direct(8, 0.66)];
    const run = simulate({ profiles: pair, blocks: 20, seed: 7 });
    const recommended = (lost: Readonly<Record<string, number>>) => {
      const left = { ...lost };
      const loads = run.map((load): ComparableLoad => {
        const more = left[load.profileId] ?? 0;
        left[load.profileId] = more - 1;
        return more > 0 ? { ...load, valid: false } : load;
      });
      return compareProfiles(loads, { baseline: BASELINE, profiles: pair }).recommendation.profileId;
    };
    expect(recommended({})).toBe('c8-d1');
    expect(recommended({ 'c8-d1': 6, [BASELINE]: 3 })).toBe('c4-d1');
  });
});

describe('a page over a link without a load of the baseline', () => {
  it('is set aside and named, and the verdicts rest on the others, where the cause has nothing to do with load times', () => {
    const comparison = compare((load) => (isThere(BASELINE)(load) ? 'unrelated' : 'kept'));
    expect(comparison.setAside).toEqual([{ profileId: BASELINE, page: 'page-0', link: 'link-1' }]);
    const [, eight, two] = comparison.profiles.map(({ versusBaseline }) => versusBaseline);
    // Three scenarios of four, four blocks each.
    expect([eight?.verdict, eight?.pairs, two?.verdict]).toEqual(['better', 12, 'worse']);
    expect(eight?.reason).toContain('page-0 over link-1 excluded: no valid load of firefox-default there.');
    expect(comparison.recommendation).toMatchObject({ profileId: 'c8-d1', state: 'recommended' });
    expect(soundnessNotes(comparison)[0]).toBe(
      'page-0 over link-1 is excluded: no load of firefox-default counts there, for a cause that has nothing to do with load times.',
    );
  });

  describe('that is set aside', () => {
    // Twice as slow for all: in one mean and not in the other, that alone would make 19 % of four pages over links.
    const slow = LOADS.map((load) =>
      isThere(load.profileId)(load) ? { ...load, loadTimeMs: 2 * (load.loadTimeMs ?? 0), efficiency: (load.efficiency ?? 0) / 2 } : load,
    );
    const without = (isLost: (load: ComparableLoad) => boolean): Comparison => {
      const loads = slow.map((load): ComparableLoad => (isLost(load) ? { ...load, valid: false, lostTo: 'unrelated' } : load));
      return compareProfiles(loads, { baseline: BASELINE, profiles: PROFILES });
    };
    const gainInSentence = ({ recommendation: { sentence } }: Comparison) => {
      const [, own, of] = /, ([\d.]+) s instead of ([\d.]+) s\./.exec(sentence) ?? [];
      return Number(of) / Number(own);
    };

    it('is in the figures of no profile, as the baseline has none to hold beside it', () => {
      const comparison = without(isThere(BASELINE));
      const [base, eight] = comparison.profiles;
      expect((eight?.efficiency.estimate ?? 0) / (base?.efficiency.estimate ?? 0)).toBeCloseTo(1.2, 1);
      expect((base?.loadTimeMs.median ?? 0) / (eight?.loadTimeMs.median ?? 0)).toBeCloseTo(1.2, 1);
      expect(gainInSentence(comparison)).toBeCloseTo(1.2, 1);
    });

    it('for the candidate alone is in no figure of the sentence, nor is a load without its pair', () => {
      expect(gainInSentence(without(isThere('c8-d1')))).toBeCloseTo(1.2, 1);
      expect(gainInSentence(without((load) => isThere('c8-d1')(load) && load.block > 0))).toBeCloseTo(1.2, 1);
    });
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
    expect(soundnessNotes(comparison)[0]).toContain('is excluded for c8-d1: ');
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

  it('is listed by the report among those that count at their bound, or among those that do not count', () => {
    const late: MeasuredLoad = { ...load, validity: voided({ cause: 'time-limit', afterMs: 60_000 }) };
    const left: MeasuredLoad = { ...load, ...(load.measures && { measures: { ...load.measures, cutShort: 'page-left' } }) };
    const table = (one: MeasuredLoad) => String(markupText(voidLoadTable([one])));
    expect(table(late)).toContain('Loads that took too long');
    expect(table(late)).toContain('counts as 60.0 s');
    expect(table(late)).toContain('None: every load counts.');
    expect(table(left)).toContain('the page was left before it was finished');
    expect(table(left)).not.toContain('every load counts');
  });
});
