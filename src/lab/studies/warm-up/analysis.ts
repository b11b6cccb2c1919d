/**
 * The cost of the first request over a connection, the saving of an open connection, and the effect of receive buffers and early connections. Pure.
 */
import { groupBy } from '../../../core/group-by.ts';
import { counted, percent, UNKNOWN } from '../../../core/text/figures.ts';
import { MANY_ORIGINS } from '../../pages/study-pages.ts';
import { changeText, intervalText, shortVerdict } from '../comparisons.ts';
import { comparedWith, figureColumn as figure, type StudyFindings, type StudyTable, tableOf, textColumn as text } from '../findings.ts';
import type { StudyData } from '../study.ts';
import { warmUpPictures } from '../table-pictures.ts';
import {
  coldOf,
  FAR_FROM_MS,
  firstToLater,
  firstToLaterWithSetUp,
  firstWithSetUpMs,
  heldUp,
  laterRatio,
  objectBytes,
  ownBufferOf,
  rangeHoldsMedian,
  type SequenceCell,
  type Spread,
  sequenceCells,
  sparedMs,
  spreadOf,
} from './sequences.ts';
import { allOnDemand, type SpeculationCell, type SpeculationVerdicts, speculationCells, speculationVerdicts } from './speculation.ts';

/** Fewer loads of a page over a link are no ground for a sentence. */
const MIN_LOADS = 2;
/** Two medians closer than this are called the same. Between loads of an idle lab those of 20 ms differ by 2 to 3 %. */
const SAME = 0.05;

/** The answer leaves out pages over links with fewer than two loads. */
export function warmUpFindings(data: StudyData): StudyFindings {
  const { study } = data;
  const cells = sequenceCells(data);
  const speculation = speculationCells(data);
  const verdicts = speculationVerdicts(data);
  const tables = [
    firstAndLaterTable(cells.filter(({ link }) => link.receiveBufferBytes === undefined)),
    bufferTable(cells),
    speculationTable(speculation),
    verdictTable(verdicts, study.baseline),
  ];
  return {
    tables: tables.filter(({ rows }) => rows.length > 0),
    answer: answerOf(
      cells.filter(({ loads }) => loads >= MIN_LOADS),
      speculation,
    ),
    comparisonWithOriginal: comparedWith(study, surveyedHere(cells)),
    pictures: warmUpPictures(tables),
    figures: {
      sequences: cells.map(({ page, link, ...cell }) => ({
        page: page.name,
        link: link.name,
        bytes: objectBytes(page),
        connections: page.connections,
        ...cell,
        heldUp: heldUp({ page, link, ...cell }),
      })),
      speculation: speculation.map(({ link, ...cell }) => ({ link: link.name, ...cell })),
      verdicts: verdicts && { ...verdicts, versus: Object.fromEntries(verdicts.versus) },
    },
  };
}

function answerOf(cells: readonly SequenceCell[], speculation: readonly SpeculationCell[]): readonly string[] {
  const cold = cells.filter(({ page }) => page.connections === 'cold');
  const own = cold.filter(({ link }) => link.receiveBufferBytes === undefined);
  const sizes = [...groupBy(own, ({ page }) => objectBytes(page))].map(([bytes, each], at) => {
    const ratios = each.flatMap((cell) => firstToLaterWithSetUp(cell)?.middle ?? []);
    return `${timesRange(ratios)}${at === 0 ? ' as long as a later one' : ''} with objects of ${bytesText(bytes)}`;
  });
  const slowed = cold.flatMap((cell) => {
    const kernels = ownBufferOf(cell, cells);
    const ratio = kernels && laterRatio(cell, kernels)?.middle;
    return kernels === undefined || kernels === cell || ratio === undefined || ratio <= 1 + SAME ? [] : [{ cell, kernels, ratio }];
  });
  const [slowest] = slowed.toSorted((a, b) => b.ratio - a.ratio);
  return [
    ...(sizes.length === 0 ? [] : [`With the handshake, the first request on a new connection takes ${sizes.join(' and ')}.`]),
    ...(slowest === undefined
      ? []
      : [
          `A later request takes longest with a receive buffer of ${bytesText(slowest.cell.link.receiveBufferBytes ?? 0)} over ${slowest.kernels.link.name}: ${timesText(slowest.ratio)} as long as with the kernel's own, for ${bytesText(objectBytes(slowest.cell.page))}.`,
        ]),
    ...onDemandLine(speculation),
  ];
}

function onDemandLine(cells: readonly SpeculationCell[]): readonly string[] {
  const byProfile = [...groupBy(cells, ({ profileId }) => profileId)];
  if (byProfile.length < 2) return [];
  const parts = byProfile.map(([id, own]) => `${serversText(own.flatMap(({ onDemand }) => onDemand))} with ${id}`);
  const none = allOnDemand(cells) ? ' No connection was opened ahead of need, so what one would spare is not shown.' : '';
  return [`Of ${MANY_ORIGINS} servers, connected to only on demand: ${parts.join(', ')}.${none}`];
}

