/** A study's log: a line per event, appended as it comes, so that a run may end at any moment and be taken up again. */

import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { appendFileSync, existsSync, readFileSync, realpathSync, statSync, truncateSync } from 'node:fs';
import { createServer } from 'node:net';
import * as v from 'valibot';
import { PlumbfoxError } from '../../core/errors.ts';
import { CONGESTION_CONTROLS } from '../../core/report/report.ts';
import { isSettled } from '../../core/report/validity.ts';
import { count, finite, type Shape } from '../../core/schema.ts';
import { pageRecipeSchema } from '../pages/page-recipe.ts';
import { type StudyLoad, studyLoadSchema } from '../studies/study.ts';
import { isolationOf } from './interference.ts';
import { cellKey } from './study-plan.ts';

/** In the folder of the run. */
export const STUDY_LOG = 'loads.jsonl';

/** Lines by their kind, each in the order of the file. `study`: `undefined` while nothing was written. */
export interface StudyRecord {
  readonly study: StudyLine | undefined;
  readonly sessions: readonly SessionLine[];
  readonly links: readonly LinkLine[];
  readonly interference: readonly InterferenceLine[];
  readonly loads: readonly LoadLine[];
}

/** @throws PlumbfoxError `bad-input` naming the line that cannot be read; a last line that was cut off is passed over. */
export function readStudyLog(path: string): StudyRecord {
  const lines = existsSync(path) ? readFileSync(path, 'utf8').split('\n').slice(0, -1) : [];
  const parsed = lines.map((line, index) => {
    const result = v.safeParse(studyLogLine, line);
    if (result.success) return result.output;
    throw new PlumbfoxError('bad-input', `${path}, line ${index + 1}, is no line of a study: move the file away, or run without --resume`);
  });
  return {
    study: parsed.flatMap((line) => ('study' in line ? [line.study] : []))[0],
    sessions: parsed.flatMap((line) => ('session' in line && typeof line.session === 'object' ? [line.session] : [])),
    links: parsed.flatMap((line) => ('link' in line ? [line.link] : [])),
    interference: parsed.flatMap((line) => ('interference' in line ? [line.interference] : [])),
    loads: parsed.flatMap((line) => ('load' in line ? [line] : [])),
  };
}

/** Removes a last line that a killed run had not finished, so that it does not spoil the next one. */
export function dropCutLine(path: string): void {
  if (!existsSync(path)) return;
  const bytes = readFileSync(path);
  const end = bytes.lastIndexOf(0x0a) + 1;
  if (end < bytes.length) truncateSync(path, end);
}

/** @throws PlumbfoxError `environment` when it cannot be written, as on a full disk; what was there before stays readable. */
export function appendStudyLine(path: string, line: StudyLogLine): void {
  const bytesBefore = existsSync(path) ? statSync(path).size : 0;
  try {
    // Synchronous: a line is in the file before the next load begins.
    appendFileSync(path, `${JSON.stringify(line)}\n`);
  } catch (error) {
    withoutPiece(path, bytesBefore);
    const why = (error as NodeJS.ErrnoException).code ?? error;
    throw new PlumbfoxError('environment', `${path} cannot be written (${why}): what was measured before is kept; make room and --resume`, {
      cause: error,
    });
  }
}

/** A full disk takes a piece of a line, which the next one must not be glued to. */
function withoutPiece(path: string, bytesBefore: number): void {
  try {
    truncateSync(path, bytesBefore);
  } catch {
    // Whoever reads it takes the piece for a line that was cut off.
  }
}

/** The loads that stand: the last word on each cell, without those made while lanes disturbed each other, or may have. */
export function standingLoads({ loads, interference }: Pick<StudyRecord, 'loads' | 'interference'>): readonly StudyLoad[] {
  const stands = isolationOf(interference);
  const byCell = new Map<string, StudyLoad>();
  for (const { load, session } of loads) {
    if (!stands({ session, lanes: load.lanes })) continue;
    const key = cellKey(load);
    const before = byCell.get(key);
    if (before === undefined || !isSettled(before.validity)) byCell.set(key, load);
  }
  return [...byCell.values()].sort((a, b) => a.order - b.order);
}

/** Grows when a line changes its meaning; a run of another format is not taken up again. */
export const STUDY_LOG_FORMAT = 1;

const text = v.string();
const texts = v.array(text);

