import { describe, expect, it } from 'vitest';
import { comparisonOf } from '../../../../src/core/compare/by-protocol.ts';
import { compareProfiles } from '../../../../src/core/compare/compare-profiles.ts';
import type { ComparableLoad, Comparison, LoadProtocol, Recommendation } from '../../../../src/core/compare/comparison.ts';
import { buildReport } from '../../../../src/core/report/build-report.ts';
import { reportHtml } from '../../../../src/core/report/html/report-html.ts';
import { reportTable } from '../../../../src/core/report/report-table.ts';
import { recommendationLines, soundnessNotes } from '../../../../src/core/report/shown-comparison.ts';
import { PROTOCOL_LABELS } from '../../../../src/core/text/labels.ts';
import { ratio } from '../../../../src/core/units.ts';
import { parseReport } from '../../../../src/protocol/parse-report.ts';
import { sampleReport } from '../../../golden/sample-report.ts';
import { BASELINE, baseline, direct, gaussian, simulate } from './simulated-run.ts';

/** Loads over one protocol with hardly any noise, on pages of their own. */
function over(protocol: LoadProtocol | undefined, eight: number, four = 0.4): readonly ComparableLoad[] {
  const profiles = [baseline(0.5), direct(8, eight), direct(4, four)];
  const noise = (random: Parameters<typeof gaussian>[0]) => 0.005 * gaussian(random);
  return simulate({ profiles, blocks: 4, seed: 3, noise }).map((load) => ({ ...load, protocol, page: `${protocol}-${load.page}` }));
}

const compare = (...loads: readonly (readonly ComparableLoad[])[]): Comparison =>
  compareProfiles(loads.flat(), { baseline: BASELINE, profiles: [baseline(), direct(8, 0.5), direct(4, 0.5)] });

const verdictsOf = (profiles: Comparison['profiles']) => profiles.map(({ versusBaseline }) => versusBaseline.verdict);