/** `20.9`, `412`, `2,209`. */
const msText = (ms: number | undefined): string => (ms === undefined ? UNKNOWN : digits(ms));
const digits = (value: number): string => (Math.abs(value) < 99.95 ? value.toFixed(1) : Math.round(value).toLocaleString('en'));

/** `1 KiB`, `64 KiB`, `512 B`: of 1,024 bytes, as the survey counts. */
const bytesText = (bytes: number): string => (bytes < 1024 ? `${bytes} B` : `${Number((bytes / 1024).toFixed(1))} KiB`);

/** `2.0 times`, `107 times`. */
export const timesText = (ratio: number): string => `${digits(ratio)} times`;

/** `2.0 times`, `1.9 to 3.6 times`. */
export function timesRange(ratios: readonly number[]): string {
  const [low, high] = [digits(Math.min(...ratios)), digits(Math.max(...ratios))];
  return low === high ? `${low} times` : `${low} to ${high} times`;
}

/** `1.50 (1.47 to 1.52)`. */
const ratioText = (spread: Spread | undefined): string | undefined =>
  spread && `${spread.middle.toFixed(2)} (${spread.low.toFixed(2)} to ${spread.high.toFixed(2)})`;

/** `582 (581 to 583)`, ms. */
const msSpreadText = (spread: Spread | undefined): string | undefined =>
  spread && `${msText(spread.middle)} (${msText(spread.low)} to ${msText(spread.high)})`;

const connectionColumn = text<SequenceCell>('connection', ({ page }) => (page.connections === 'cold' ? 'new' : 'open already'));

/** `6`, or `5 (1 otherwise)` where requests did not come one after another over one connection. */
const loadsColumn = figure<SequenceCell>('loads', ({ loads, otherwise }) =>
  otherwise === 0 ? loads : `${loads} (${otherwise} otherwise)`,
);

function firstAndLaterTable(cells: readonly SequenceCell[]): StudyTable {
  const ofNew = <Figure>(cell: SequenceCell, of: (cell: SequenceCell) => Figure) =>
    cell.page.connections === 'cold' ? of(cell) : undefined;
  const spared = (cell: SequenceCell) => {
    const fresh = cell.page.connections === 'cold' ? undefined : coldOf(cell, cells);
    return fresh && sparedMs(cell, fresh);
  };
  return tableOf(
    `First request on a connection against the later ones, ms, with the kernel's own receive buffer: ${mediansOf(cells)}`,
    cells,
    [
      text('link', ({ link }) => link.name),
      figure('RTT, ms', ({ link }) => link.rttMs),
      figure('object', ({ page }) => bytesText(objectBytes(page))),
      connectionColumn,
      loadsColumn,
      figure('handshake', ({ setUpMs }) => msText(setUpMs)),
      figure('first, without handshake', ({ firstMs }) => msText(firstMs)),
      figure('first, with handshake', (cell) => msText(ofNew(cell, firstWithSetUpMs))),
      figure('later', ({ laterMs }) => msText(laterMs)),
      figure('first / later, without handshake', (cell) => ratioText(firstToLater(cell))),
      figure('first / later, with handshake', (cell) => ratioText(ofNew(cell, firstToLaterWithSetUp))),
      figure('less than on a new connection', (cell) => msSpreadText(spared(cell))),
    ],
  );
}

/** `medians of 3 profiles x 2 loads, in brackets lowest to highest load (of 6: a 97 % interval of the median)`. */
function mediansOf(cells: readonly SequenceCell[]): string {
  const byProfile = cells.map(({ each }) => [...groupBy(each, ({ profileId }) => profileId).values()].map(({ length }) => length));
  const [profiles, ...otherProfiles] = new Set(byProfile.map(({ length }) => length));
  const [repeats, ...otherRepeats] = new Set(byProfile.flat());
  if (profiles === undefined || repeats === undefined || otherProfiles.length + otherRepeats.length > 0)
    return 'medians of the loads of all profiles together, in brackets lowest to highest load';
  const loads = profiles * repeats;
  const interval = loads < 2 ? '' : ` (of ${loads}: a ${percent(rangeHoldsMedian(loads))} interval of the median)`;
  return `medians of ${counted(profiles, 'profile')} x ${counted(repeats, 'load')}, in brackets lowest to highest load${interval}`;
}

