/** The captures of a run: a file of packets per load, with a note that says which of them are the load's, and pictures of them. */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { PlumbfoxError } from '../../core/errors.ts';
import { groupBy } from '../../core/group-by.ts';
import type { Validity } from '../../core/report/validity.ts';
import { analyseCapture, type ConnectionAnalysis, captureJson } from '../capture/capture-analysis.ts';
import { connectionRowsSvg } from '../capture/connection-rows-svg.ts';
import { type ComparedLoad, loadComparisonSvg } from '../capture/load-comparison-svg.ts';
import { captureWindow, connectionsInWindow } from '../capture/load-window.ts';
import type { Capture } from '../capture/start-capture.ts';
import { timeSequenceSvg } from '../capture/time-sequence-svg.ts';
import { linkFigures } from '../link/links.ts';
import type { StudyPicture } from '../studies/findings.ts';
import type { StudyCapture } from '../studies/study.ts';
import type { StudyPlan } from './study-plan.ts';

/** In the folder of the run. */
export const CAPTURES_FOLDER = 'captures';

const text = v.string();
/**
 * Beside the packets. `token`: what the addresses of the load have, and those of the load that warmed up for it have not. `startedAt`: of the
 * load, which distinguishes it from others of its cell; absent in older runs.
 */
const captureNote = v.object({
  page: text,
  link: text,
  profileId: text,
  block: v.number(),
  token: text,
  startedAt: v.exactOptional(v.number()),
});
type CaptureNote = v.InferOutput<typeof captureNote>;
type Captured = Pick<CaptureNote, 'page' | 'link' | 'profileId' | 'block'>;

interface CaptureFiles {
  /** tcpdump writes to no other kind of name. */
  readonly packets: string;
  keep(note: CaptureNote): void;
  discard(): void;
}

const fileName = ({ page, link, profileId, block }: Captured): string =>
  [page, link, profileId, block].join('_').replace(/[^a-z0-9_.-]/gi, '-');

/** The newest capture of a load is kept. */
export function captureFiles(folder: string, { page, link, profileId, block }: Captured): CaptureFiles {
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

/** One of each cell is recorded, where captures are requested. */
export const isCaptured = ({ block }: { readonly block: number }, { captures }: { readonly captures?: string | undefined }): boolean =>
  captures !== undefined && block === 0;

export interface CaptureWork {
  readonly folder: string;
  readonly start: (path: string) => Promise<Pick<Capture, 'stop' | 'abandon'>>;
  readonly again: () => Promise<{ readonly validity: Validity; readonly note: Pick<CaptureNote, 'token' | 'startedAt'> }>;
}

/** Never rejects. @returns why there is no capture; `undefined`: it is kept. */
export async function captureOf(
  { page, link, profileId, block }: Captured,
  { folder, start, again }: CaptureWork,
): Promise<string | undefined> {
  const cell = { page, link, profileId, block };
  let files: CaptureFiles | undefined;
  let capture: Pick<Capture, 'stop' | 'abandon'> | undefined;
  try {
    files = captureFiles(folder, cell);
    capture = await start(files.packets);
    const { validity, note } = await again();
    const { missedPackets } = await capture.stop();
    // A capture that lacks packets shows losses that never were.
    const why = validity.state === 'void' ? validity.reason : missedPackets > 0 ? `${missedPackets} packets were missed` : undefined;
    if (why === undefined) files.keep({ ...cell, ...note });
    else files.discard();
    return why;
  } catch (error) {
    await capture?.abandon().catch(() => {});
    await Promise.resolve(files)
      .then((each) => each?.discard())
      .catch(() => {});
    return (error instanceof Error ? error.message : String(error)).split('\n')[0];
  }
}

const CONNECTIONS = '.connections.json';

/** Writes an analysis of every connection, for programs: a file beside each capture. @returns their paths. */
export function writeConnections(folder: string, captures: readonly StudyCapture[]): readonly string[] {
  return captures.map((capture) => {
    const path = join(folder, `${fileName(capture)}${CONNECTIONS}`);
    writeFileSync(path, `${JSON.stringify(captureJson(capture.analysis))}\n`);
    return path;
  });
}

/**
 * Captures by name; those of other loads, made before or not counted, are passed over.
 * @throws PlumbfoxError `bad-input` naming the file that is none.
 */
export function readCaptures(folder: string, loads: readonly (Captured & { readonly startedAt: number })[]): readonly StudyCapture[] {
  const notes = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.json') && !name.endsWith(CONNECTIONS)) : [];
  const counted = new Map(loads.map((load) => [fileName(load), load.startedAt]));
  return notes.sort().flatMap((name) => {
    const path = join(folder, name);
    const note = readNote(path);
    const startedAt = counted.get(fileName(note));
    return startedAt === undefined || (note.startedAt ?? startedAt) !== startedAt ? [] : [readCapture(path, note)];
  });
}

const packetsOf = (path: string): string => path.replace(/\.json$/, '.pcap');

function readNote(path: string): CaptureNote {
  const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), captureNote), readFileSync(path, 'utf8'));
  if (!parsed.success || !existsSync(packetsOf(path)))
    throw new PlumbfoxError('bad-input', `${path} is no note of a capture: move it away`);
  return parsed.output;
}

