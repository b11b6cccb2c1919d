/** For the same everyday loads the popup's comparison and that of the exported report are one: same profiles, counts and figures, per protocol. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { compareField } from '../../../src/core/field/compare-field.ts';
import { fieldReport } from '../../../src/core/field/field-report.ts';
import { type LoadSummary, loadSummary } from '../../../src/core/field/load-summary.ts';
import { PER_SERVER } from '../../../src/core/profiles/catalogue.ts';
import type { MarkedPageLoad } from '../../../src/core/trial/trial-mark.ts';
import { milliseconds } from '../../../src/core/units.ts';
import { emptyChunk, figuresAt, setFigures } from '../../../src/protocol/figure-chunk.ts';
import { waterfall } from '../../fixtures/waterfall.ts';

const MINUTE = 60_000;

const anyLoad = fc.record({
  page: fc.integer({ min: 0, max: 2 }),
  profile: fc.constantFrom(undefined, 'firefox-default', 'c4-d6', 'c8-d1'),
  version: fc.constantFrom('h1', 'h2', 'h3', ''),
  rttMs: fc.constantFrom(20, 200),
  isSilent: fc.boolean(),
  slowMs: fc.integer({ min: 0, max: 3000 }),
  end: fc.constantFrom('quiet', 'quiet', 'quiet', 'time-limit', 'page-left', 'failed', 'no-event', 'no-timing', 'cached'),
  fate: fc.constantFrom('counts', 'counts', 'counts', 'mismatch', 'washout', 'unfit'),
});
type AnyLoad = typeof anyLoad extends fc.Arbitrary<infer T> ? T : never;

/** 100,000 bytes over one connection; a silent load shows neither round trip nor rate. */
function stored(one: AnyLoad, order: number): MarkedPageLoad {
  const { page, profile, version, rttMs, isSilent, slowMs, end, fate } = one;
  const at = (round: number, after = 0) => round * rttMs + after;
  const open = isSilent ? 'reused' : `connect=1-${at(1, 1)}`;
  const main =
    end === 'no-timing'
      ? `a.test/ main_frame ${version}`
      : end === 'cached'
        ? 'a.test/ main_frame fetch=0 end=30 bytes=0 cached'
        : `a.test/ main_frame fetch=0 ${open} send=${at(1, 1)} first=${at(2, 1)} end=${at(2, 2)} bytes=2000 ${version}${end === 'failed' ? ' failed' : ''}`;
  const rest =
    isSilent || end === 'cached'
      ? ''
      : `\n a.test/i image fetch=${at(2, 2)} reused send=${at(2, 2)} first=${at(3, 2)} end=${at(3, 790) + slowMs} bytes=98000 ${version}`;
  const ended = end === 'time-limit' || end === 'page-left' ? ` ended=${end}` : '';
  const made = waterfall(`load${end === 'no-event' ? '' : ' event=1000'}${ended}\n${main}${rest}`);
  const applied = {
    applied: {
      profileId: profile ?? 'c8-d1',
      applier: 'experiment-api',
      carrier: profile === 'c4-d6' ? 'gateway' : 'none',
      // As Plumbfox applies it: a profile that set nothing would be the baseline itself.
      intended: profile === 'firefox-default' ? {} : { [PER_SERVER]: profile === 'c4-d6' ? 4 : 8 },
      readBack: [],
      mismatches: fate === 'mismatch' ? ['network.http.max-connections'] : [],
    },
  } as const;
  const isPlaced = fate === 'washout' || fate === 'unfit';
  const mark = { trialId: 't', slot: 1, block: 0, profileId: profile ?? 'c8-d1', washout: fate === 'washout' };
  return {
    ...made,
    id: `load-${order}`,
    url: `http://a.test/${page}`,
    startedAt: milliseconds(order * MINUTE),
    ...((profile !== undefined || fate === 'mismatch') && applied),
    ...(isPlaced && { trial: { mark, ...(fate === 'unfit' && { void: 'not fit' }) } }),
  } as unknown as MarkedPageLoad;
}

/** As the popup has them: through the store's table of numbers. */
function throughStore(loads: readonly MarkedPageLoad[]): readonly LoadSummary[] {
  const chunk = emptyChunk(1);
  for (const [row, load] of loads.entries()) setFigures(chunk, row, loadSummary(load));
  return loads.map((_, row) => figuresAt(chunk, row) as LoadSummary);
}

const reported = (loads: readonly MarkedPageLoad[]) =>
  fieldReport({
    loads,
    figures: throughStore(loads),
    names: [],
    total: loads.length,
    provenance: { plumbfox: '0', firefox: { version: '153.0', buildId: '1' }, os: 'linux' },
    createdAt: '2026-01-01T00:00:00.000Z',
  });

it('holds the same loads by the same rule in the popup and in the exported report', () => {
  let apart = 0;
  let atBound = 0;
  fc.assert(
    fc.property(fc.array(anyLoad, { minLength: 1, maxLength: 80 }), (all) => {
      const loads = all.map(stored);
      const shown = compareField(throughStore(loads)).comparison;
      const { comparison } = reported(loads);
      expect(shown).toEqual(comparison);
      apart += Number((comparison.protocols ?? []).length > 1);
      atBound += Number(comparison.scenarios.some(({ profiles }) => profiles.some(({ loadTimeMsMedian }) => loadTimeMsMedian === 60_000)));
    }),
    { numRuns: 200 },
  );
  // The random loads reach what the rule is about.
  expect(apart).toBeGreaterThan(20);
  expect(atBound).toBeGreaterThan(5);
});
