/** Verdicts in words: why there is one, or why there is none. */
import { assertNever } from '../errors.ts';
import {
  type CoreLanguage,
  counted,
  formatChange,
  formatRange,
  formatSpeed,
  IN_ENGLISH,
  isBounded,
  percent,
  speedComparison,
} from '../text/figures.ts';
import type { CommonFinding } from './common-effect.ts';
import type { CommonEffect, ControlCheck, DropReason, PaintEffect, VersusBaseline } from './comparison.ts';
import type { LoadsNeeded } from './loads-needed.ts';
import type { Modes } from './modes.ts';
import type { PaintFinding } from './paint-effect.ts';
import type { Separation, Unbounded } from './separation.ts';
import { MIN_BLOCKS, MIN_PAIRS } from './thresholds.ts';
import { type ControlFinding, findingVerdict, isSameByCommon, type VerdictFault, type VerdictFinding } from './verdict.ts';

/** The result of a comparison for one profile: its figures, the verdict and the reason for it. */
export function formatVersus(found: VerdictFinding): VersusBaseline {
  const { against, fault, separation, verdict } = found;
  const { ratio, low, high, p, pairs, pairsAhead, detectableChange, loadsNeeded } = separation;
  const figures = { ratio, low, high, p, pairs, pairsAhead, detectableChange };
  if (fault !== undefined) {
    return { ...figures, verdict, reason: noVerdictSentence(fault), against, loadsNeeded: undefined, loadsNeededAtMost: undefined };
  }
  const needed = isSameByCommon(found)
    ? { loadsNeeded: 0, loadsNeededAtMost: 0 }
    : { loadsNeeded: loadsNeeded?.more, loadsNeededAtMost: loadsNeeded?.atMost };
  const common = found.common && formatCommon(found.common);
  const paints = found.paints?.map(formatPaint) ?? [];
  const more = { ...(common && { commonEffect: common }), ...(paints.length > 0 && { paints }) };
  return { ...figures, verdict, reason: formatReason(found), against, ...needed, ...more };
}

export function formatPaint({ outcome, separation: { ratio, low, high, finding, pairs } }: PaintFinding): PaintEffect {
  return { outcome, ratio, low, high, verdict: findingVerdict(finding), pairs };
}

function formatCommon(common: CommonFinding): CommonEffect {
  if (common.state === 'withheld') return common;
  const { finding, ...figures } = common;
  return { ...figures, verdict: findingVerdict(finding) };
}

/** `no real difference (−2.8 % to +1.5 %)`, `later, −9 % (−12 % to −5 %)`. */
export function paintWords({ verdict, ratio, low, high }: Omit<PaintEffect, 'outcome' | 'pairs'>): string {
  const range = low === undefined || high === undefined ? '' : ` (${formatRange(low, high)})`;
  const figure = ratio === undefined || verdict === 'no-meaningful-difference' ? '' : `, ${formatChange(ratio)}`;
  return `${PAINT_VERDICTS[verdict]}${figure}${range}`;
}

/** Why a profile has no more turns. */
export const DROP_LABELS: Readonly<Record<DropReason, string>> = {
  worse: 'slower',
  same: 'no real difference',
  'cannot-win': 'a gain was no longer likely',
  behind: 'others were faster',
};

const PAINT_VERDICTS: Readonly<Record<PaintEffect['verdict'], string>> = {
  better: 'sooner',
  worse: 'later',
  'no-meaningful-difference': 'no real difference',
  'need-more-loads': 'not clear yet',
};

/** Placeholder for the baseline's comparison with itself. */
export function formatBaseline(baselineId: string): VersusBaseline {
  const reason = 'The others are compared with this one.';
  const figures = { ratio: 1, low: 1, high: 1, p: undefined, pairs: 0, pairsAhead: 0, detectableChange: undefined };
  return { ...figures, verdict: 'baseline', reason, against: baselineId, loadsNeeded: undefined, loadsNeededAtMost: undefined };
}

/** Placeholder for a comparison that would pool loads of several protocols. */
export const formatNotPooled = (against: string): VersusBaseline => ({
  verdict: 'no-verdict',
  reason: 'No verdict over several protocols: each has its own.',
  against,
  ratio: undefined,
  low: undefined,
  high: undefined,
  loadsNeeded: undefined,
  loadsNeededAtMost: undefined,
  pairs: 0,
  pairsAhead: 0,
  detectableChange: undefined,
  p: undefined,
});

/** The gateway's own cost, and what follows from it for the comparison. */
export function formatControl(found: ControlFinding): ControlCheck {
  const { controlId, separation, used } = found;
  return { profileId: controlId, ratio: separation.ratio, used, sentence: controlSentence(found) };
}

