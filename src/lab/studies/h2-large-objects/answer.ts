/** Whether the receive window explains the swings: in sentences that hold for what was measured, whatever that was. Pure. */

import { groupBy } from '../../../core/group-by.ts';
import { counted, percent } from '../../../core/text/figures.ts';
import type { LinkSpec } from '../../link/link-spec.ts';
import type { LargeObjectCell } from './cells.ts';
import {
  drawsToPart,
  HELD_BACK_FROM,
  isRated,
  type RatedCell,
  SWINGS_FROM,
  TIMES_SHIPPED,
  type WindowFinding,
  windowFindings,
} from './effects.ts';
import { WINDOW_MS } from './rate.ts';
import { bandwidthDelayBytes, windowCourse } from './window.ts';
import { bytesInWords, IN_WINDOWS, megabits, megabitsRange, PROTOCOL_WORDS, percentRange } from './words.ts';

/** First what holds at all, then each window, then the other protocols. */
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

/** @param findings - Of one other window than the shipped one at least. */
export function conclusion(findings: readonly WindowFinding[]): readonly string[] {
  const checks = findings.filter(({ check }) => check);
  const others = findings.filter(({ check }) => !check);
  const failed = checks.filter(({ effect }) => effect !== 'none');
  if (failed.length > 0) return [failedCheck(failed), ...limits(findings)];
  return [passedCheck(checks), whatWindowsDo(others), ...basis(others), ...limits(findings)];
}

function failedCheck(failed: readonly WindowFinding[]): string {
  const shown = failed.map(({ cell, shipped, effect }) => {
    const figures =
      effect === 'slow'
        ? `${percentRange(cell.rate.spread.shareOfLink)} of the link against ${percentRange(shipped.rate.spread.shareOfLink)}`
        : `varies by ${percentRange(cell.rate.spread.variation)} against ${percentRange(shipped.rate.spread.variation)}`;
    return `${cell.profile.id}, ${placeOf(cell)}: ${EFFECT_WORDS[effect]}, ${figures}`;
  });
  return `No conclusion: what sets the very window that is shipped differs from it as well ${IN_WINDOWS} (${shown.join('; ')}), so something else than the window made a difference. Measure again on an idle machine.`;
}

const EFFECT_WORDS: Readonly<Record<WindowFinding['effect'], string>> = {
  swings: 'swings',
  slow: 'held back',
  open: 'its loads disagree',
  none: 'no effect',
};

function passedCheck(checks: readonly WindowFinding[]): string {
  if (checks.length === 0)
    return 'The check: no profile that sets the very window that is shipped was loaded, so nothing checks these figures.';
  const ids = [...new Set(checks.map(({ cell }) => cell.profile.id))].join(', ');
  const spreads = checks.flatMap(({ cell }) => [cell.rate.spread.variation.low, cell.rate.spread.variation.high]);
  const varies = `varies by ${percentRange({ low: Math.min(...spreads), high: Math.max(...spreads) })}`;
  return `The check: ${ids}, which sets what is shipped, has no effect in ${counted(checks.length, 'scenario')} of ${checks.length}, as must be (its rate ${varies} ${IN_WINDOWS}).`;
}

function whatWindowsDo(findings: readonly WindowFinding[]): string {
  const swinging = named(findings, 'swings');
  const parts = [
    swinging === ''
      ? `${capital(IN_WINDOWS)} the rate swings with no receive window that was tried (${windowsOf(findings)})`
      : `${capital(IN_WINDOWS)} the rate swings with a receive window of ${swinging}`,
    ...clause(named(findings, 'slow'), (names) => `it is held back without swinging in them with ${names}`),
    ...clause(named(findings, 'open'), (names) => `the loads disagree with ${names}`),
    shippedPart(findings),
  ];
  return `${parts.join('; ')}.`;
}

const clause = (names: string, sentence: (names: string) => string): readonly string[] => (names === '' ? [] : [sentence(names)]);
const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
const placeOf = ({ page, link }: WindowFinding['cell']): string => `${page.name} over ${link.name}`;
const windowsOf = (findings: readonly WindowFinding[]): string =>
  [...new Set(findings.map(({ cell }) => bytesInWords(cell.windowBytes)))].join(', ');

/** `256 KiB (2 of 4 scenarios: h2-10mb over rtt100-20m, h2-50mb over rtt20-50m)`. */
function named(findings: readonly WindowFinding[], effect: WindowFinding['effect']): string {
  return [...groupBy(findings, ({ cell }) => cell.windowBytes)]
    .flatMap(([bytes, own]) => {
      const having = own.filter((finding) => finding.effect === effect).map(({ cell }) => placeOf(cell));
      if (having.length === 0) return [];
      return [`${bytesInWords(bytes)} (${having.length} of ${counted(own.length, 'scenario')}: ${having.join(', ')})`];
    })
    .join(' and ');
}

function shippedPart(findings: readonly WindowFinding[]): string {
  const swinging = new Set(
    findings.filter(({ shipped }) => shipped.rate.spread.variation.high >= SWINGS_FROM).map(({ shipped }) => shipped),
  );
  if (swinging.size > 0)
    return `but with what Firefox ships it varies by ${percent(SWINGS_FROM)} or more as well, in a load at least (${[...swinging].map(placeOf).join(', ')}), so the window is not all of it`;
  const links = linksOf(findings);
  const lossless = links.every(({ lossDown, lossUp }) => !lossDown && !lossUp) ? ', without random loss' : '';
  return `with what Firefox ships it does not swing, so the shipped window is not seen to cause swings over ${links.map(({ name }) => name).join(' and ')}${lossless}; other links were not measured`;
}

const linksOf = (findings: readonly WindowFinding[]): readonly LinkSpec[] => [...new Set(findings.map(({ cell }) => cell.link))];

/** The bars, and how often chance alone would part so few loads. */
function basis(findings: readonly WindowFinding[]): readonly string[] {
  const telling = findings.filter(({ effect }) => effect === 'swings' || effect === 'slow');
  if (telling.length === 0) return [];
  const bars = `a rate swings where in every load it varies by ${percent(SWINGS_FROM)} or more and at least ${TIMES_SHIPPED} times as much as in any load with what is shipped, and is held back where every load gets at least ${percent(HELD_BACK_FROM)} of the link less than any with what is shipped`;
  const chance = `Were there no difference, chance alone would part so few loads in at most 1 of ${Math.min(...telling.map(drawsToPart))} scenarios; ${telling.length} of ${findings.length} part.`;
  return [`Our own bars: ${bars}. ${chance}`];
}

/** What windows of 100 ms cannot tell. */
function limits(findings: readonly WindowFinding[]): readonly string[] {
  const links = linksOf(findings);
  const nameRtt = ({ name, rttMs }: LinkSpec) => `${name} (${rttMs} ms)`;
  const short = links.filter(({ rttMs }) => rttMs < WINDOW_MS).map(nameRtt);
  const inStep = links.filter(({ rttMs }) => rttMs >= WINDOW_MS && rttMs % WINDOW_MS === 0).map(nameRtt);
  const parts = [
    ...(short.length > 0 ? [`pauses within the round trip of ${short.join(', ')} do not show in them`] : []),
    ...(inStep.length > 0
      ? [`they keep step with the round trip of ${inStep.join(', ')}, so that pauses in every round trip may look even`]
      : []),
  ];
  return parts.length === 0 ? [] : [`Of windows of ${WINDOW_MS} ms: ${parts.join('; ')}.`];
}
