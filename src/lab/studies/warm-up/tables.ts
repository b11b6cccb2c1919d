/** The tables of first and later requests of the warm-up study. */

import { groupBy } from '../../../core/group-by.ts';
import { counted, percent, UNKNOWN } from '../../../core/text/figures.ts';
import type { StudyTable } from '../findings.ts';
import { heldUp } from './held-up.ts';
import {
  coldOf,
  firstToLater,
  firstToLaterWithSetUp,
  firstWithSetUpMs,
  laterRatio,
  objectBytes,
  ownBufferOf,
  type SequenceCell,
  sparedMs,
} from './sequences.ts';
import { rangeHoldsMedian } from './spread.ts';
import { bytesText, kilobytes, msSpreadText, msText, ratioText } from './words.ts';

type Column = StudyTable['columns'][number];
const left = (name: string): Column => ({ name, align: 'left' });
const right = (name: string): Column => ({ name, align: 'right' });

/** Only of links whose client has the kernel's own receive buffer. */
export function firstAndLaterTable(all: readonly SequenceCell[]): StudyTable {
  const cells = all.filter(({ link }) => link.receiveBufferBytes === undefined);
  return {
    title: `First request on a connection against the later ones on it, ms: medians of ${loadsInWords(cells)}; the client has the kernel's own receive buffer`,
    columns: [
      left('link'),
      ...['RTT, ms', 'object'].map(right),
      left('connection'),
      ...['loads', 'handshake', 'first, without handshake', 'first, with handshake', 'later'].map(right),
      ...['first / later, without handshake', 'first / later, with handshake', 'less than on a new connection'].map(right),
    ],
    rows: cells.map((cell) => {
      const cold = cell.page.connections === 'cold';
      const fresh = cold ? undefined : coldOf(cell, cells);
      return [
        cell.link.name,
        String(cell.link.rttMs),
        bytesText(objectBytes(cell.page)),
        connectionText(cell),
        loadsText(cell),
        ...[cell.setUpMs, cell.firstMs, cold ? firstWithSetUpMs(cell) : undefined, cell.laterMs].map(msText),
        ratioText(firstToLater(cell)),
        cold ? ratioText(firstToLaterWithSetUp(cell)) : UNKNOWN,
        msSpreadText(fresh && sparedMs(cell, fresh)),
      ];
    }),
  };
}

const connectionText = ({ page }: SequenceCell): string => (page.connections === 'cold' ? 'new' : 'open already');

/** `6`, or `5 (1 otherwise)` where requests did not come one after another over one connection. */
const loadsText = ({ loads, otherwise }: SequenceCell): string => (otherwise === 0 ? String(loads) : `${loads} (${otherwise} otherwise)`);

/** `3 profiles x 2 loads, in brackets lowest to highest load (of 6: a 97 % interval of the median)`. */
function loadsInWords(cells: readonly SequenceCell[]): string {
  const byProfile = cells.map(({ each }) => [...groupBy(each, ({ profileId }) => profileId).values()].map(({ length }) => length));
  const profiles = onlyOne(byProfile.map(({ length }) => length));
  const repeats = onlyOne(byProfile.flat());
  if (profiles === undefined || repeats === undefined) return 'the loads of all profiles together, in brackets lowest to highest load';
  const loads = profiles * repeats;
  const interval = loads < 2 ? '' : ` (of ${loads}: a ${percent(rangeHoldsMedian(loads))} interval of the median)`;
  return `${counted(profiles, 'profile')} x ${counted(repeats, 'load')}, in brackets lowest to highest load${interval}`;
}

/** What all are; `undefined` where they differ. */
function onlyOne(values: readonly number[]): number | undefined {
  const different = [...new Set(values)];
  return different.length === 1 ? different[0] : undefined;
}

/** In the survey's form, with what held the answers up. */
export function bufferTable(cells: readonly SequenceCell[]): StudyTable {
  return {
    title: `By receive buffer of the client (net.ipv4.tcp_rmem), ms from request to last byte, without the handshake: ${loadsInWords(cells)}`,
    columns: [
      left('link'),
      ...['RTT, ms', 'buffer', 'object'].map(right),
      left('connection'),
      ...['loads', '1st', '2nd', 'later', 'average', 'max', 'min', "later, times the kernel's own"].map(right),
      right('bytes per round trip, estimated'),
    ],
    rows: [...cells].sort(byPageThenBuffer).map((cell) => {
      const own = ownBufferOf(cell, cells);
      return [
        cell.link.name,
        String(cell.link.rttMs),
        cell.link.receiveBufferBytes === undefined ? 'own' : bytesText(cell.link.receiveBufferBytes),
        bytesText(objectBytes(cell.page)),
        connectionText(cell),
        loadsText(cell),
        ...[cell.firstMs, cell.secondMs, cell.laterMs, cell.averageMs, cell.maxMs, cell.minMs].map(msText),
        own === undefined || own === cell ? UNKNOWN : ratioText(laterRatio(cell, own)),
        heldUpText(cell),
      ];
    }),
  };
}

function heldUpText(cell: SequenceCell): string {
  const held = heldUp(cell);
  if (held === undefined) return UNKNOWN;
  return held.by === 'window' ? kilobytes(held.bytesPerRoundTrip) : "held up by the sender's timer";
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
