/** The recommendation in sentences: the answer first, then the figure, its uncertainty, and what it needs. */
import { assertNever } from '../errors.ts';
import { isPluralLabel, profileLabelWithId } from '../profiles/presets.ts';
import { BASELINE_ID } from '../profiles/profile.ts';
import { counted, formatRange, formatSeconds, percent, signedPercent, speedComparison } from '../text/figures.ts';
import { PROTOCOL_LABELS } from '../text/labels.ts';
import type { ComparedProfile, ProtocolComparison, Recommendation, RecommendedProfile } from './comparison.ts';
import { capitalised, formatFault, formatLoadsNeeded, formatPaint, noVerdictSentence, paintWords } from './format-verdict.ts';
import type { LoadsNeeded } from './loads-needed.ts';
import type { SlowerPage } from './page-harm.ts';
import type { PaintOutcome } from './paint-effect.ts';
import type { Candidate, RecommendationFinding, RecommendationFindings, Withheld } from './recommend.ts';
import type { Separation } from './separation.ts';
import type { ShrunkenGain } from './shrunken-gain.ts';
import { MEANINGFUL_CHANGE } from './thresholds.ts';

/** Findings with their sentences, as reports and `--json` hold them. */
export function formatRecommendation({ overall, settingsAlone }: RecommendationFindings, baseline: string): Recommendation {
  return {
    ...named(overall, baseline),
    sentence: sentenceOf(overall, baseline),
    ...gatewayOf(overall),
    settingsAlone: {
      ...named(settingsAlone, baseline),
      sentence: settingsAlone === overall ? sentenceOf(overall, baseline) : aloneSentence(settingsAlone, baseline),
    },
  };
}

/** A profile that is recommended for every protocol is recommended; where they differ, no profile is named for all. */
export function formatOverProtocols(protocols: readonly ProtocolComparison[]): Recommendation {
  const named = protocols.map(({ protocol, recommendation }) => ({ label: PROTOCOL_LABELS[protocol], recommendation }));
  const settingsAlone = overAll(named.map(({ label, recommendation }) => ({ label, one: recommendation.settingsAlone })));
  const overall = overAll(named.map(({ label, recommendation }) => ({ label, one: recommendation })));
  const gateway = overall.state === 'recommended' ? named[0]?.recommendation.gateway : undefined;
  return { ...overall, ...(gateway && { gateway }), settingsAlone };
}

type Plain = Recommendation['settingsAlone'];

function overAll(all: readonly { readonly label: string; readonly one: Plain }[]): Plain {
  const sentence = all.map(({ label, one }) => `${label}: ${one.sentence}`).join(' ');
  const [first] = all;
  const isSame = first !== undefined && all.every(({ one }) => one.state === first.one.state && one.profileId === first.one.profileId);
  if (isSame) return { profileId: first.one.profileId, state: first.one.state, sentence };
  return { profileId: null, state: 'none', sentence: `Each protocol has its own answer. ${sentence}` };
}

function aloneSentence(finding: RecommendationFinding, baseline: string): string {
  if (finding.state === 'none' && finding.because === 'all-need-gateway') return sentenceOf(finding, baseline);
  return `By settings alone: ${lowerFirst(sentenceOf(finding, baseline))}`;
}

function gatewayOf(finding: RecommendationFinding): Pick<Recommendation, 'gateway'> {
  if (finding.state !== 'recommended' || finding.chosen.profile.carrier !== 'gateway') return {};
  const { connections, depth } = finding.chosen.profile;
  return { gateway: { ...(connections !== undefined && { connections }), depth } };
}

function named(finding: RecommendationFinding, baseline: string): Omit<RecommendedProfile, 'sentence'> {
  switch (finding.state) {
    case 'recommended':
      return {
        profileId: finding.chosen.profile.id,
        state: finding.state,
        ...(finding.expected && { gain: finding.expected }),
        ...(finding.bestOf !== undefined && { bestOf: finding.bestOf }),
      };
    case 'keep-baseline':
      return { profileId: baseline, state: finding.state, ...(finding.within !== undefined && { within: finding.within }) };
    case 'need-more-loads': {
      const needed = neededBy(finding.closest)?.more;
      return { profileId: null, state: finding.state, ...(needed !== undefined && { loadsNeeded: needed }) };
    }
    case 'none':
      return { profileId: null, state: finding.state };
    default:
      return assertNever(finding);
  }
}

function sentenceOf(finding: RecommendationFinding, baseline: string): string {
  switch (finding.state) {
    case 'recommended':
      return recommendedSentence(finding, baseline);
    case 'keep-baseline':
      return keepSentence(finding, baseline);
    case 'need-more-loads':
      return [...finding.withheld.map(withheldSentence), openSentence(finding.closest, baseline)].join(' ');
    case 'none':
      return noneSentence(finding);
    default:
      return assertNever(finding);
  }
}

