/** The file that a capture appends to, a line per load as it comes, so that it may end at any moment and be taken up again. */
import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import * as v from 'valibot';
import { PlumbfoxError } from '../../core/errors.ts';
import { type CorpusLoad, corpusLoad } from './corpus-load.ts';

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

export type CorpusSession = v.InferOutput<typeof corpusSession>['session'];

/** What the file holds, in its order. */
export interface CorpusRecord {
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