/** In the survey's form, with what held the answers up. */
function bufferTable(cells: readonly SequenceCell[]): StudyTable {
  const times = (name: string, of: (cell: SequenceCell) => number) => figure<SequenceCell>(name, (cell) => msText(of(cell)));
  const title = `By receive buffer of the client (net.ipv4.tcp_rmem), ms from request to last byte, without the handshake: ${mediansOf(cells)}`;
  return tableOf(title, [...cells].sort(byPageThenBuffer), [
    text('link', ({ link }) => link.name),
    figure('RTT, ms', ({ link }) => link.rttMs),
    figure('buffer', ({ link }) => (link.receiveBufferBytes === undefined ? 'own' : bytesText(link.receiveBufferBytes))),
    figure('object', ({ page }) => bytesText(objectBytes(page))),
    connectionColumn,
    loadsColumn,
    times('1st', ({ firstMs }) => firstMs),
    times('2nd', ({ secondMs }) => secondMs),
    times('later', ({ laterMs }) => laterMs),
    times('average', ({ averageMs }) => averageMs),
    times('max', ({ maxMs }) => maxMs),
    times('min', ({ minMs }) => minMs),
    figure("later, times the kernel's own", (cell) => {
      const own = ownBufferOf(cell, cells);
      return own === undefined || own === cell ? undefined : ratioText(laterRatio(cell, own));
    }),
    figure('bytes per round trip, estimated', (cell) => {
      const held = heldUp(cell);
      return held?.by === 'window' ? `${(held.bytesPerRoundTrip / 1000).toFixed(1)} kB` : held && "held up by the sender's timer";
    }),
  ]);
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

/** A row per link and profile; with one or two loads each, every figure instead of their middle. */
function speculationTable(cells: readonly SpeculationCell[]): StudyTable {
  const few = cells.every(({ loads }) => loads <= 2);
  const each = (values: readonly number[]) => (values.length <= 2 ? values.map(msText).join(', ') : msSpreadText(spreadOf(values)));
  const title = `Connections ahead of need: first requests to ${MANY_ORIGINS} servers at once, ms, ${few ? 'every load' : 'median, lowest to highest load'}`;
  return tableOf(title, cells, [
    text('link', ({ link }) => link.name),
    text('profile', ({ profileId }) => profileId),
    figure('loads', ({ loads }) => loads),
    figure(`connected to on demand, of ${MANY_ORIGINS} servers`, ({ onDemand }) => (few ? onDemand.join(', ') : serversText(onDemand))),
    figure('first byte', ({ firstByteMs }) => each(firstByteMs)),
    figure('all answered', ({ allMs }) => each(allMs)),
  ]);
}

/** `11`, `3 to 5`. */
function serversText(servers: readonly number[]): string {
  const [low, high] = [Math.min(...servers), Math.max(...servers)];
  return low === high ? String(low) : `${low} to ${high}`;
}

function verdictTable(verdicts: SpeculationVerdicts | undefined, baseline: string): StudyTable {
  const title = `Connections ahead of need: efficiency of whole loads on new connections against ${baseline}${verdicts ? `, ${pooled(verdicts)}` : ''}`;
  return tableOf(
    title,
    [...(verdicts?.versus ?? [])],
    [
      text('profile', ([id]) => id),
      figure('pairs', ([, { pairs }]) => pairs),
      figure('efficiency', ([, { ratio }]) => changeText(ratio)),
      figure('interval', ([, versus]) => intervalText(versus)),
      text('verdict', ([, { verdict }]) => shortVerdict(verdict)),
    ],
  );
}

/** `pooled over 3 pages x 2 links, 95 % for 2 comparisons together`. */
const pooled = ({ pages, links, method: { alpha, intervals } }: SpeculationVerdicts): string =>
  `pooled over ${counted(pages, 'page')} x ${counted(links, 'link')}, ${percent(1 - alpha)} for ${counted(intervals, 'comparison')} together`;

/** Our figures under the keys of the survey's. */
function surveyedHere(cells: readonly SequenceCell[]): Readonly<Record<string, string | undefined>> {
  const small = cells.filter(({ page }) => objectBytes(page) === 1024);
  const isFar = ({ link }: SequenceCell) => link.rttMs >= FAR_FROM_MS;
  const find = (far: boolean, buffer: number | undefined, connections: 'cold' | 'warm') =>
    small.find((cell) => isFar(cell) === far && cell.link.receiveBufferBytes === buffer && cell.page.connections === connections);
  const averages = (far: boolean) => {
    const own = small.filter(
      (cell) => isFar(cell) === far && cell.link.receiveBufferBytes !== undefined && cell.page.connections === 'cold',
    );
    const parts = own.map(({ link, averageMs }) => `${bytesText(link.receiveBufferBytes ?? 0)} ${msText(averageMs)} ms`);
    return parts.length === 0 ? undefined : parts.join(', ');
  };
  const [cold, warm] = [find(true, 4096, 'cold'), find(true, 4096, 'warm')];
  const [smallest, kernels] = [find(false, 512, 'cold'), find(false, undefined, 'cold')];
  const first = cold && firstWithSetUpMs(cold);
  return {
    coldFar:
      cold && first !== undefined
        ? `${msText(first)} ms with the handshake, ${msText(cold.secondMs)} ms: ${timesText(first / cold.secondMs)}`
        : undefined,
    warmFar: warm && `${msText(warm.firstMs)} ms, ${msText(warm.secondMs)} ms: ${timesText(warm.firstMs / warm.secondMs)}`,
    smallestBuffer:
      smallest &&
      `${msText(smallest.averageMs)} ms${kernels ? `, ${timesText(smallest.averageMs / kernels.averageMs)} as long as with the kernel's own buffer` : ''}`,
    buffersFar: averages(true),
    buffersNear: averages(false),
  };
}
