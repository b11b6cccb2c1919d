/** The captures of a run: a file of packets per load, with what tells which of them are the load's. */
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { analyseCapture } from '../../core/capture/capture-analysis.ts';
import { captureJson } from '../../core/capture/capture-json.ts';
import { loadWindow } from '../../core/capture/load-window.ts';
import { PlumbfoxError } from '../../core/errors.ts';
import type { StudyCapture } from '../studies/study-load.ts';

export const CAPTURES_FOLDER = 'captures';

const text = v.string();
/** Beside the packets. `token`: what the addresses of the load have, and those of the load that warmed up for it have not. */
const captureNote = v.object({ page: text, link: text, profileId: text, block: v.number(), token: text });
export type CaptureNote = v.InferOutput<typeof captureNote>;

export interface CaptureFiles {
  /** tcpdump writes to no other kind of name. */
  readonly packets: string;
  /** The load is valid: its packets are kept. */
  keep(note: CaptureNote): void;
  discard(): void;
}

const fileName = ({ page, link, profileId, block }: Omit<CaptureNote, 'token'>): string =>
  [page, link, profileId, block].join('_').replace(/[^a-z0-9_.-]/gi, '-');

/** Of the same load the newest is kept. */
export function captureFiles(folder: string, { page, link, profileId, block }: Omit<CaptureNote, 'token'>): CaptureFiles {
  const name = fileName({ page, link, profileId, block });
  mkdirSync(folder, { recursive: true });
  const packets = join(folder, `${name}.part.pcap`);
  return {
    packets,
    keep: (note) => {
      try {
        rmSync(join(folder, `${name}.json`), { force: true });
        renameSync(packets, join(folder, `${name}.pcap`));
        writeFileSync(join(folder, `${name}.json`), `${JSON.stringify(note)}\n`);
      } catch (error) {
        throw new PlumbfoxError(
          'environment',
          `A capture cannot be kept in ${folder} (${(error as NodeJS.ErrnoException).code ?? error})`,
          { cause: error },
        );
      }
    },
    discard: () => rmSync(packets, { force: true }),
  };
}

const CONNECTIONS = '.connections.json';

/** What every connection did, for programs: a file beside each capture. @returns their paths. */
export function writeConnections(folder: string, captures: readonly StudyCapture[]): readonly string[] {
  return captures.map((capture) => {
    const path = join(folder, `${fileName(capture)}${CONNECTIONS}`);
    writeFileSync(path, `${JSON.stringify(captureJson(capture.analysis))}\n`);
    return path;
  });
}

/** By name. @throws PlumbfoxError `bad-input` naming the file that is none. */
export function readCaptures(folder: string): readonly StudyCapture[] {
  const notes = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.json') && !name.endsWith(CONNECTIONS)) : [];
  return notes.sort().map((name) => readCapture(join(folder, name)));
}

function readCapture(path: string): StudyCapture {
  const packets = path.replace(/\.json$/, '.pcap');
  const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), captureNote), readFileSync(path, 'utf8'));
  if (!parsed.success || !existsSync(packets)) throw new PlumbfoxError('bad-input', `${path} is no note of a capture: move it away`);
  const { token, ...load } = parsed.output;
  const analysis = analyseCapture(readFileSync(packets), { capturePoint: 'server' });
  const window = loadWindow(analysis, (target) => target.includes(token));
  return { ...load, analysis, ...(window && { window }) };
}
