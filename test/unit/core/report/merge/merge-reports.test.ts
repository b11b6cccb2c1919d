import { describe, expect, it } from 'vitest';
import { PlumbfoxError } from '../../../../../src/core/errors.ts';
import { mergeReports } from '../../../../../src/core/report/merge/merge-reports.ts';
import type { Report, ReportLink, ReportProfile } from '../../../../../src/core/report/report.ts';
import { parseReport } from '../../../../../src/protocol/parse-report.ts';
import { sampleReport } from '../../../../golden/sample-report.ts';

const A = sampleReport();
/** A second run, a day later. */
const B = later(sampleReport({ seed: 12 }));

function later(report: Report, days = 1): Report {
  const loads = report.loads.map((load) => ({ ...load, startedAt: load.startedAt + days * 86_400_000 }));
  return { ...report, loads, createdAt: '2026-01-02T00:20:00.000Z' };
}

const withLink = (report: Report, name: string, change: Partial<ReportLink>): Report => ({
  ...report,
  links: report.links.map((link) => (link.name === name ? { ...link, ...change } : link)),
});

const withProfile = (report: Report, id: string, change: Partial<ReportProfile>): Report => ({
  ...report,
  profiles: report.profiles.map((profile) => (profile.id === id ? { ...profile, ...change } : profile)),
});

const only = (report: Report, ids: readonly string[]): Report => ({
  ...report,
  profiles: report.profiles.filter(({ id }) => ids.includes(id)),
  loads: report.loads.filter(({ profileId }) => ids.includes(profileId)),
});

const loadsOf = (report: Report, id: string) => report.comparison.profiles.find((profile) => profile.id === id)?.loads;
const SLOWER = { asked: { rttMs: 400, downKbps: 2000, upKbps: 384, queue: 100 } };