/** The sentence of `formatControl`, in a language. */
export function controlSentence(
  { controlId: control, baselineId: baseline, separation, fault }: ControlFinding,
  language: CoreLanguage = IN_ENGLISH,
): string {
  const { text } = language;
  const { ratio, low, high, pairs: count } = separation;
  if (fault !== undefined || ratio === undefined) {
    const why = fault ? formatFault(fault, language) : text('control.noPair', { control, baseline });
    return text('control.unknown', { why });
  }
  const range = low === undefined || high === undefined ? '' : `${formatRange(low, high, language)}, `;
  return text('control.found', { control, speed: speedComparison(ratio, baseline, language), range, count, baseline });
}

/** The reason for a verdict in a language, by the figures that a comparison carries: its own reason says more, in English. */
export function versusSentence(
  profile: string,
  { verdict, reason, against, ratio, low, high, pairs: count, pairsAhead: ahead }: VersusBaseline,
  language: CoreLanguage,
): string {
  const { text } = language;
  // A check failed: the figures are not why.
  if (verdict === 'no-verdict') return language.label(reason);
  if (ratio === undefined) return text('versus.none', { profile, against });
  const speed = speedComparison(ratio, against, language);
  if (low === undefined || high === undefined) return text('versus.unbounded', { profile, speed });
  const range = formatRange(low, high, language);
  if (verdict === 'better' || verdict === 'worse') return text('versus.decided', { profile, ahead, count, speed, range });
  if (verdict === 'no-meaningful-difference')
    return text('versus.same', { profile, against, speed: formatSpeed(ratio, language), range, count });
  return text(low > 1 || high < 1 ? 'versus.early' : 'versus.open', { profile, speed, range });
}

type Reason = Pick<VerdictFinding, 'profileId' | 'against' | 'separation' | 'without' | 'common'>;

/** One sentence on what the loads say, then what else it rests on. */
function formatReason({ profileId, against, separation, without, common }: Reason): string {
  const { incomplete } = separation;
  const incompletePairs = incomplete > 0 ? [`${counted(incomplete, 'incomplete pair')} excluded.`] : [];
  const aside = without.map((one) => `${one.page} over ${one.link} excluded: no valid load of ${one.profileId} there.`);
  const found =
    common?.state === 'estimated' && isSameByCommon({ separation, common })
      ? [sameByCommonSentence(common, { profileId, against })]
      : foundSentences({ profileId, against, separation });
  return [...found, ...incompletePairs, ...aside].join(' ');
}

const sameByCommonSentence = (
  { ratio, low, high, scenarios }: Extract<CommonFinding, { state: 'estimated' }>,
  { profileId, against }: Pick<Reason, 'profileId' | 'against'>,
): string =>
  `${profileId} and ${against} differ by less than 3 % in their common effect: ${formatSpeed(ratio)} (${formatRange(low, high)}) over ${counted(scenarios, 'scenario')}.`;

function foundSentences({ profileId, against, separation }: Omit<Reason, 'without' | 'common'>): readonly string[] {
  const { finding, ratio, low, high, pairs: count, unbounded, pairsAhead: ahead } = separation;
  if (ratio === undefined) return [unboundedSentence(unbounded ?? { kind: 'no-pairs' }, { profileId, against })];
  const looks = `${profileId} looks ${speedComparison(ratio, against)}`;
  if (unbounded !== undefined || low === undefined || high === undefined)
    return [`${looks}, but ${whyUnbounded(unbounded ?? { kind: 'few-pairs', pairs: count })}.`, stillNeeded(separation)];
  const { text } = IN_ENGLISH;
  const range = formatRange(low, high);
  switch (finding) {
    case 'better':
    case 'worse':
      return [text('versus.decided', { profile: profileId, ahead, count, speed: speedComparison(ratio, against), range })];
    case 'no-meaningful-difference':
      return [text('versus.same', { profile: profileId, against, speed: formatSpeed(ratio), range, count })];
    case 'undecided':
      return [openSentence(separation, { looks, interval: `(${range})` }), stillNeeded(separation)];
    default:
      return assertNever(finding);
  }
}

const whenVerdicts = ({ blocks, pairs }: Separation): string =>
  blocks < MIN_BLOCKS ? 'the third block' : pairs < MIN_PAIRS ? 'the sixth pair of loads' : 'more blocks are made';

/** An interval, but no verdict. */
function openSentence(separation: Separation, { looks, interval }: { readonly looks: string; readonly interval: string }): string {
  const { low, high, isEarly } = separation;
  if (isEarly) return `${looks} ${interval}; there is no verdict before ${whenVerdicts(separation)}.`;
  if (low !== undefined && high !== undefined && !isBounded(low, high))
    return `${looks}, but its interval runs from below 0.1x to above 10x.`;
  if ((low ?? 0) > 1 || (high ?? Number.POSITIVE_INFINITY) < 1) return `${looks} ${interval}; it is not clear whether by 3 % or more.`;
  return `${looks}, but the interval ${interval} leaves it open.`;
}

