/** Whether the receive window explains the swings: in sentences that hold for what was measured, whatever that was. Pure. */
import { counted, percent } from '../../core/compare/plain-words.ts';
import { groupBy } from '../../core/group-by.ts';
import type { LargeObjectCell } from './h2-large-objects-cells.ts';
import { conclusion } from './h2-large-objects-conclusion.ts';
import { isRated, type RatedCell, type WindowFinding, windowFindings } from './h2-large-objects-effects.ts';
import { bandwidthDelayBytes, windowCourse } from './h2-large-objects-window.ts';
import { bytesInWords, IN_WINDOWS, megabits, megabitsRange, PROTOCOL_WORDS, percentRange } from './h2-large-objects-words.ts';

export function answerOf(cells: readonly LargeObjectCell[], baseline: string): readonly string[] {
  const findings = windowFindings(cells, baseline);
  if (findings.every(({ check }) => check)) {
    return [
      `Too little was measured for an answer: it needs a large object over HTTP/2, with what Firefox ships and with another window, long enough for a rate ${IN_WINDOWS}.`,
    ];
  }
  return [
    ...conclusion(findings),
    ...shippedSentences(cells, baseline),
    ...findings.filter(({ effect }) => effect !== 'none').map(windowSentence),
    ...otherSentences(cells, baseline),
  ];
}

function shippedSentences(cells: readonly LargeObjectCell[], baseline: string): readonly string[] {
  const shipped = cells.filter(isRated).filter(({ profile }) => profile.id === baseline);
  return [...groupBy(shipped, ({ link }) => link)].map(([link, own]) => {
    const parts = own.map(({ page, rate }) => {
      const varies = `varying by ${percent(rate.variation)} (${percentRange(rate.spread.variation)}; ${counted(rate.loads, 'load')})`;
      return `${PROTOCOL_WORDS[page.servedBy]} (${page.name}) ${megabits(rate.meanKbps)}, ${varies}`;
    });
    return `With what Firefox ships, over RTT ${link.rttMs} ms and ${megabits(link.downKbps)}, ${IN_WINDOWS}: ${parts.join('; ')}.`;
  });
}

function windowSentence({ cell, shipped }: WindowFinding): string {
  const { link, windowBytes, page } = cell;
  const course = windowCourse(windowBytes, link);
  const product = bandwidthDelayBytes(link);
  const enough =
    windowBytes >= product
      ? `though the window is larger than the ${bytesInWords(product)} the link holds`
      : `where the link holds ${bytesInWords(product)}`;
  const swing = `${IN_WINDOWS} the rate ${variesBy(cell)} (shipped: ${variesBy(shipped)})`;
  const cause =
    course.pauseMs > 0
      ? ` By arithmetic: Firefox acknowledges when ${bytesInWords(course.leftBytes)} are left; those last less than a round trip, so the server would pause for ${course.pauseMs.toFixed(0)} ms in every cycle, which would leave ${percent(course.share)} of the link.`
      : ' By arithmetic the server should never have to pause.';
  return `${bytesInWords(windowBytes)} over ${link.name} (${page.name}): ${rateText(cell)} against ${rateText(shipped)}, ${enough}; ${swing}.${cause}`;
}

const rateText = ({ rate }: RatedCell): string =>
  `${megabits(rate.meanKbps)} (${megabitsRange(rate.spread.meanKbps)} over ${counted(rate.loads, 'load')})`;

const variesBy = ({ rate }: RatedCell): string => `varies by ${percent(rate.variation)}, ${percentRange(rate.spread.variation)}`;

/** HTTP/1.1, which has no window of its own, and HTTP/3, which has one of the same size. */
function otherSentences(cells: readonly LargeObjectCell[], baseline: string): readonly string[] {
  const rated = cells.filter(isRated).filter(({ page }) => page.servedBy !== 'http2');
  return [...groupBy(rated, ({ page, link }) => `${page.name} ${link.name}`).values()].flatMap((own) => {
    const shipped = own.find(({ profile }) => profile.id === baseline);
    const [first, ...others] = own.filter((cell) => cell !== shipped);
    if (shipped === undefined || first === undefined) return [];
    const slowest = others.reduce((low, cell) => (cell.rate.meanKbps < low.rate.meanKbps ? cell : low), first);
    const beside = `${rateText(slowest)} with ${slowest.profile.id} against ${rateText(shipped)}`;
    const chosen = others.length === 0 ? '' : `, the slowest of ${others.length + 1} profiles, chosen after the fact`;
    const reach =
      first.page.servedBy === 'http3'
        ? 'the window of a response set to the same sizes'
        : 'the same profiles, whose preferences it does not have';
    const variation = `variation ${IN_WINDOWS} up to ${percent(Math.max(...own.map(({ rate }) => rate.variation)))}`;
    return [`${PROTOCOL_WORDS[first.page.servedBy]} over ${first.link.name}, ${reach}: ${beside}${chosen}; ${variation}.`];
  });
}
