/** The committed files of the corpus: written from a capture, read by whoever holds predictions against it. */

import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import * as v from 'valibot';
import { PlumbfoxError } from '../../../src/core/errors.ts';
import { median } from '../../../src/core/stats/quantile.ts';
import { CORPUS_LINKS, CORPUS_PROFILES, CORPUS_SCENARIOS } from './capture-plan.ts';
import { type CorpusFigures, type CorpusLoad, corpusLoad, TIMELINE_FIELDS, type TimelineRow, timelineRow } from './corpus-load.ts';

const FORMAT = 1;
/** Columns of a row of `loads`; page, link and profile by name. */
const LOAD_FIELDS = [
  'page',
  'link',
  'profile',
  'repeat',
  'loadTimeMs',
  'efficiency',
  'bytes',
  'peakConnections',
  'peakOutstanding',
  'peakDepth',
  'droppedDown',
  'droppedUp',
] as const;

const text = v.string();
const number = v.pipe(v.number(), v.finite());
const measured = v.object({ name: text, rttMs: number, downKbps: number });
const link = v.object({ name: text, rttMs: number, downKbps: number, upKbps: number, queue: number, measured: v.array(measured) });
const loadRow = v.strictTuple([text, text, text, number, number, number, number, number, number, number, number, number]);
const loadsDocument = v.object({
  format: v.literal(FORMAT),
  sessions: v.array(v.object({ startedAt: text, firefox: text, os: text, congestionControl: text })),
  links: v.array(link),
  profiles: v.array(text),
  fields: v.strictTuple(LOAD_FIELDS.map((field) => v.literal(field))),
  loads: v.array(loadRow),
  void: v.array(v.strictTuple([text, text, text, number, text])),
});
const timelinesDocument = v.object({
  format: v.literal(FORMAT),
  fields: v.strictTuple(TIMELINE_FIELDS.map((field) => v.literal(field))),
  timelines: v.array(v.strictTuple([text, text, text, number, v.array(timelineRow)])),
});

/** A load that counts. */
export interface CorpusEntry extends CorpusFigures {
  readonly page: string;
  readonly link: string;
  readonly profile: string;
  readonly repeat: number;
}

export interface CorpusTimeline {
  readonly page: string;
  readonly link: string;
  readonly profile: string;
  readonly repeat: number;
  /** Of the document, then of the recipe's resources in their order; columns as in `TIMELINE_FIELDS`. */
  readonly requests: readonly TimelineRow[];
}

export interface Corpus {
  readonly sessions: v.InferOutput<typeof loadsDocument>['sessions'];
  readonly links: v.InferOutput<typeof loadsDocument>['links'];
  readonly profiles: readonly string[];
  readonly loads: readonly CorpusEntry[];
}

/** `loads.json`: the figures of every load, one row a line. */
export function loadsFile({ sessions, loads }: CorpusRecord): string {
  const head = {
    format: FORMAT,
    sessions: sessions.map(({ startedAt, firefox, os, congestionControl }) => ({ startedAt, firefox, os, congestionControl })),
    links: CORPUS_LINKS.map((each) => ({
      ...each,
      measured: sessions.flatMap((session) => session.links.filter(({ name }) => name === each.name)),
    })),
    profiles: CORPUS_PROFILES,
    fields: LOAD_FIELDS,
  };
  const rows = inOrder(loads).flatMap(({ page, link: on, profile, repeat, figures }) =>
    figures ? [LOAD_FIELDS.map((field) => ({ page, link: on, profile, repeat, ...figures })[field])] : [],
  );
  const voids = inOrder(loads).flatMap((load) =>
    load.void === undefined ? [] : [[load.page, load.link, load.profile, load.repeat, load.void]],
  );
  return document(head, { loads: rows, void: voids });
}

/** `timelines.json`: one load of each profile on each scenario, the one nearest the median, one a line. */
export function timelinesFile({ loads }: CorpusRecord): string {
  const chosen = CORPUS_SCENARIOS.flatMap(({ page, link: on }) =>
    CORPUS_PROFILES.flatMap((profile) =>
      nearestMedian(loads.filter((load) => load.page === page && load.link === on && load.profile === profile)),
    ),
  );
  const rows = chosen.map(({ page, link: on, profile, repeat, timeline }) => [page, on, profile, repeat, timeline]);
  return document({ format: FORMAT, fields: TIMELINE_FIELDS }, { timelines: rows });
}

/** @throws PlumbfoxError `bad-input` when it is no `loads.json` of this format. */
export function readLoadsFile(content: string): Corpus {
  const { sessions, links, profiles, loads } = parsed(loadsDocument, content, 'loads.json');
  return { sessions, links, profiles, loads: loads.map(entry) };
}

/** @throws PlumbfoxError `bad-input` when it is no `timelines.json` of this format. */
export function readTimelinesFile(content: string): readonly CorpusTimeline[] {
  const { timelines } = parsed(timelinesDocument, content, 'timelines.json');
  return timelines.map(([page, on, profile, repeat, requests]) => ({ page, link: on, profile, repeat, requests }));
}