type Found<State extends RecommendationFinding['state']> = Extract<RecommendationFinding, { readonly state: State }>;

function recommendedSentence(finding: Found<'recommended'>, baseline: string): string {
  const { chosen, expected, dearer, withheld, bestOf } = finding;
  const { profile, shown, gain } = chosen;
  const than = baseline === BASELINE_ID ? '' : ` than ${baseline}`;
  const through = profile.carrier === 'gateway' ? ' through the gateway' : '';
  const is = isPluralLabel(profile.id) ? 'are' : 'is';
  const figure = figureOf({ ...gain, ...expected });
  const answer = `${profileLabelWithId(profile.id)} ${is} faster to the last byte${than}${through}: ${figure}${loadTimes(chosen, expected)}`;
  return [
    `${forPlainHttp(profile)}${answer}${slowerPagesWords(chosen.slowerPages)}.`,
    ...paintSentences(chosen.paints),
    ...(shown.against === baseline || shown.separation.ratio === undefined
      ? []
      : [`That counts what the gateway itself costs; the profile alone is ${speedComparison(shown.separation.ratio, shown.against)}.`]),
    ...(dearer === undefined ? [] : [notSurelyFaster(dearer)]),
    ...withheld.map(withheldSentence),
    ...(bestOf === undefined || bestOf <= 2 ? [] : [bestOfSentence(bestOf)]),
    ...depthNeeds(profile),
  ].join(' ');
}

/** A sure statement about all profiles, not only about the baseline. */
export const bestOfSentence = (profiles: number): string =>
  `Within ${percent(MEANINGFUL_CHANGE)} of the best of these ${profiles} profiles, for sure.`;

/** What the gateway cannot carry is said before what it gains. */
const forPlainHttp = ({ carrier }: ComparedProfile): string => (carrier === 'gateway' ? 'For plain http only: ' : '');

function notSurelyFaster({ profile: { id }, gain: { ratio } }: Candidate): string {
  const [are, cost] = isPluralLabel(id) ? ['are', 'cost'] : ['is', 'costs'];
  const measured = ratio === undefined ? '' : `, ${signedPercent(ratio - 1)} so far,`;
  return `${profileLabelWithId(id)}${measured} ${are} not surely ${percent(MEANINGFUL_CHANGE)} faster than that, and ${cost} more.`;
}

function keepSentence({ closest, because, within, withheld, withoutVerdict }: Found<'keep-baseline'>, baseline: string): string {
  const own = baseline === BASELINE_ID ? "Firefox's own settings" : baseline;
  const figure = `${profileLabelWithId(closest.profile.id)}, ${figureOf(closest.gain)}`;
  const found = {
    'none-better':
      within === undefined
        ? `Nothing is faster than ${own}. The closest is ${figure}.`
        : `Nothing to gain (within ${percent(within)}, ${counted(closest.gain.pairs, 'pair')} of loads): ${own} are as fast as any measured here.`,
    'gateway-takes-gain': `Keep ${own}. The closest is ${figure}: it is faster than ${closest.shown.against}, but the gateway that it needs takes the gain.`,
    'gain-of-gateway': `Keep ${own}. The closest is ${figure}, but it is not better than ${closest.shown.against}: the gain is the gateway's, not the profile's.`,
  }[because];
  const kept = withheld.length === 0 ? found : [`Keep ${own}.`, ...withheld.map(withheldSentence)].join(' ');
  const without = withoutVerdict.length === 0 ? '' : ` No verdict on ${withoutVerdict.map(({ profile }) => profile.id).join(', ')}.`;
  return `${kept}${without}`;
}

const neededBy = ({ shown: { separation }, gain }: Candidate): Pick<LoadsNeeded, 'more' | 'atMost'> | undefined =>
  separation.loadsNeeded === undefined ? gain.loadsNeeded : { more: separation.loadsNeeded.more, atMost: separation.loadsNeeded.atMost };

function openSentence(closest: Candidate, baseline: string): string {
  const { profile, gain } = closest;
  const against = baseline === BASELINE_ID ? '' : ` against ${baseline}`;
  const needed = formatLoadsNeeded(neededBy(closest));
  const isAhead = gain.ratio !== undefined && gain.ratio > 1;
  const found = isAhead ? 'Not enough data yet. The most promising:' : 'Not enough data yet: nothing looks faster so far. The closest:';
  return `${forPlainHttp(profile)}${profile.carrier === 'gateway' ? lowerFirst(found) : found} ${profileLabelWithId(profile.id)}, ${figureOf(gain)}${against}; ${needed}.`;
}