describe('loads of several protocols', () => {
  it('are never pooled: 8 connections 20 % faster over one and 20 % slower over the other are not "no difference"', () => {
    const { profiles, protocols, recommendation } = compare(over('http/1.1', 0.6), over('http/2', 0.4));
    expect(protocols?.map((own) => [own.protocol, ...verdictsOf(own.profiles)])).toEqual([
      ['http/1.1', 'baseline', 'better', 'worse'],
      ['http/2', 'baseline', 'worse', 'worse'],
    ]);
    expect(protocols?.[0]?.profiles[1]?.versusBaseline.ratio).toBeCloseTo(1.2, 1);
    expect(protocols?.[1]?.profiles[1]?.versusBaseline.ratio).toBeCloseTo(0.8, 1);
    expect(verdictsOf(profiles)).toEqual(['baseline', 'no-verdict', 'no-verdict']);
    expect(profiles[1]?.versusBaseline).toMatchObject({ ratio: undefined, reason: 'No verdict over several protocols: each has its own.' });
    expect(recommendation).toMatchObject({ profileId: null, state: 'none', settingsAlone: { profileId: null, state: 'none' } });
    expect(protocols?.map((own) => own.recommendation.profileId)).toEqual(['c8-d1', BASELINE]);
  });

  it('recommend for all what each recommends', () => {
    const { recommendation } = compare(over('http/1.1', 0.6), over('http/2', 0.56));
    expect(recommendation).toMatchObject({ profileId: 'c8-d1', state: 'recommended', settingsAlone: { profileId: 'c8-d1' } });
    expect(recommendation.sentence).toMatch(/^HTTP\/1\.1: 8 connections .*\+20 % .* HTTP\/2: 8 connections .*\+12 % /);
  });

  it('share the chance of an error: two protocols with two intervals each have four', () => {
    const { method, protocols } = compare(over('http/1.1', 0.6), over('http/3', 0.6));
    expect(method).toMatchObject({ alpha: 0.05, intervals: 4 });
    expect(protocols?.map((own) => own.method)).toMatchObject([
      { alpha: 0.025, intervals: 2 },
      { alpha: 0.025, intervals: 2 },
    ]);
  });

  it('take no share of that chance where none of them can be used', () => {
    const lost = over('http/3', 0.6).map((load) => ({ ...load, valid: false, efficiency: undefined }));
    const { method, protocols } = compare(over('http/1.1', 0.6), over('http/2', 0.6), lost);
    expect(method.intervals).toBe(4);
    expect(protocols?.slice(0, 2).map((own) => own.method.alpha)).toEqual([0.025, 0.025]);
    expect(protocols?.[2]).toMatchObject({ protocol: 'http/3', profiles: [{ loads: 0 }, { loads: 0 }, { loads: 0 }] });
  });

  it('take no share of it where they are of one profile alone: nothing is compared there', () => {
    const alone = over('http/3', 0.6).filter(({ profileId }) => profileId === BASELINE);
    const { method, protocols } = compare(over('http/1.1', 0.6), alone);
    expect(method.intervals).toBe(2);
    expect(protocols?.[0]?.method.alpha).toBe(0.05);
  });

  it('say of which protocol it is that there is no verdict', () => {
    const lost = over('http/3', 0.6).map((load) => ({ ...load, valid: false, efficiency: undefined }));
    const table = reportTable(compare(over('http/2', 0.6), lost), { width: 200 });
    expect(table).toContain('\nHTTP/3: No verdict: 16 of the 16 loads of c8-d1 were excluded or have no efficiency.\n');
    expect(table).not.toContain('\nNo verdict');
  });

  it('show no profile over a protocol that it was never loaded over, as in reports that were merged', () => {
    const control = { id: 'control', carrier: 'gateway', role: 'control', connections: 6, depth: 1 } as const;
    const merged = compareProfiles([...over('http/1.1', 0.6), ...over('http/2', 0.6).filter(({ profileId }) => profileId !== 'c4-d1')], {
      baseline: BASELINE,
      profiles: [baseline(), direct(8, 0.5), direct(4, 0.5), control],
    });
    const [first, second] = (merged.protocols ?? []).map((own) => comparisonOf(merged, own));
    expect(first?.profiles.map(({ id }) => id)).toEqual([BASELINE, 'c8-d1', 'c4-d1']);
    expect(second?.profiles.map(({ id }) => id)).toEqual([BASELINE, 'c8-d1']);
    const table = reportTable(merged, { width: 160 });
    expect(table.match(/^c4-d1 /gm)).toHaveLength(2);
    expect(table).not.toContain("gateway's own cost");
  });

  it('are named apart where some are of unknown and some of several versions', () => {
    const comparison = compare(over('mixed', 0.6), over('http/2', 0.6), over(undefined, 0.6));
    expect(comparison.protocols?.map(({ protocol }) => protocol)).toEqual(['mixed', 'http/2', 'unknown']);
    const table = reportTable(comparison, { width: 160 });
    expect(table.match(/^(Several HTTP versions|HTTP version not known|HTTP\/2)$/gm)).toEqual([
      'Several HTTP versions',
      'HTTP/2',
      'HTTP version not known',
    ]);
  });

  it('have their own gain that could be found', () => {
    const notes = soundnessNotes(compare(over('http/1.1', 0.6), over('http/2', 0.4)));
    expect(notes).toEqual([
      expect.stringMatching(/^HTTP\/1\.1: This run could detect gains over firefox-default of about .* % or more/),
      expect.stringMatching(/^HTTP\/2: This run could detect gains over firefox-default of about .* % or more/),
    ]);
  });

  it('say of a link that loads were faster than its figures allow', () => {
    const [plainly, traced] = [
      over('http/2', 0.6),
      over('http/2', 0.6).map((load) => ({ ...load, link: 'traced', efficiency: 2 * (load.efficiency ?? 0) })),
    ];
    expect(soundnessNotes(compare(plainly)).join()).not.toContain('are wrong');
    expect(soundnessNotes(compare(plainly, traced))[0]).toMatch(
      /^The figures of link traced are wrong: loads were up to 1\.\d\d times as fast as they allow\./,
    );
  });

  it('are one comparison where only one is known', () => {
    expect(compare(over('http/2', 0.6)).protocols).toBeUndefined();
    expect(compare(over(undefined, 0.6)).protocols).toBeUndefined();
    expect(compare(over('http/2', 0.6), over(undefined, 0.6)).protocols).toBeUndefined();
  });
});

