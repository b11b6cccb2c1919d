/**
 * The figures of loads as they lie in IndexedDB: in chunks of consecutive keys, as one table of numbers each. Firefox reads 400 tables
 * of 256 rows far sooner than 100,000 records. Format history: 1, first; 2, why a load was cut short or excluded, and its HTTP version.
 */
import * as v from 'valibot';
import { LOAD_PROTOCOLS } from '../core/compare/comparison.ts';
import { FIELD_EXCLUSIONS, LOAD_STATUSES, type LoadSummary } from '../core/field/load-summary.ts';
import { CUT_SHORTS } from '../core/measure/load-measures.ts';
import { carrierSchema } from '../core/profiles/profile.ts';
import type { Bytes, Milliseconds } from '../core/units.ts';

/** Loads of one chunk: writing a load writes its chunk, 31 kB, about as much as the load itself. */
export const CHUNK_LOADS = 256;

/** A row of the table. Only numbers: what is not known is NaN here, and only here. */
const COLUMNS = [
  'state',
  'startedAt',
  'page',
  'site',
  'profile',
  'loadTimeMs',
  'bytes',
  'rttMs',
  'rttLowMs',
  'downKbps',
  'trialSlot',
  'trialCounts',
  'cutShort',
  'excluded',
  'protocol',
] as const;
type Column = (typeof COLUMNS)[number];
const POSITION = Object.fromEntries(COLUMNS.map((name, at) => [name, at])) as Readonly<Record<Column, number>>;

/** State of a row: 0 no figures; -1 the load's record cannot be read; from 1 the standings. */
const NONE = 0;
const UNREADABLE = -1;

const figureChunkSchema = v.object({
  format: v.literal(2),
  /** The version of the figures' definitions: figures of another are computed again. */
  metricVersion: v.pipe(v.number(), v.integer()),
  profiles: v.array(v.object({ id: v.string(), carrier: carrierSchema })),
  values: v.pipe(
    v.instance(Float64Array),
    v.check((values) => values.length === CHUNK_LOADS * COLUMNS.length),
  ),
  /** Whose load each row is (see `site-shares.ts`); absent: it was written before that was kept. */
  owners: v.optional(
    v.pipe(
      v.instance(Float64Array),
      v.check((owners) => owners.length === CHUNK_LOADS),
    ),
  ),
});

export type FigureChunk = v.InferOutput<typeof figureChunkSchema>;

/** A chunk in which no row has figures. */
export const emptyChunk = (metricVersion: number): FigureChunk => ({
  format: 2,
  metricVersion,
  profiles: [],
  values: new Float64Array(CHUNK_LOADS * COLUMNS.length),
});

/** `undefined`: it is none, or of other definitions of the measures. */
export function parseFigureChunk(value: unknown, metricVersion: number): FigureChunk | undefined {
  const result = v.safeParse(figureChunkSchema, value);
  return result.success && result.output.metricVersion === metricVersion ? result.output : undefined;
}

/** Parses like `parseFigureChunk`, whatever the definitions. */
export function parseOlderChunk(value: unknown): FigureChunk | undefined {
  const result = v.safeParse(figureChunkSchema, value);
  return result.success ? result.output : undefined;
}

/** Number of the chunk, and row in it, of the load with this key. */
export const chunkOf = (key: number): number => Math.floor(key / CHUNK_LOADS);
export const rowOf = (key: number): number => key % CHUNK_LOADS;

/**
 * Writes a row; `unreadable`: of a load that there is, but whose record cannot be read.
 * @param owner - Whose the load is; without it, as it was.
 */