/** The study that is measured; a run that is taken up again must be of the same. */
export const studyLine = v.object({
  study: v.object({
    format: v.literal(STUDY_LOG_FORMAT),
    id: text,
    seed: count,
    repeats: count,
    pages: texts,
    links: texts,
    profiles: texts,
    /** Covers everything the study declares: pages to the byte, links to the figure, profiles to the preference. */
    fingerprint: text,
    /** The pages that were measured in place of the study's own, whole: no other machine has their files. */
    otherPages: v.exactOptional(v.array(v.object({ recipe: pageRecipeSchema, file: v.exactOptional(text) }))),
    /** The profiles that were measured in place of the study's own, as `--profiles` named them. */
    otherProfiles: v.exactOptional(texts),
    /** The command that repeats the run. */
    command: v.exactOptional(text),
    timeoutS: v.exactOptional(finite),
    capture: v.exactOptional(v.boolean()),
  }),
});

/** What the lines that follow were measured with. */
const sessionLine = v.object({
  session: v.object({
    number: count,
    startedAt: text,
    plumbfox: text,
    firefox: v.object({ version: text, buildId: text }),
    applier: v.picklist(['experiment-api', 'driver', 'policy', 'helper', 'gateway', 'manual']),
    os: text,
    node: text,
    /** The congestion control of links that name none. */
    congestionControl: text,
    /** Same values as `provenance.weather`; absent: older than that. */
    weather: v.exactOptional(v.literal('by-block')),
    /** Versions of nginx, HAProxy, Caddy, where the study asks for them. */
    servers: v.record(text, text),
  }),
});

/** A link as one lane measured it. Where it is not `ok`, the loads that were to go over it are excluded, for `reason`. */
const linkLine = v.object({
  link: v.object({
    name: text,
    lane: count,
    at: finite,
    measured: v.object({ rttMs: finite, downKbps: finite, upKbps: v.exactOptional(finite) }),
    /** What its ends send with; absent in older logs. */
    congestionControl: v.exactOptional(v.picklist(CONGESTION_CONTROLS)),
    ok: v.boolean(),
    reason: v.exactOptional(text),
  }),
});

/** A check that lanes do not disturb each other. Where it failed, loads made with that many lanes in that session do not count. */
const interferenceLine = v.object({
  interference: v.object({
    session: count,
    lanes: count,
    page: text,
    link: text,
    profiles: v.array(v.object({ profileId: text, aloneMs: v.array(finite), besideMs: v.array(finite) })),
    /** Absent: the check itself came to no end. */
    longer: v.exactOptional(finite),
    ratioMoves: v.exactOptional(finite),
    ok: v.boolean(),
    /** Too few loads were made while all others were at work: this shows nothing about that many lanes. */
    notMeasured: v.exactOptional(v.boolean()),
  }),
});

const loadLine = v.object({
  load: studyLoadSchema,
  session: count,
  /** What the load took besides its own load time, ms: applying, waiting until it is over, reading. */
  overheadMs: v.exactOptional(finite),
  /** Try of this cell, from 0. */
  attempt: count,
  /** Why the capture that was wanted of it is not there. */
  captureMissing: v.exactOptional(text),
});

const studyLogLine = v.pipe(v.string(), v.parseJson(), v.union([loadLine, linkLine, interferenceLine, sessionLine, studyLine]));
export type StudyLogLine = Shape<typeof studyLogLine>;
export type StudyLine = Shape<typeof studyLine>['study'];
export type SessionLine = Shape<typeof sessionLine>['session'];
export type LinkLine = Shape<typeof linkLine>['link'];
export type InterferenceLine = Shape<typeof interferenceLine>['interference'];
export type LoadLine = Shape<typeof loadLine>;

/**
 * Lets one command at a time measure into a folder: two would both make every load, and one could cut off what the other is writing. The
 * folder is held by a socket without a file, whose name Linux gives to one process at a time and takes back when it ends, however that is
 * (unix(7), abstract sockets).
 * @throws PlumbfoxError `bad-input` while another process of this machine holds it.
 */
export async function holdRun(folder: string): Promise<{ release(): void }> {
  const name = createHash('sha256').update(realpathSync(folder)).digest('hex').slice(0, 32);
  const server = createServer((connection) => connection.destroy());
  server.listen(`\0plumbfox-run-${name}`);
  try {
    await once(server, 'listening');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    throw new PlumbfoxError('bad-input', `Another run measures into ${folder}: wait until it is over, or stop it`, { cause: error });
  }
  server.unref();
  return {
    release: () => {
      server.close();
    },
  };
}
