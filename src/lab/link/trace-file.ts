/** A trace as a link names it: one of ours, or a file in Mahimahi's format. */
import { readFileSync, statSync } from 'node:fs';
import { PlumbfoxError } from '../../core/errors.ts';
import { type LinkTrace, parseTrace } from './link-trace.ts';
import { isTraceName, namedTrace, TRACE_NAMES } from './traces.ts';

/** An hour at 50 Mbit/s has 15 million moments in 115 MB; this is some minutes of it. */
const MOST_BYTES = 20_000_000;

const known = new Map<string, LinkTrace>();

/** Each is drawn or read once per process. @throws PlumbfoxError `bad-input` when it is neither a name nor a file that can be read. */
export function traceOf(name: string): LinkTrace {
  const found = known.get(name) ?? (isTraceName(name) ? namedTrace(name) : traceFromFile(name));
  known.set(name, found);
  return found;
}

function traceFromFile(path: string): LinkTrace {
  return parseTrace(textOf(path), path);
}

function textOf(path: string): string {
  const refused = (why: string) =>
    new PlumbfoxError('bad-input', `Trace "${path}" ${why}; traces are ${TRACE_NAMES.join(', ')}, or a file as Mahimahi has them`);
  let size: number;
  try {
    const found = statSync(path);
    if (!found.isFile()) throw refused('is no file');
    size = found.size;
  } catch (error) {
    throw error instanceof PlumbfoxError ? error : refused('cannot be read');
  }
  if (size > MOST_BYTES) throw refused(`is larger than ${MOST_BYTES / 1_000_000} MB`);
  try {
    return readFileSync(path, 'utf8');
  } catch {
    throw refused('cannot be read');
  }
}
