import { describe, expect, it } from 'vitest';
import type { LoadSummary } from '../../../src/core/field/load-summary.ts';
import { bytes, milliseconds } from '../../../src/core/units.ts';
import {
  CHUNK_LOADS,
  chunkOf,
  clearRow,
  emptyChunk,
  type FigureChunk,
  figuresAt,
  ownerAt,
  parseFigureChunk,
  parseOlderChunk,
  rowOf,
  setFigures,
} from '../../../src/protocol/figure-chunk.ts';

const BARE: LoadSummary = { startedAt: 1000, page: 11, site: 12, standing: 'whole', profileId: 'a', carrier: 'none' };
const FULL: LoadSummary = {
  ...{ startedAt: 2000, page: 21, site: 22, standing: 'unmeasurable', profileId: 'b', carrier: 'gateway' },
  ...{ loadTimeMs: milliseconds(900), bytes: bytes(5000), rttMs: 40, rttLowMs: 30, downKbps: 8000 },
  ...{ cutShort: 'time-limit', excluded: 'washout', protocol: 'http/2', trial: { slot: 6, counts: true } },
};

function chunkWith(...rows: readonly (readonly [row: number, figures: LoadSummary | 'unreadable', owner?: number])[]): FigureChunk {
  const chunk = emptyChunk(1);
  for (const [row, figures, owner] of rows) setFigures(chunk, row, figures, owner);
  return chunk;
}

const rowIn = ({ values }: FigureChunk, row: number): readonly number[] => {
  const width = values.length / CHUNK_LOADS;
  return [...values.slice(row * width, (row + 1) * width)];
};

describe('a row', () => {
  it('is numbers alone, in the order in which they lie in the store: an older version has written them so', () => {
    const chunk = chunkWith([3, BARE], [4, FULL]);
    const unknown = Array.from({ length: 10 }, () => Number.NaN);
    expect(rowIn(chunk, 3)).toEqual([1, 1000, 11, 12, 0, ...unknown]);
    // Standings, cuts, exclusions and protocols by their places.
    expect(rowIn(chunk, 4)).toEqual([4, 2000, 21, 22, 1, 900, 5000, 40, 30, 8000, 6, 1, 3, 3, 1]);
    expect(chunk.profiles).toEqual([
      { id: 'a', carrier: 'none' },
      { id: 'b', carrier: 'gateway' },
    ]);
  });

  it('names a profile once, and each of another name or carrier', () => {
    const chunk = chunkWith([0, BARE], [1, BARE], [2, { ...BARE, carrier: 'http2' }], [3, { ...BARE, profileId: 'c' }], [4, BARE]);
    expect(chunk.profiles).toEqual([
      { id: 'a', carrier: 'none' },
      { id: 'a', carrier: 'http2' },
      { id: 'c', carrier: 'none' },
    ]);
    expect(figuresAt(chunk, 4)).toMatchObject({ profileId: 'a', carrier: 'none' });
  });

  it('keeps nothing of its load where that cannot be read any more', () => {
    const chunk = chunkWith([1, FULL], [2, FULL], [3, FULL], [2, 'unreadable']);
    expect(rowIn(chunk, 2)).toEqual([-1, ...Array.from({ length: 14 }, () => 0)]);
    expect([1, 2, 3].map((row) => figuresAt(chunk, row))).toEqual([FULL, 'unreadable', FULL]);
  });

  it('has no figures that cannot be: of no standing, or of a profile that the chunk does not name', () => {
    const chunk = chunkWith([0, FULL]);
    expect(figuresAt({ ...chunk, profiles: [] }, 0)).toBeUndefined();
    chunk.values[0] = 5;
    expect(figuresAt(chunk, 0)).toBeUndefined();
    expect(figuresAt(chunk, CHUNK_LOADS)).toBeUndefined();
  });
});

describe('whose a load is', () => {
  it('is kept with it, and stays while the figures change', () => {
    const chunk = chunkWith([0, BARE, 7], [1, BARE, 8], [2, BARE], [0, FULL]);
    expect([0, 1, 2, 3].map((row) => ownerAt(chunk, row))).toEqual([7, 8, 0, undefined]);
    expect(parseFigureChunk(structuredClone(chunk), 1)).toEqual(chunk);
  });

  it('is not known where nobody said', () => {
    const chunk = chunkWith([0, BARE], [1, 'unreadable']);
    expect(chunk.owners).toBeUndefined();
    expect([0, 1, 2].map((row) => ownerAt(chunk, row))).toEqual([0, 0, undefined]);
  });
});

describe('clearRow', () => {
  it('leaves no trace of a load, and of the others everything', () => {
    const chunk = chunkWith([0, FULL, 7], [30, FULL, 7], [31, FULL, 8], [32, FULL, 9]);
    clearRow(chunk, 31);
    expect(rowIn(chunk, 31)).toEqual(Array.from({ length: 15 }, () => 0));
    expect([0, 30, 31, 32].map((row) => figuresAt(chunk, row))).toEqual([FULL, FULL, undefined, FULL]);
    setFigures(chunk, 31, BARE);
    expect([0, 30, 31, 32].map((row) => ownerAt(chunk, row))).toEqual([7, 7, 0, 9]);
  });

  it('needs no owners', () => {
    const chunk = chunkWith([5, FULL]);
    clearRow(chunk, 5);
    expect(chunk).toEqual({ ...emptyChunk(1), profiles: [{ id: 'b', carrier: 'gateway' }] });
  });
});

it('has the load with a key in a row of a chunk', () => {
  expect([0, 255, 256, 1000].map((key) => [chunkOf(key), rowOf(key)])).toEqual([
    [0, 0],
    [0, 255],
    [1, 0],
    [3, 232],
  ]);
});

describe('what lies in the store', () => {
  const chunk = chunkWith([0, FULL, 7]);
  const { length } = chunk.values;

  it('is read whatever the definitions, where they are not asked for', () => {
    expect(parseFigureChunk(chunk, 1)).toEqual(chunk);
    expect(parseFigureChunk(chunk, 2)).toBeUndefined();
    expect(parseOlderChunk(chunk)).toEqual(chunk);
    expect(parseOlderChunk({ ...chunk, metricVersion: 9 })?.metricVersion).toBe(9);
  });

  it.each([
    ['nothing', undefined],
    ['of another format', { ...chunk, format: 1 }],
    ['too short', { ...chunk, values: new Float64Array(length - 1) }],
    ['too long', { ...chunk, values: new Float64Array(length + 1) }],
    ['no table', { ...chunk, values: Array.from({ length }, () => 0) }],
    ['of too few owners', { ...chunk, owners: new Float64Array(CHUNK_LOADS - 1) }],
    ['of too many owners', { ...chunk, owners: new Float64Array(CHUNK_LOADS + 1) }],
    ['of a carrier that there is not', { ...chunk, profiles: [{ id: 'a', carrier: '' }] }],
    ['of half a version', { ...chunk, metricVersion: 1.5 }],
  ])('is no chunk: %s', (_, value) => {
    expect(parseOlderChunk(value)).toBeUndefined();
    expect(parseFigureChunk(value, 1)).toBeUndefined();
  });
});
