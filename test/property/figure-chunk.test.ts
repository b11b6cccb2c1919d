import fc from 'fast-check';
import { expect, it } from 'vitest';
import { LOAD_PROTOCOLS } from '../../src/core/compare/comparison.ts';
import { FIELD_EXCLUSIONS, LOAD_STATUSES, type LoadSummary } from '../../src/core/field/load-summary.ts';
import { CUT_SHORTS } from '../../src/core/measure/load-measures.ts';
import { bytes, milliseconds } from '../../src/core/units.ts';
import { CHUNK_LOADS, emptyChunk, figuresAt, parseFigureChunk, setFigures } from '../../src/protocol/figure-chunk.ts';

const positive = fc.double({ min: 1e-3, max: 1e9, noNaN: true });
const optional = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });
const key = fc.integer({ min: 0, max: 2 ** 53 - 1 });

/** Members that are not known are absent. */
const figures: fc.Arbitrary<LoadSummary> = fc
  .record({
    startedAt: fc.integer({ min: 0, max: 2e12 }),
    page: key,
    site: key,
    standing: fc.constantFrom(...LOAD_STATUSES),
    profileId: fc.constantFrom('firefox-default', 'c4-d6', 'c2-d1'),
    carrier: fc.constantFrom('none', 'gateway', 'http2', 'legacy'),
    loadTimeMs: optional(positive.map(milliseconds)),
    bytes: optional(fc.integer({ min: 0, max: 1e9 }).map(bytes)),
    rttMs: optional(positive),
    rttLowMs: optional(positive),
    downKbps: optional(positive),
    cutShort: optional(fc.constantFrom(...CUT_SHORTS)),
    excluded: optional(fc.constantFrom(...FIELD_EXCLUSIONS)),
    protocol: optional(fc.constantFrom(...LOAD_PROTOCOLS)),
    trial: optional(fc.record({ slot: fc.nat(), counts: fc.boolean() })),
  })
  .map((all) => Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined)) as unknown as LoadSummary);

it('gives back what was put in, row by row, whatever else is in the chunk', () => {
  const rows = fc.uniqueArray(fc.tuple(fc.nat(CHUNK_LOADS - 1), fc.oneof(figures, fc.constant('unreadable' as const))), {
    selector: ([row]) => row,
    maxLength: 20,
  });
  fc.assert(
    fc.property(rows, (rows) => {
      const chunk = emptyChunk(1);
      for (const [row, own] of rows) setFigures(chunk, row, own);
      const held = parseFigureChunk(structuredClone(chunk), 1) ?? emptyChunk(0);
      for (const [row, own] of rows) expect(figuresAt(held, row)).toEqual(own);
      const known = new Set(rows.map(([row]) => row));
      for (let row = 0; row < CHUNK_LOADS; row++) if (!known.has(row)) expect(figuresAt(held, row)).toBeUndefined();
    }),
  );
});

it('takes what is written over', () => {
  fc.assert(
    fc.property(figures, figures, (first, second) => {
      const chunk = emptyChunk(1);
      setFigures(chunk, 7, first);
      setFigures(chunk, 7, second);
      expect(figuresAt(chunk, 7)).toEqual(second);
    }),
  );
});

it('refuses figures of other definitions, and what is no chunk', () => {
  expect(parseFigureChunk(emptyChunk(1), 2)).toBeUndefined();
  for (const value of [undefined, {}, { ...emptyChunk(1), values: new Float64Array(3) }, { ...emptyChunk(1), format: 1 }]) {
    expect(parseFigureChunk(value, 1)).toBeUndefined();
  }
});