describe('merged reports', () => {
  const merged = mergeReports([A, B]);

  it('have the loads of both, and a comparison computed from them', () => {
    expect(merged.loads).toHaveLength(A.loads.length + B.loads.length);
    expect(loadsOf(merged, 'firefox-default')).toBe(24);
    expect(merged.comparison.profiles.find(({ id }) => id === 'c1-d2')?.versusBaseline.pairs).toBe(24);
    expect(merged.createdAt).toBe(B.createdAt);
  });

  it('number the blocks and the order on, so that no load is paired with one of the other report', () => {
    // 3 blocks of 4 scenarios with 5 profiles in each.
    const blocks = (loads: Report['loads']) => [...new Set(loads.map(({ block }) => block))];
    expect(blocks(merged.loads.slice(0, 60))).toEqual([0, 1, 2]);
    expect(blocks(merged.loads.slice(60))).toEqual([3, 4, 5]);
    expect(merged.loads.map(({ order }) => order)).toEqual(Array.from({ length: 120 }, (_, at) => at));
  });

  it('pair nothing where one has the baseline’s loads and the other the profile’s', () => {
    const baselineOnly = { ...A, loads: A.loads.filter(({ profileId }) => profileId === 'firefox-default') };
    const profileOnly = { ...B, loads: B.loads.filter(({ profileId }) => profileId === 'c4-d6') };
    const versus = mergeReports([baselineOnly, profileOnly]).comparison.profiles.find(({ id }) => id === 'c4-d6')?.versusBaseline;
    expect(versus).toMatchObject({ pairs: 0, ratio: undefined });
  });

  it('are a report that can be written and read', () => {
    expect(parseReport(JSON.parse(JSON.stringify(merged)))).toEqual(JSON.parse(JSON.stringify(merged)));
  });

  it('take a link that does not name its congestion control for one that names the run’s', () => {
    const sentWith = (report: Report, usual: string, asked: object): Report => ({
      ...withLink(report, 'slow', { asked: { rttMs: 300, downKbps: 2000, ...asked } }),
      provenance: { ...report.provenance, congestionControl: usual },
    });
    const both = mergeReports([sentWith(A, 'reno', {}), sentWith(B, 'reno', { congestionControl: 'reno' })]);
    // The relay has no senders of its own.
    expect(both.links.map(({ name, asked }) => [name, asked?.congestionControl])).toEqual([
      ['slow', 'reno'],
      ['dsl', undefined],
    ]);
    expect(both.links).toHaveLength(A.links.length);
    expect(() => mergeReports([sentWith(A, 'reno', {}), sentWith(B, 'cubic', { congestionControl: 'cubic' })])).toThrow(/--mixed-links/);
    // Which of several a link has is not known.
    expect(mergeReports([sentWith(A, 'reno, cubic', {}), sentWith(B, 'reno, cubic', {})]).links[0]?.asked).not.toHaveProperty(
      'congestionControl',
    );
  });

  it('say that weather was drawn by block where that holds for every report with any', () => {
    const lossy = { asked: { rttMs: 300, downKbps: 2000, lossDown: 0.01 } };
    const weathered = (report: Report, weather: 'by-block' | undefined): Report => ({
      ...withLink(report, 'slow', lossy),
      provenance: { ...report.provenance, ...(weather && { weather }) },
    });
    const weatherOf = (...reports: readonly Report[]) => mergeReports(reports, { mixedLinks: true }).provenance.weather;
    expect(weatherOf(weathered(A, 'by-block'), weathered(B, 'by-block'))).toBe('by-block');
    // The second has nothing for chance to decide.
    expect(weatherOf(weathered(A, 'by-block'), B)).toBe('by-block');
    expect(weatherOf(A, B)).toBeUndefined();
    const mixed = mergeReports([weathered(A, 'by-block'), weathered(B, undefined)]).provenance;
    expect(mixed.weather).toBeUndefined();
    expect(mixed.notes).toContainEqual(expect.stringContaining('The reports differ in: how losses, jitter and traces were drawn.'));
  });

  it('say what each has of its own', () => {
    const other = { ...B, provenance: { ...B.provenance, firefox: { version: '140.2.0' }, notes: ['Only of the second.'] } };
    const { provenance } = mergeReports([A, other]);
    expect(provenance.firefox).toBeUndefined();
    expect(provenance).toMatchObject({
      plumbfox: '0.1.0',
      os: 'Debian GNU/Linux 12, x86-64',
      node: '20.20.2',
      seed: 11,
      congestionControl: 'bbr',
    });
    expect(provenance.notes).toEqual([
      'Merged from 2 reports. Only loads of one report are paired with each other.',
      'Report 1: made 2026-01-01T00:20:00.000Z by Plumbfox 0.1.0, seed 11, 60 loads, Firefox 153.7.0, Debian GNU/Linux 12, x86-64.',
      'Report 2: made 2026-01-02T00:20:00.000Z by Plumbfox 0.1.0, seed 12, 60 loads, Firefox 140.2.0, Debian GNU/Linux 12, x86-64.',
      'The reports differ in: major version of Firefox. Loads that are paired never do, but what a profile gains may depend on it.',
      'Figures made up for this example.',
      'Only of the second.',
    ]);
  });

  it('take versions of Firefox for the same that differ after the first dot only', () => {
    const other = { ...B, provenance: { ...B.provenance, firefox: { version: '153.8.1' } } };
    expect(mergeReports([A, other]).provenance.notes.join(' ')).not.toContain('differ');
  });

  it('have the profiles of all, baseline first and control last', () => {
    const fewer = only(A, ['firefox-default', 'c4-d6', 'c6-d1-gateway']);
    const others = only(B, ['c8-d1', 'firefox-default']);
    expect(mergeReports([fewer, others]).profiles.map(({ id }) => id)).toEqual(['firefox-default', 'c4-d6', 'c8-d1', 'c6-d1-gateway']);
  });

  it('are the same merged at once or step by step', () => {
    const third = later(sampleReport({ seed: 13 }), 2);
    const [once, stepwise] = [mergeReports([A, B, third]), mergeReports([mergeReports([A, B]), third])];
    expect(stepwise.loads).toEqual(once.loads);
    expect(stepwise.comparison).toEqual(once.comparison);
  });

  it('keep the version of their measures', () => {
    const older = (report: Report) => ({ ...report, metricVersion: 7 });
    expect(mergeReports([older(A), older(B)]).metricVersion).toBe(7);
  });
});