function readCapture(path: string, { token, page, link, profileId, block }: CaptureNote): StudyCapture {
  const analysis = analyseCapture(readFileSync(packetsOf(path)), { capturePoint: 'server' });
  const window = captureWindow(analysis, (target) => target.includes(token));
  return { page, link, profileId, block, analysis, ...(window && { window }) };
}

/** Draws captures: the loads of a page side by side, the rows of each, and the time-sequence graph of its busiest connection. */
export function capturePictures(captures: readonly StudyCapture[], plan: Pick<StudyPlan, 'pages' | 'links'>): readonly StudyPicture[] {
  return [...comparisons(captures, plan), ...captures.flatMap(picturesOf)];
}

/** Cold and warm connections are columns of one picture. */
function comparisons(captures: readonly StudyCapture[], { pages, links }: Pick<StudyPlan, 'pages' | 'links'>): readonly StudyPicture[] {
  const recipeOf = ({ page }: StudyCapture) => pages.find(({ name }) => name === page)?.recipe.name ?? page;
  return [...groupBy(captures, (capture) => `${recipeOf(capture)}-${capture.link}`)].flatMap(([key, own]) => {
    const [first] = own;
    const link = links.find(({ name }) => name === first?.link);
    if (!first || !link || own.length < 2) return [];
    const loads = own.map(({ page, profileId, analysis, window }): ComparedLoad => {
      const group = pages.find(({ name }) => name === page)?.connections ?? 'cold';
      return { label: profileId, group, analysis, ...(window && { window }) };
    });
    const title = `${recipeOf(first)} over ${link.name}: one load of each profile`;
    return [{ name: `captures-${key}`, title, svg: loadComparisonSvg(loads, { title, subtitle: linkFigures(link) }) }];
  });
}

/** File systems take names of 255 bytes, and page and link need their part. Chosen, not measured. */
const MAX_IN_NAME = 80;

/** An expression may be longer than the name of a file; of a long one a digest tells it from others. */
function inFileName(profileId: string): string {
  const plain = profileId.replaceAll('network.http.', '').replace(/[^a-z0-9.-]+/gi, '-');
  if (plain.length <= MAX_IN_NAME) return plain;
  return `${plain.slice(0, MAX_IN_NAME)}-${createHash('sha256').update(profileId).digest('hex').slice(0, 12)}`;
}

function picturesOf({ page, link, profileId, analysis, window }: StudyCapture): readonly StudyPicture[] {
  const name = `${page}-${link}-${inFileName(profileId)}`;
  const rows = connectionRowsSvg(analysis, { title: `${page} over ${link}, ${profileId}`, ...(window && { window }) });
  const shown = window ? connectionsInWindow(analysis, window).map(({ connection }) => connection) : analysis.connections;
  const busiest = shown.reduce<ConnectionAnalysis | undefined>(
    (most, each) => (most && most.down.dataBytes >= each.down.dataBytes ? most : each),
    undefined,
  );
  const sequence = busiest && timeSequenceSvg(busiest, { title: `${page} over ${link}, ${profileId}`, ...window });
  return [
    { name: `rows-${name}`, title: `Connections of ${profileId} on ${page} over ${link}`, svg: rows },
    ...(sequence === undefined
      ? []
      : [
          {
            name: `sequence-${name}`,
            title: `Time and sequence: ${profileId} on ${page} over ${link}`,
            svg: sequence,
          },
        ]),
  ];
}
