/** The tables of the warm-up study. */
import type { VersusBaseline } from '../../core/compare/comparison.ts';
import { rangeInWords, signedPercent } from '../../core/compare/plain-words.ts';
import { UNKNOWN } from '../../core/report/figure-text.ts';
import type { StudyTable } from './study-findings.ts';
import { bytesPerRoundTrip, firstWithSetUpMs, objectBytes, type SequenceCell } from './warm-up-sequences.ts';
import type { SpeculationCell } from './warm-up-speculation.ts';

type Column = StudyTable['columns'][number];
const left = (name: string): Column => ({ name, align: 'left' });
const right = (name: string): Column => ({ name, align: 'right' });

/** `20.9`, `1023`. */
export const msText = (ms: number | undefined): string => ms?.toFixed(ms < 99.95 ? 1 : 0) ?? UNKNOWN;

/** `1 kB`, `64 kB`, `512 B`; 1 kB is 1,024 bytes, as the survey counts. */
export const bytesText = (bytes: number): string => (bytes < 1024 ? `${bytes} B` : `${Number((bytes / 1024).toFixed(1))} kB`);

const times = (ratio: number): string => `${ratio.toFixed(2)} x`;

export function firstAndLaterTable(cells: readonly SequenceCell[]): StudyTable {
  return {
    title: "First request over a connection against the later ones, ms, medians; the client has the kernel's own receive buffer",
    columns: [
      left('link'),
      ...['RTT, ms', 'object'].map(right),
      left('connection'),
      ...['loads', 'handshake', 'first', 'later', 'first / later', 'with handshake'].map(right),
    ],
    rows: cells
      .filter(({ link }) => link.receiveBufferBytes === undefined)
      .map((cell) => [
        cell.link.name,
        String(cell.link.rttMs),
        bytesText(objectBytes(cell.page)),
        cell.page.connections,
        loadsText(cell),
        ...[cell.setUpMs, cell.firstMs, cell.laterMs].map(msText),
        times(cell.firstMs / cell.laterMs),
        times(firstWithSetUpMs(cell) / cell.laterMs),
      ]),
  };
}

/** `6`, or `5 (1 otherwise)` where requests did not come one after another over one connection. */
const loadsText = ({ loads, otherwise }: SequenceCell): string => (otherwise === 0 ? String(loads) : `${loads} (${otherwise} otherwise)`);

/** In the survey's form, with the window that took effect. */
export function bufferTable(cells: readonly SequenceCell[]): StudyTable {
  return {
    title:
      'By receive buffer of the client (net.ipv4.tcp_rmem), ms from request to last byte; the last column is the window that took effect',
    columns: [
      left('link'),
      ...['RTT, ms', 'buffer', 'object'].map(right),
      left('connection'),
      ...['loads', '1st', '2nd', 'average', 'max', 'min', 'bytes a round trip'].map(right),
    ],
    rows: [...cells]
      .sort(byPageThenBuffer)
      .map((cell) => [
        cell.link.name,
        String(cell.link.rttMs),
        cell.link.receiveBufferBytes === undefined ? 'own' : bytesText(cell.link.receiveBufferBytes),
        bytesText(objectBytes(cell.page)),
        cell.page.connections,
        loadsText(cell),
        ...[cell.firstMs, cell.secondMs, cell.averageMs, cell.maxMs, cell.minMs].map(msText),
        bytesPerRoundTrip(cell)?.toFixed(0) ?? UNKNOWN,
      ]),
  };
}

function byPageThenBuffer(a: SequenceCell, b: SequenceCell): number {
  const keys = ({ link, page }: SequenceCell) => [
    link.rttMs,
    objectBytes(page),
    page.connections === 'cold' ? 0 : 1,
    link.receiveBufferBytes ?? Number.MAX_SAFE_INTEGER,
  ];
  const others = keys(b);
  return keys(a).reduce((order, key, at) => order || key - (others[at] ?? 0), 0);
}

export function speculationTable(
  cells: readonly SpeculationCell[],
  { verdicts, baseline }: { readonly verdicts: ReadonlyMap<string, VersusBaseline>; readonly baseline: string },
): StudyTable {
  return {
    title: `Connections ahead of need: first requests to eleven servers at once, ms, medians; verdict on whole loads over cold connections against ${baseline}`,
    columns: [
      left('link'),
      left('profile'),
      ...['loads', 'opened', 'first byte', 'all answered', 'efficiency', 'interval'].map(right),
      left('verdict'),
    ],
    rows: cells.map(({ link, profileId, loads, opened, firstByteMs, allMs }) => [
      link.name,
      profileId,
      String(loads),
      String(opened),
      msText(firstByteMs),
      msText(allMs),
      ...verdictCells(verdicts.get(profileId)),
    ]),
  };
}

function verdictCells(versus: VersusBaseline | undefined): readonly string[] {
  if (versus?.ratio === undefined) return [UNKNOWN, UNKNOWN, UNKNOWN];
  const { ratio, low, high, verdict } = versus;
  if (verdict === 'baseline') return [UNKNOWN, UNKNOWN, verdict];
  return [
    signedPercent(ratio - 1),
    low === undefined || high === undefined ? UNKNOWN : rangeInWords(low, high),
    verdict.replaceAll('-', ' '),
  ];
}