describe('a single report', () => {
  it('stays as it is', () => {
    expect(mergeReports([A])).toEqual(A);
  });

  it('is compared with another baseline where one is named; the control, which shows nothing against that, is left out', () => {
    const turned = mergeReports([A], { baseline: 'c8-d1' });
    expect(turned.profiles.map(({ id, role }) => `${id} ${role}`)).toEqual([
      'c8-d1 baseline',
      'firefox-default candidate',
      'c1-d2 candidate',
      'c4-d6 candidate',
    ]);
    expect(turned.comparison).toMatchObject({ baseline: 'c8-d1', control: undefined });
    expect(turned.loads.some(({ profileId }) => profileId === 'c6-d1-gateway')).toBe(false);
    expect(turned.provenance.notes[0]).toMatch(/^Excluded: c6-d1-gateway\. Against c8-d1 it does not show/);
  });

  it('keeps its control when its own baseline is named', () => {
    expect(mergeReports([A], { baseline: 'firefox-default' })).toEqual(A);
  });
});

describe('links', () => {
  it('of one name with other figures are kept apart when that is asked for', () => {
    const { links, loads, comparison, provenance } = mergeReports([A, withLink(B, 'slow', SLOWER)], { mixedLinks: true });
    expect(links.map(({ name, asked }) => [name, asked?.rttMs])).toEqual([
      ['slow', 300],
      ['dsl', 50],
      ['slow (2)', 400],
    ]);
    expect(new Set(loads.slice(60).map(({ link }) => link))).toEqual(new Set(['slow (2)', 'dsl']));
    // wiki and images over three links.
    expect(comparison.scenarios).toHaveLength(6);
    expect(provenance.notes).toContain('slow of report 2 is another link: here it is called slow (2).');
  });

  it.each(['rttMs', 'downKbps', 'upKbps', 'queue'] as const)('are not the same when %s is not', (figure) => {
    const asked = { rttMs: 300, downKbps: 2000, upKbps: 384, queue: 100 };
    expect(mergeReports([A, withLink(B, 'slow', { asked })]).links).toHaveLength(2);
    expect(() => mergeReports([A, withLink(B, 'slow', { asked: { ...asked, [figure]: 250 } })])).toThrow(/^Link slow is /);
  });

  it('of two names are two, whatever their figures', () => {
    const named = withLink(B, 'slow', { name: 'dial-up' });
    const { links } = mergeReports(
      [A, { ...named, loads: B.loads.map((load) => (load.link === 'slow' ? { ...load, link: 'dial-up' } : load)) }],
      {
        mixedLinks: true,
      },
    );
    expect(links.map(({ name }) => name)).toEqual(['slow', 'dsl', 'dial-up']);
  });

  it('of a third report join those they are the same as', () => {
    const changed = withLink(B, 'slow', SLOWER);
    const third = later(changed, 2);
    const { links, loads } = mergeReports([A, changed, third], { mixedLinks: true });
    expect(links.map(({ name }) => name)).toEqual(['slow', 'dsl', 'slow (2)']);
    expect(loads.filter(({ link }) => link === 'slow (2)')).toHaveLength(60);
  });

  it('that another report does not have are mixed only when that is asked for', () => {
    const dslOnly = { ...B, links: B.links.filter(({ name }) => name === 'dsl'), loads: B.loads.filter(({ link }) => link === 'dsl') };
    const packetFree = { ...dslOnly, links: dslOnly.links.map((link) => ({ ...link, kind: 'packet' as const })) };
    const slowOnly = { ...A, links: A.links.filter(({ name }) => name === 'slow'), loads: A.loads.filter(({ link }) => link === 'slow') };
    expect(() => mergeReports([slowOnly, packetFree])).toThrow(/The links of report 1 are slow, those of report 2 dsl: .*--mixed-links/);
    expect(mergeReports([slowOnly, packetFree], { mixedLinks: true }).links.map(({ name }) => name)).toEqual(['slow', 'dsl']);
  });

  it('of the real network are the same when their estimates are within a factor of two', () => {
    const real = (report: Report, rttMs: number): Report => ({
      ...report,
      links: [{ name: 'real-network', kind: 'real', basis: 'estimated', measured: { rttMs, downKbps: 9000 } }],
      loads: report.loads.map((load) => ({ ...load, link: 'real-network' })),
    });
    expect(mergeReports([real(A, 20), real(B, 39)]).links).toHaveLength(1);
    expect(() => mergeReports([real(A, 20), real(B, 41)])).toThrow(
      /Link real-network is RTT 20 ms, 9000 kbit\/s down \(real\) in report 1/,
    );
    expect(mergeReports([real(A, 20), real(B, 41)], { mixedLinks: true }).links.map(({ name }) => name)).toEqual([
      'real-network',
      'real-network (2)',
    ]);
  });
});