export function setFigures(chunk: FigureChunk, row: number, figures: LoadSummary | 'unreadable', owner?: number): void {
  const start = row * COLUMNS.length;
  if (owner !== undefined) {
    chunk.owners ??= new Float64Array(CHUNK_LOADS);
    chunk.owners[row] = owner;
  }
  if (figures === 'unreadable') {
    chunk.values.fill(0, start, start + COLUMNS.length);
    chunk.values[start] = UNREADABLE;
    return;
  }
  const values: Readonly<Record<Column, number | undefined>> = {
    state: LOAD_STATUSES.indexOf(figures.standing) + 1,
    startedAt: figures.startedAt,
    page: figures.page,
    site: figures.site,
    profile: profileNumber(chunk, figures),
    loadTimeMs: figures.loadTimeMs,
    bytes: figures.bytes,
    rttMs: figures.rttMs,
    rttLowMs: figures.rttLowMs,
    downKbps: figures.downKbps,
    trialSlot: figures.trial?.slot,
    trialCounts: figures.trial === undefined ? undefined : Number(figures.trial.counts),
    cutShort: numberIn(CUT_SHORTS, figures.cutShort),
    excluded: numberIn(FIELD_EXCLUSIONS, figures.excluded),
    protocol: numberIn(LOAD_PROTOCOLS, figures.protocol),
  };
  for (const [at, column] of COLUMNS.entries()) chunk.values[start + at] = values[column] ?? Number.NaN;
}

/** Leaves the row as if there had been no load. */
export function clearRow({ values, owners }: FigureChunk, row: number): void {
  values.fill(0, row * COLUMNS.length, (row + 1) * COLUMNS.length);
  if (owners) owners[row] = 0;
}

/** Whose the load of the row is, 0: not known. `undefined`: there is none. */
export function ownerAt({ values, owners }: FigureChunk, row: number): number | undefined {
  return values[row * COLUMNS.length] === NONE ? undefined : (owners?.[row] ?? 0);
}

function profileNumber({ profiles }: FigureChunk, { profileId, carrier }: LoadSummary): number {
  const known = profiles.findIndex((one) => one.id === profileId && one.carrier === carrier);
  return known === -1 ? profiles.push({ id: profileId, carrier }) - 1 : known;
}

/** The figures of a row; `undefined`: there are none. Every member is there, known or not: equal shapes are far quicker to make and to read. */
export function figuresAt({ profiles, values }: FigureChunk, row: number): LoadSummary | 'unreadable' | undefined {
  const start = row * COLUMNS.length;
  const state = at(values, start, 'state');
  if (state === UNREADABLE) return 'unreadable';
  const [standing, profile] = [LOAD_STATUSES[state - 1], profiles[at(values, start, 'profile')]];
  if (standing === undefined || profile === undefined) return undefined;
  const slot = known(values, start, 'trialSlot');
  return {
    startedAt: at(values, start, 'startedAt'),
    page: at(values, start, 'page'),
    site: at(values, start, 'site'),
    standing,
    profileId: profile.id,
    carrier: profile.carrier,
    loadTimeMs: known(values, start, 'loadTimeMs') as Milliseconds | undefined,
    bytes: known(values, start, 'bytes') as Bytes | undefined,
    rttMs: known(values, start, 'rttMs'),
    rttLowMs: known(values, start, 'rttLowMs'),
    downKbps: known(values, start, 'downKbps'),
    cutShort: memberOf(CUT_SHORTS, known(values, start, 'cutShort')),
    excluded: memberOf(FIELD_EXCLUSIONS, known(values, start, 'excluded')),
    protocol: memberOf(LOAD_PROTOCOLS, known(values, start, 'protocol')),
    trial: slot === undefined ? undefined : { slot, counts: at(values, start, 'trialCounts') === 1 },
  };
}

/** Places in a list are stored: a list of these may only grow at its end. */
const numberIn = <T>(list: readonly T[], member: T | undefined): number | undefined =>
  member === undefined ? undefined : list.indexOf(member);
const memberOf = <T>(list: readonly T[], place: number | undefined): T | undefined => (place === undefined ? undefined : list[place]);

const at = (values: Float64Array, start: number, column: Column): number => values[start + POSITION[column]] ?? Number.NaN;

function known(values: Float64Array, start: number, column: Column): number | undefined {
  const value = at(values, start, column);
  return Number.isNaN(value) ? undefined : value;
}