function entry(row: v.InferOutput<typeof loadRow>): CorpusEntry {
  const [page, on, profile, repeat, loadTimeMs, efficiency, bytes, peakConnections, peakOutstanding, peakDepth, droppedDown, droppedUp] =
    row;
  const place = { page, link: on, profile, repeat };
  return { ...place, loadTimeMs, efficiency, bytes, peakConnections, peakOutstanding, peakDepth, droppedDown, droppedUp };
}

function parsed<T>(schema: v.GenericSchema<unknown, T>, content: string, name: string): T {
  let json: unknown;
  try {
    json = JSON.parse(content);
  } catch {
    throw new PlumbfoxError('bad-input', `${name} is no JSON: capture the corpus again with npm run corpus`);
  }
  const result = v.safeParse(schema, json);
  if (result.success) return result.output;
  throw new PlumbfoxError('bad-input', `${name} is not of the format that is read here (${result.issues[0]?.message}): npm run corpus`);
}

/** By scenario, profile and repeat, so that a new capture can be compared line by line. */
function inOrder(loads: readonly CorpusLoad[]): readonly CorpusLoad[] {
  const place = ({ page, link: on, profile, repeat }: CorpusLoad) => [
    CORPUS_SCENARIOS.findIndex((scenario) => scenario.page === page && scenario.link === on),
    CORPUS_PROFILES.indexOf(profile),
    repeat,
  ];
  return loads.toSorted((a, b) => {
    const [left, right] = [place(a), place(b)];
    return left.map((value, index) => value - (right[index] ?? 0)).find((difference) => difference !== 0) ?? a.startedAt - b.startedAt;
  });
}

function nearestMedian(loads: readonly CorpusLoad[]): readonly CorpusLoad[] {
  const times = loads.flatMap(({ figures }) => figures?.loadTimeMs ?? []);
  const middle = median(times);
  if (middle === undefined) return [];
  const off = ({ figures }: CorpusLoad) => (figures ? Math.abs(figures.loadTimeMs - middle) : Number.POSITIVE_INFINITY);
  return loads.toSorted((a, b) => off(a) - off(b) || a.repeat - b.repeat).slice(0, 1);
}

/** JSON with the members of `head` and the rows of `tables` on a line each. */
function document(head: Readonly<Record<string, unknown>>, tables: Readonly<Record<string, readonly unknown[]>>): string {
  const members = Object.entries(head).map(([name, value]) => `"${name}":${JSON.stringify(value)}`);
  const lists = Object.entries(tables).map(([name, rows]) => `"${name}":[\n${rows.map((row) => JSON.stringify(row)).join(',\n')}\n]`);
  return `{\n${[...members, ...lists].join(',\n')}\n}\n`;
}

/** What the loads that follow were measured with; a line of its own whenever a capture begins. */
const corpusSession = v.object({
  session: v.object({
    startedAt: v.string(),
    firefox: v.string(),
    os: v.string(),
    congestionControl: v.string(),
    /** By plain TCP, before the loads. */
    links: v.array(v.object({ name: v.string(), rttMs: v.number(), downKbps: v.number() })),
  }),
});

type CorpusSession = v.InferOutput<typeof corpusSession>['session'];

/** What the file holds, in its order. */
interface CorpusRecord {
  readonly sessions: readonly CorpusSession[];
  readonly loads: readonly CorpusLoad[];
}

/** @throws PlumbfoxError `bad-input` naming the line that cannot be read; a last line that was cut off is no load and is passed over. */
export function readWorkingFile(path: string): CorpusRecord {
  const lines = existsSync(path) ? readFileSync(path, 'utf8').split('\n') : [];
  const sessions: CorpusSession[] = [];
  const loads: CorpusLoad[] = [];
  // What follows the last line feed is empty, or what a capture that was killed had written of its last line.
  for (const [index, line] of lines.slice(0, -1).entries()) {
    const parsed = v.safeParse(v.union([corpusSession, corpusLoad]), asJson(line));
    if (!parsed.success)
      throw new PlumbfoxError('bad-input', `${path}, line ${index + 1} is no line of a capture: move the file away to begin again`);
    if ('session' in parsed.output) sessions.push(parsed.output.session);
    else loads.push(parsed.output);
  }
  return { sessions, loads };
}

/** Makes the folder where it is missing. */
export function appendLine(path: string, line: CorpusLoad | { readonly session: CorpusSession }): void {
  mkdirSync(dirname(path), { recursive: true });
  // Synchronous: a line is in the file before the next load begins.
  appendFileSync(path, `${JSON.stringify(line)}\n`);
}

/** Takes away what a capture that was killed had written of its last line, so that it does not spoil the next one. */
export function dropCutLine(path: string): void {
  if (!existsSync(path)) return;
  const text = readFileSync(path, 'utf8');
  if (text !== '' && !text.endsWith('\n')) writeFileSync(path, text.slice(0, text.lastIndexOf('\n') + 1));
}

function asJson(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
