/** Whether the receive window explains the swings: in sentences that hold for what was measured, whatever that was. Pure. */
import { percent } from '../../core/compare/plain-words.ts';
import { groupBy } from '../../core/group-by.ts';
import type { LargeObjectCell } from './h2-large-objects-cells.ts';
import { bandwidthDelayBytes, windowCourse } from './h2-large-objects-window.ts';
import { bytesInWords, megabits, PROTOCOL_WORDS } from './h2-large-objects-words.ts';
import type { SeedComparison } from './study-findings.ts';

/** A rate swings where it varies by at least this, and at least twice as much as with what Firefox ships. Our own choice. */
const SWINGS_FROM = 0.1;
const TIMES_SHIPPED = 2;
/** A profile is held back where it gets this much less of the link than what Firefox ships. */
const HELD_BACK_FROM = 0.05;

type Rate = NonNullable<LargeObjectCell['rate']>;
interface RatedCell extends LargeObjectCell {
  readonly rate: Rate;
}

/** One window of HTTP/2 over one link, beside what Firefox ships on the same page. */
export interface WindowFinding {
  readonly cell: RatedCell;
  readonly shipped: RatedCell;
  readonly effect: 'swings' | 'slow' | 'none';
}

export function windowFindings(cells: readonly LargeObjectCell[], baseline: string): readonly WindowFinding[] {
  const rated = cells.filter(isRated).filter(({ page }) => page.servedBy === 'http2');
  return rated.flatMap((cell) => {
    const shipped = rated.find(({ page, link, profile }) => page === cell.page && link === cell.link && profile.id === baseline);
    return shipped === undefined || shipped === cell ? [] : [{ cell, shipped, effect: effectOf(cell.rate, shipped.rate) }];
  });
}

function effectOf(own: Rate, shipped: Rate): WindowFinding['effect'] {
  if (own.variation >= SWINGS_FROM && own.variation >= TIMES_SHIPPED * shipped.variation) return 'swings';
  return shipped.shareOfLink - own.shareOfLink >= HELD_BACK_FROM ? 'slow' : 'none';
}

export function answerOf(cells: readonly LargeObjectCell[], baseline: string): readonly string[] {
  const findings = windowFindings(cells, baseline);
  if (findings.length === 0) {
    return [
      'Too little was measured for an answer: it needs a large object over HTTP/2, with what Firefox ships and with another window, long enough for five windows of 100 ms.',
    ];
  }
  return [
    conclusion(findings),
    ...shippedSentences(cells, baseline),
    ...findings.filter(isTelling).map(windowSentence),
    ...otherSentences(cells, baseline),
  ];
}

const isTelling = ({ effect }: WindowFinding): boolean => effect !== 'none';

function conclusion(findings: readonly WindowFinding[]): string {
  const swinging = findings.filter(({ effect }) => effect === 'swings');
  const slow = findings.filter(({ effect }) => effect === 'slow');
  const shippedSwings = findings.some(({ shipped }) => shipped.rate.variation >= SWINGS_FROM);
  const names = (of: readonly WindowFinding[]) =>
    [...new Set(of.map(({ cell }) => `${bytesInWords(cell.windowBytes)} over ${cell.link.name}`))].join(', ');
  const small =
    swinging.length === 0
      ? 'No window that was tried makes the rate swing'
      : `A small window does make the rate swing (${names(swinging)})`;
  const held = slow.length === 0 ? '' : `; ${names(slow)} hold it back evenly`;
  const shipped = shippedSwings
    ? 'but over HTTP/2 the rate swings with what Firefox ships as well, so the window is not all of it'
    : 'and with what Firefox ships nothing swings over HTTP/2, so the window explains no swings that its users see on such links';
  return `${small}${held}; ${shipped}.`;
}

function shippedSentences(cells: readonly LargeObjectCell[], baseline: string): readonly string[] {
  const shipped = cells.filter(isRated).filter(({ profile }) => profile.id === baseline);
  return [...groupBy(shipped, ({ link }) => link)].map(([link, own]) => {
    const parts = own.map(
      ({ page, rate }) =>
        `${PROTOCOL_WORDS[page.servedBy]} (${page.name}) ${megabits(rate.meanKbps)}, varying by ${percent(rate.variation)}`,
    );
    return `With what Firefox ships, over RTT ${link.rttMs} ms and ${megabits(link.downKbps)}: ${parts.join('; ')}.`;
  });
}