describe('what cannot be merged', () => {
  const refused: Readonly<
    Record<string, { readonly reports: readonly Report[]; readonly says: string | RegExp; readonly baseline?: string }>
  > = {
    nothing: { reports: [], says: 'There is no report to compare: name at least one' },
    'the same report twice': {
      reports: [A, A],
      says: 'a.json and b.json hold the same loads (60 loads): each load counts once: omit one of them',
    },
    'a report and one that holds it': {
      reports: [A, mergeReports([B, A])],
      says: 'a.json and b.json hold the same loads (60 loads): each load counts once: omit one of them',
    },
    'measures of different versions': {
      reports: [A, { ...B, metricVersion: 3 }],
      says: 'a.json has measures version 2, b.json version 3: figures of different versions cannot be compared',
    },
    'packets and the relay': {
      reports: [withLink(A, 'dsl', { kind: 'packet' }), withLink(B, 'slow', { kind: 'relay' })],
      says: 'The links of a.json are of kind packet, those of b.json relay: compare them separately',
    },
    'a link with other figures': {
      reports: [A, withLink(B, 'slow', SLOWER)],
      says: /^Link slow is RTT 300 ms, 2000 kbit\/s down, 384 up, queue 100, sent with BBR \(packet\) in a\.json and RTT 400 ms, .* in b\.json: .*--mixed-links/,
    },
    'different baselines': {
      reports: [A, mergeReports([B], { baseline: 'c8-d1' })],
      says: 'a.json compares with firefox-default, b.json with c8-d1: name one baseline for all (--baseline)',
    },
    'a baseline that one does not have': {
      reports: [A, only(B, ['firefox-default', 'c4-d6'])],
      baseline: 'c8-d1',
      says: 'b.json has no profile c8-d1 to compare with. Its profiles: firefox-default, c4-d6',
    },
    'a profile with other preferences': {
      reports: [A, withProfile(B, 'c4-d6', { intended: {} })],
      says: 'c4-d6 is not the same profile in a.json and b.json: network.http.max-persistent-connections-per-server is 4 and not set',
    },
    'a profile of another depth': {
      reports: [A, withProfile(B, 'c4-d6', { depth: 8 })],
      says: 'c4-d6 is not the same profile in a.json and b.json: depth 6 and 8',
    },
    'a profile with another carrier': {
      reports: [A, withProfile(B, 'c4-d6', { carrier: 'http2' })],
      says: 'c4-d6 is not the same profile in a.json and b.json: depth by gateway and by http2',
    },
    'a profile that is the control in one of them': {
      reports: [A, withProfile(B, 'c6-d1-gateway', { role: 'candidate' })],
      says: 'c6-d1-gateway is not the same profile in a.json and b.json: the control in one of them only',
    },
    'a page of another make': {
      reports: [A, { ...B, pages: B.pages.map((page) => ({ ...page, requests: 40 })) }],
      says: 'Page wiki has 45 requests in a.json and 40 in b.json: it is not the same page',
    },
  };

  it.each(Object.entries(refused))('%s', (_what, { reports, says, baseline }) => {
    const merge = () => mergeReports(reports, { names: ['a.json', 'b.json'], baseline });
    expect(merge).toThrow(PlumbfoxError);
    expect(merge).toThrow(says);
    expect(merge).toThrow(expect.objectContaining({ kind: 'bad-input' }));
  });
});
