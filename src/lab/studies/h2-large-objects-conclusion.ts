/** First the check, then what the windows do where it holds, then what this rests on. Pure. */
import { counted, percent } from '../../core/compare/plain-words.ts';
import { groupBy } from '../../core/group-by.ts';
import type { LinkSpec } from '../link/link-spec.ts';
import { drawsToPart, HELD_BACK_FROM, SWINGS_FROM, TIMES_SHIPPED, type WindowFinding } from './h2-large-objects-effects.ts';
import { WINDOW_MS } from './h2-large-objects-rate.ts';
import { bytesInWords, IN_WINDOWS, percentRange } from './h2-large-objects-words.ts';

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