describe('a report of pages served over different protocols', () => {
  const sample = sampleReport();
  const loads = sample.loads.map((load) =>
    load.page === 'images' && load.measures ? { ...load, measures: { ...load.measures, httpVersions: { 'http/2': ratio(1) } } } : load,
  );
  const report = buildReport({ ...sample, loads, baseline: BASELINE });

  it('has verdicts for each, and says so wherever it is shown', () => {
    expect(report.comparison.protocols?.map(({ protocol, pages }) => [protocol, pages])).toEqual(
      expect.arrayContaining([
        ['http/1.1', ['wiki']],
        ['http/2', ['images']],
      ]),
    );
    const lines = recommendationLines(report.comparison);
    expect(lines.map((line) => line.slice(0, 10)).sort()).toEqual(['HTTP/1.1: ', 'HTTP/1.1: ', 'HTTP/2: By', 'HTTP/2: Fo']);
    const table = reportTable(report.comparison, { width: 160 });
    expect(table.match(/^HTTP\/[12](\.1)?$/gm)).toHaveLength(2);
    expect(reportHtml(report)).toContain('<h2>HTTP/2</h2>');
  });

  const ofState = (recommendation: Recommendation, state: Recommendation['state']): Recommendation => {
    const profileId = state === 'recommended' ? 'c8-d1' : null;
    return { ...recommendation, state, profileId, settingsAlone: { state, profileId, sentence: recommendation.sentence } };
  };

  it('heads its HTML with what a protocol recommends, though another leaves it open', () => {
    const headOf = (...states: readonly Recommendation['state'][]) => {
      const protocols = report.comparison.protocols?.map((own, at) => ({
        ...own,
        recommendation: ofState(own.recommendation, states[at] ?? own.recommendation.state),
      }));
      const page = reportHtml({ ...report, comparison: { ...report.comparison, ...(protocols && { protocols }) } });
      return /class="answer is-([\w-]+)"><p class="state">([^<]*)<\/p>\s*<h2 class="headline">([^<]*)</.exec(page)?.slice(1);
    };
    const [first = '', second = ''] = (report.comparison.protocols ?? []).map(({ protocol }) => PROTOCOL_LABELS[protocol]);
    const [tone, label, headline] = headOf('recommended', 'need-more-loads') ?? [];
    expect([tone, label]).toEqual(['good', `Recommended over ${first}`]);
    expect(headline).toMatch(new RegExp(`faster here over ${first}\\.$`));
    expect(headOf('recommended', 'recommended')?.slice(0, 2)).toEqual(['good', 'Recommended']);
    const open = `Not decided yet over ${second}`;
    expect(headOf('keep-baseline', 'need-more-loads')).toEqual(['plain', open, `Not enough data yet over ${second}.`]);
    const kept = 'Firefox&#39;s own settings are right here';
    expect(headOf('keep-baseline', 'keep-baseline')).toEqual(['good', 'Keep your settings', `${kept}.`]);
    expect(headOf('keep-baseline', 'none')).toEqual(['good', `Keep your settings over ${first}`, `${kept} over ${first}.`]);
    expect(headOf('none', 'none')).toEqual(['plain', 'No recommendation', 'No recommendation.']);
  });

  it('is read again as it was written', () => {
    expect(parseReport(JSON.parse(JSON.stringify(report))).comparison).toEqual(report.comparison);
  });
});