function unboundedSentence(why: Unbounded, { profileId, against }: Pick<Reason, 'profileId' | 'against'>): string {
  if (why.kind === 'not-separable')
    return `${profileId} and ${against} cannot be compared yet: they were not measured on the same pages and blocks.`;
  return `${profileId} and ${against} have no complete pair of loads yet.`;
}

function whyUnbounded(why: Unbounded): string {
  switch (why.kind) {
    case 'no-pairs':
      return 'no pair of loads is complete yet';
    case 'not-separable':
      return 'they were not measured on the same pages and blocks';
    case 'one-block':
      return 'one block does not show how much loads vary';
    case 'single-pairs':
      return `${why.scenarios === 1 ? 'a page over a link has' : `${why.scenarios} pages over links have`} one pair only, and each needs two`;
    case 'no-spread':
      return 'its pairs do not vary at all, so the effect of chance is unknown';
    case 'few-pairs':
      return `${counted(why.pairs, 'pair')} are too few for an interval`;
    default:
      return assertNever(why);
  }
}

function stillNeeded({ loadsNeeded }: Separation): string {
  return `${capitalised(formatLoadsNeeded(loadsNeeded))}.`;
}

/** Why a profile has no verdict, and what would settle it. */
export function noVerdictSentence(fault: VerdictFault, language: CoreLanguage = IN_ENGLISH): string {
  return language.text(fault.kind === 'unrandomised' ? 'verdict.unrandomised' : 'verdict.none', { why: formatFault(fault, language) });
}

/** The fault within a sentence: in lower case, without a full stop. */
export function formatFault(fault: VerdictFault, { text }: CoreLanguage = IN_ENGLISH): string {
  switch (fault.kind) {
    case 'most-loads-lost':
      return text('fault.mostLost', { lost: fault.lost, count: fault.attempted, profile: fault.profileId });
    case 'page-lost':
      return text('fault.pageLost', { profile: fault.profileId, page: fault.page, link: fault.link });
    case 'unequal-losses': {
      const { own, others, profileId: profile, against } = fault;
      const { lost, attempted } = own;
      return text('fault.unequal', { lost, attempted, profile, othersLost: others.lost, othersAttempted: others.attempted, against });
    }
    case 'unrandomised':
      return text('fault.unrandomised');
    case 'gateway-cost-not-known':
      return text('fault.gateway', { control: fault.controlId });
    default:
      return assertNever(fault);
  }
}

/** Above this no user will run that many loads, and the estimate is only an order of magnitude: no figure is named. */
export const MAX_LOADS_NAMED = 1000;

type NamedLoads = Pick<LoadsNeeded, 'more'> & { readonly [Key in 'blocks' | 'atMost']?: number | undefined };

/** `about 12 more loads per profile in this run (3 blocks), at most 36, would decide it`; blocks and bound only where they are known. */
export function formatLoadsNeeded(needed: NamedLoads | undefined): string {
  if (needed === undefined) return 'how many more loads that takes is unknown';
  const { more, blocks, atMost } = needed;
  if (more > MAX_LOADS_NAMED) return `it would take more than ${MAX_LOADS_NAMED} more loads per profile`;
  const inBlocks = blocks === undefined ? '' : ` (${counted(blocks, 'block')})`;
  return `about ${counted(more, 'more load')} per profile in this run${inBlocks}${formatAtMost({ more, atMost })} would decide it`;
}

/** `, at most 36,`; empty where that is unknown, no more, or above what is named. */
export function formatAtMost({ more, atMost }: Pick<NamedLoads, 'more' | 'atMost'>): string {
  return atMost !== undefined && atMost > more && atMost <= MAX_LOADS_NAMED ? `, at most ${atMost},` : '';
}

/**
 * `loads fall into two groups: 60 % around 1.20 s, 40 % around 3.40 s`; `undefined`: there is one mode, or too few loads.
 * @param valueText how a value of the sample is written.
 */
export function formatModes(modes: Modes, valueText: (value: number) => string): string | undefined {
  if (modes.modes !== 'several') return undefined;
  const count = NUMBERS[modes.peaks.length] ?? String(modes.peaks.length);
  const groups = modes.peaks.map(({ share, at }) => `${percent(share)} around ${valueText(at)}`);
  return `loads fall into ${count} groups: ${groups.join(', ')}`;
}

const NUMBERS: Readonly<Record<number, string>> = { 2: 'two', 3: 'three', 4: 'four', 5: 'five' };

export const capitalised = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
