/** A study's log: a line per event, appended as it comes, so that a run may end at any moment and be taken up again. */
import { appendFileSync, existsSync, readFileSync, statSync, truncateSync } from 'node:fs';
import * as v from 'valibot';
import { PlumbfoxError } from '../../core/errors.ts';
import { isSettled } from '../../core/report/validity.ts';
import type { StudyLoad } from '../studies/study.ts';
import { standsBeside } from './interference.ts';
import {
  type InterferenceLine,
  type LinkLine,
  type LoadLine,
  type SessionLine,
  type StudyLine,
  type StudyLogLine,
  studyLogLine,
} from './study-log-lines.ts';
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
    const result = v.safeParse(studyLogLine, asJson(line));
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

/** Takes away what a run that was killed had written of its last line, so that it does not spoil the next one. */
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
  const stands = standsBeside(interference);
  const byCell = new Map<string, StudyLoad>();
  for (const { load, session } of loads) {
    if (!stands({ session, lanes: load.lanes })) continue;
    const key = cellKey(load);
    const before = byCell.get(key);
    if (before === undefined || !isSettled(before.validity)) byCell.set(key, load);
  }
  return [...byCell.values()].sort((a, b) => a.order - b.order);
}

/** How often each cell was tried and came to a void load. */
export function voidTries({ loads }: Pick<StudyRecord, 'loads'>): ReadonlyMap<string, number> {
  const tries = new Map<string, number>();
  for (const { load } of loads) {
    if (load.validity.state === 'void') tries.set(cellKey(load), (tries.get(cellKey(load)) ?? 0) + 1);
  }
  return tries;
}

function asJson(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