function noneSentence(finding: Found<'none'>): string {
  switch (finding.because) {
    case 'failed-checks':
      return failedChecksSentence(finding);
    case 'no-candidates':
      return 'No recommendation: there is no profile to compare with the baseline.';
    case 'all-need-gateway':
      return 'By settings alone there is nothing to recommend: every profile here needs the gateway.';
    case 'no-pairs':
      return 'No recommendation yet: no pair of loads is complete.';
    default:
      return assertNever(finding);
  }
}

function failedChecksSentence({ of, faults }: Extract<RecommendationFinding, { readonly because: 'failed-checks' }>): string {
  const reasons = new Set(faults.map((fault) => (of === 'baseline' ? `${capitalised(formatFault(fault))}.` : noVerdictSentence(fault))));
  const answer = faults.every(({ kind }) => kind === 'unrandomised') ? [] : ['No recommendation.'];
  return [...answer, ...reasons].join(' ');
}

/** `+13 % (+0.2 % to +28 %, 48 pairs of loads)`. */
function figureOf({ ratio, low, high, pairs }: Separation): string {
  if (ratio === undefined) return 'not measured';
  const range = low === undefined || high === undefined ? '' : `${formatRange(low, high)}, `;
  return `${signedPercent(ratio - 1)} (${range}${counted(pairs, 'pair')} of loads)`;
}

/** Its own time as the gain that is named would have it. */
function loadTimes({ times, gain }: Candidate, expected: ShrunkenGain | undefined): string {
  if (times === undefined) return '';
  const shrunk = expected === undefined || gain.ratio === undefined ? 1 : gain.ratio / expected.ratio;
  return `, ${formatSeconds(times.ownMs * shrunk)} instead of ${formatSeconds(times.againstMs)}`;
}

const PAINT_LABELS: Readonly<Record<PaintOutcome, string>> = { 'first-paint': 'first paint', 'largest-paint': 'largest paint' };

const paintSentences = (paints: Candidate['paints'] = []): readonly string[] =>
  paints.map((paint) => `${capitalised(PAINT_LABELS[paint.outcome])}: ${paintWords(formatPaint(paint))}.`);

/** `, but slower on news over slow (−12 %, −20 % to −4 %)`: pages count equally, so one may hide behind others. */
function slowerPagesWords(pages: Candidate['slowerPages'] = []): string {
  const named = (sure: boolean, words: string) => {
    const found = pages.filter(({ how }) => (how !== 'seems') === sure);
    if (found.length === 0) return [];
    const rest = found.length > MAX_PAGES ? ` and ${counted(found.length - MAX_PAGES, 'more page')}` : '';
    return [`${words} ${found.slice(0, MAX_PAGES).map(slowerPage).join(', ')}${rest}`];
  };
  const all = [...named(true, 'slower on'), ...named(false, 'perhaps slower on')];
  return all.length === 0 ? '' : `, but ${all.join(', ')}`;
}

/** A longer list says less than its length. Chosen, not measured. */
const MAX_PAGES = 3;

const slowerPage = ({ page, link, ratio, low, high }: SlowerPage): string =>
  `${page} over ${link} (${signedPercent(ratio - 1)}, ${formatRange(low, high)})`;

/** `16 connections (c16-d1) are faster to the last byte, +30 % (...), and not recommended: first paint is later, −9 % (...).` */
function withheldSentence({ candidate: { profile, gain }, slows }: Withheld): string {
  const [label, is] = [profileLabelWithId(profile.id), isPluralLabel(profile.id) ? 'are' : 'is'];
  const why =
    'paint' in slows
      ? `${PAINT_LABELS[slows.paint.outcome]} comes ${paintWords(formatPaint(slows.paint))}`
      : `slower on ${slowerPage(slows.page)}`;
  return `${label} ${is} faster to the last byte, ${figureOf(gain)}, and not recommended: ${why}.`;
}

/** What a depth needs to have an effect; the gateway has its own line. */
function depthNeeds({ depth, carrier }: ComparedProfile): readonly string[] {
  if (depth === 1) return [];
  switch (carrier) {
    case 'gateway':
      return [];
    case 'http2':
      return ['Its depth applies to HTTP/2 servers that set no limit of their own.'];
    case 'legacy':
      return ['Its depth needs a browser that still has HTTP/1.1 pipelining.'];
    case 'none':
      return ['Its depth has no effect here.'];
    default:
      return assertNever(carrier);
  }
}

/** `Nothing is`, not `4 connections`: what begins with a figure or a name stays as it is. */
const lowerFirst = (text: string): string =>
  /^(Nothing|Not|No|Keep|It|Can't) /.test(text) ? `${text.charAt(0).toLowerCase()}${text.slice(1)}` : text;