function windowSentence({ cell, shipped, effect }: WindowFinding): string {
  const { link, windowBytes, rate, page } = cell;
  const course = windowCourse(windowBytes, link);
  const product = bandwidthDelayBytes(link);
  const enough =
    windowBytes >= product
      ? `though the window is larger than the ${bytesInWords(product)} the link holds`
      : `where the link holds ${bytesInWords(product)}`;
  const cost = `${megabits(rate.meanKbps)} against ${megabits(shipped.rate.meanKbps)}`;
  const swing =
    effect === 'swings'
      ? `varies by ${percent(rate.variation)} (shipped: ${percent(shipped.rate.variation)})`
      : `varies by ${percent(rate.variation)}`;
  const cause =
    course.pauseMs > 0
      ? ` Firefox acknowledges when ${bytesInWords(course.leftBytes)} are left; those last less than a round trip, and the server pauses for ${course.pauseMs.toFixed(0)} ms in every cycle, which leaves ${percent(course.share)} of the link by arithmetic.`
      : ' By arithmetic the server should never have to pause.';
  return `${bytesInWords(windowBytes)} over ${link.name} (${page.name}): ${cost}, ${enough}; the rate ${swing}.${cause}`;
}

/** HTTP/1.1, which has no window of its own, and HTTP/3, which has one of the same size. */
function otherSentences(cells: readonly LargeObjectCell[], baseline: string): readonly string[] {
  const rated = cells.filter(isRated).filter(({ page }) => page.servedBy !== 'http2');
  return [...groupBy(rated, ({ page, link }) => `${page.name} ${link.name}`).values()].flatMap((own) => {
    const shipped = own.find(({ profile }) => profile.id === baseline);
    const [first] = own;
    const worst = own.reduce<RatedCell | undefined>(
      (low, cell) => (low && low.rate.meanKbps <= cell.rate.meanKbps ? low : cell),
      undefined,
    );
    if (!shipped || !worst || !first || own.length < 2) return [];
    const beside = `${megabits(worst.rate.meanKbps)} at the least (${worst.profile.id}) against ${megabits(shipped.rate.meanKbps)}`;
    const reach =
      first.page.servedBy === 'http3'
        ? 'the window of a response set to the same sizes'
        : 'the same profiles, whose preferences it does not have';
    return [
      `${PROTOCOL_WORDS[first.page.servedBy]} over ${first.link.name}, ${reach}: ${beside}, variation up to ${percent(Math.max(...own.map(({ rate }) => rate.variation)))}.`,
    ];
  });
}

const isRated = (cell: LargeObjectCell): cell is RatedCell => cell.rate !== undefined;

export function besidesTheCommit(cells: readonly LargeObjectCell[], baseline: string): readonly SeedComparison[] {
  const shipped = cells.filter(isRated).filter(({ profile, page }) => profile.id === baseline && page.servedBy === 'http2');
  const shown = shipped.map(({ page, link, rate }) => `${page.name} over ${link.name}: ${percent(rate.variation)}`).join(', ');
  return [
    {
      what: 'swings of large objects over HTTP/2',
      seed: '"unexplained performance variations", gone with the fix ("a much more stable bit rate")',
      ours: shown === '' ? 'not measured' : `variation of the rate with what Firefox ships: ${shown}`,
      why: 'the fault was memory moved within the proxy up to 10,000 times a second, seen at tens of Gbit/s; it is repaired in every HAProxy since 2.0, and these links are a thousand times slower',
    },
    {
      what: 'rate at which it was seen',
      seed: '60 Gbit/s (one realignment in 15 s once repaired)',
      ours: shown === '' ? 'not measured' : `${[...new Set(shipped.map(({ link }) => megabits(link.downKbps)))].join(' and ')}`,
      why: 'a browser on the links of people; what can swing here is the flow control between it and the proxy',
    },
  ];
}
