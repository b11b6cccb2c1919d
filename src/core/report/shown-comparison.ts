/** The common parts of every rendering of a comparison: the order of profiles, verdicts, recommendation lines and notes. */

import { comparisonOf } from '../compare/by-protocol.ts';
import type {
  Comparison,
  DropReason,
  GatewaySettings,
  ProfileComparison,
  RecommendedProfile,
  Verdict,
  VersusBaseline,
} from '../compare/comparison.ts';
import { DROP_LABELS, formatModes, MAX_LOADS_NAMED, paintWords } from '../compare/format-verdict.ts';
import { MEANINGFUL_CHANGE } from '../compare/thresholds.ts';
import { LINK_TOLERANCE } from '../measure/efficiency.ts';
import { BASELINE_ID } from '../profiles/profile.ts';
import { mean } from '../stats/mean.ts';
import { counted, formatRange, formatSeconds, percent, signedPercent, UNKNOWN } from '../text/figures.ts';
import { PROTOCOL_LABELS } from '../text/labels.ts';

/** What a reader must know besides the verdicts, most important first. */
export function soundnessNotes(comparison: Comparison): readonly string[] {
  return [
    ...asideNotes(comparison),
    ...disprovedNotes(comparison),
    ...eachProtocol(comparison, commonEffectSentence),
    ...eachProtocol(comparison, detectableSentence),
    ...chosenNotes(comparison),
    ...modesNotes(comparison),
  ];
}

/** A sentence on the profiles of each protocol, as nothing is said over several. */
function eachProtocol(
  { protocols, profiles, baseline }: Comparison,
  sentence: (of: Pick<Comparison, 'profiles' | 'baseline'>) => string | undefined,
): readonly string[] {
  const parts = protocols?.map((own) => ({ label: `${PROTOCOL_LABELS[own.protocol]}: `, profiles: own.profiles })) ?? [
    { label: '', profiles },
  ];
  return parts.flatMap(({ label, profiles: own }) => {
    const words = sentence({ profiles: own, baseline });
    return words === undefined ? [] : [`${label}${words}`];
  });
}

/** Links over which loads were faster than the link's own figures allow, as over one whose rate changes. */
function disprovedNotes({ scenarios }: Comparison): readonly string[] {
  const highest = new Map<string, number>();
  for (const { link, profiles } of scenarios) {
    for (const { efficiencyMedian = 0 } of profiles) highest.set(link, Math.max(efficiencyMedian, highest.get(link) ?? 0));
  }
  return [...highest].flatMap(([link, share]) =>
    share > 1 + LINK_TOLERANCE
      ? [
          `The figures of link ${link} are wrong: loads were up to ${share.toFixed(2)} times as fast as they allow. Ratios between profiles still hold.`,
        ]
      : [],
  );
}

/** `wiki over slow is set aside: no load of firefox-default counts there, ...`. */
function asideNotes({ setAside = [], baseline }: Comparison): readonly string[] {
  return setAside.map(({ profileId, page, link }) => {
    const where = profileId === baseline ? 'is excluded' : `is excluded for ${profileId}`;
    return `${page} over ${link} ${where}: no load of ${profileId} counts there, for a cause that has nothing to do with load times.`;
  });
}

/** `This run could detect gains over firefox-default of about 3.8 to 5 % or more, depending on the profile.`: with a chance of 80 %. */
function detectableSentence({ profiles, baseline }: Pick<Comparison, 'profiles' | 'baseline'>): string | undefined {
  const known = profiles.flatMap(({ role, versusBaseline: { detectableChange } }) =>
    role === 'candidate' && detectableChange !== undefined ? [detectableChange] : [],
  );
  if (known.length === 0) return undefined;
  const [least, most] = [percent(Math.min(...known)), percent(Math.max(...known))];
  const gain = least === most ? `${most} or more` : `${least.replace(' %', '')} to ${most} or more, depending on the profile`;
  return `This run could detect gains over ${baseline} of about ${gain}.`;
}

/**
 * `Common effect: no real difference for c8-d1 (−1.2 % to +1.8 %). ...`: for profiles on which only this decides. `undefined`: there are none.
 */
function commonEffectSentence({ profiles, baseline }: Pick<Comparison, 'profiles' | 'baseline'>): string | undefined {
  const parts = (['better', 'worse', 'no-meaningful-difference'] as const).flatMap((verdict) => {
    const found = profiles.flatMap(({ id, role, versusBaseline }) => {
      const { verdict: equally, against, commonEffect } = versusBaseline;
      const isOpen = equally === 'need-more-loads' || isByCommonEffect(versusBaseline);
      return role === 'candidate' &&
        against === baseline &&
        isOpen &&
        commonEffect?.state === 'estimated' &&
        commonEffect.verdict === verdict
        ? [{ id, ...commonEffect }]
        : [];
    });
    const named = found.map(({ id, low, high }) => `${id} (${formatRange(low, high)})`);
    return named.length === 0 ? [] : [`${VERDICT_LABELS[verdict]} for ${named.join(', ')}`];
  });
  if (parts.length === 0) return undefined;
  return `Common effect: ${parts.join('; ')}. It counts pages and links by how well their loads repeat; the table counts them equally. Its intervals have as much chance of error again as those of the table.`;
}

/** Whether only the common effect shows no real difference: the interval of the table leaves it open. */
export const isByCommonEffect = ({ verdict, low, high }: Pick<VersusBaseline, 'verdict' | 'low' | 'high'>): boolean =>
  verdict === 'no-meaningful-difference' && !((low ?? 0) >= 1 - MEANINGFUL_CHANGE && (high ?? 2) <= 1 + MEANINGFUL_CHANGE);

/** A longer list says less than its length. Chosen, not measured. */
const MAX_NAMED = 3;

/** Where the figure of a recommendation is another than that of the tables. */
function chosenNotes(comparison: Comparison): readonly string[] {
  const parts: readonly Pick<Comparison, 'profiles' | 'recommendation'>[] = comparison.protocols ?? [comparison];
  const isShrunk = parts.some(({ profiles, recommendation }) =>
    [recommendation, recommendation.settingsAlone].some(({ profileId, gain }) => {
      const { ratio, against } = profiles.find(({ id }) => id === profileId)?.versusBaseline ?? {};
      return (
        gain !== undefined &&
        ratio !== undefined &&
        against === comparison.baseline &&
        signedPercent(ratio - 1) !== signedPercent(gain.ratio - 1)
      );
    }),
  );
  return isShrunk ? ['The recommended gain is smaller than in the table: what is chosen for being ahead looks better than it is.'] : [];
}

function modesNotes({ modes }: Comparison): readonly string[] {
  const named = modes.slice(0, MAX_NAMED).map(({ profileId, page, link, modes: found }) => {
    const words = formatModes(found, formatSeconds) ?? '';
    return `${profileId} has no typical load time on page ${page} over link ${link}: its ${words}.`;
  });
  const rest = modes.length - named.length;
  return rest > 0 ? [...named, `Loads fall into groups in ${rest} more places; the report names them all.`] : named;
}

/** The command as it is installed; a report may be read on any machine. */
const NAME = 'plumbfox';

/**
 * The recommendation of a comparison, for each protocol where there are several: what settings alone do, then in a line of its own what the gateway
 * would do, where that is another answer.
 * @param plumbfox - The command that runs Plumbfox in the reader's shell, where that is known.
 */
export function recommendationLines(comparison: Comparison, plumbfox = NAME): readonly string[] {
  const { protocols } = comparison;
  if (protocols === undefined) return linesOf(comparison, plumbfox);
  return protocols.flatMap((own) =>
    linesOf(comparisonOf(comparison, own), plumbfox).map((line) => `${PROTOCOL_LABELS[own.protocol]}: ${line}`),
  );
}

function linesOf(comparison: Pick<Comparison, 'baseline' | 'scenarios' | 'recommendation'>, plumbfox: string): readonly string[] {
  const { recommendation } = comparison;
  const { settingsAlone } = recommendation;
  const lineOf = ({ sentence, state, profileId }: RecommendedProfile, note?: string) =>
    [sentence, state === 'recommended' && profileId !== null ? flatPagesSentence(comparison, profileId) : undefined, note]
      .filter((part) => part !== undefined)
      .join(' ');
  const overall = lineOf(recommendation, gatewayNote({ recommendation }, plumbfox));
  const isKept = settingsAlone.state === 'keep-baseline' && recommendation.state === 'keep-baseline';
  return isKept || settingsAlone.sentence === recommendation.sentence ? [overall] : [lineOf(settingsAlone), overall];
}

/** How to use a recommended profile that needs the gateway; `undefined`: it needs none. */
export function gatewayNote({ recommendation: { gateway } }: Pick<Comparison, 'recommendation'>, plumbfox = NAME): string | undefined {
  return gateway && `To use it: ${gatewayCommand(gateway, plumbfox)}.`;
}

/** `No gain on images (−1 %); wiki gains most (+22 %).`: what the mean over pages hides. `undefined`: every page gains, or there is only one. */
export function flatPagesSentence(
  { baseline, scenarios }: Pick<Comparison, 'baseline' | 'scenarios'>,
  profileId: string,
): string | undefined {
  const logs = new Map<string, number[]>();
  for (const { page, profiles } of scenarios) {
    const medianOf = (id: string) => profiles.find((each) => each.id === id)?.efficiencyMedian;
    const [own, others] = [medianOf(profileId), medianOf(baseline)];
    if (own !== undefined && others !== undefined) logs.set(page, [...(logs.get(page) ?? []), Math.log(own / others)]);
  }
  const pages = [...logs].map(([page, ratios]) => ({ page, gain: Math.expm1(mean(ratios)) })).toSorted((a, b) => b.gain - a.gain);
  const flat = pages.filter(({ gain }) => gain < MEANINGFUL_CHANGE).toReversed();
  const [most] = pages;
  if (most === undefined || flat.length === 0 || flat.length === pages.length) return undefined;
  const named = flat.slice(0, MAX_NAMED).map(({ page, gain }) => `${page} (${signedPercent(gain)})`);
  const rest = flat.length - named.length;
  return `No gain on ${named.join(', ')}${rest > 0 ? ` and ${counted(rest, 'more page')}` : ''}; ${most.page} gains most (${signedPercent(most.gain)}).`;
}

/** Finds the gateway's command in such a sentence. */
export const GATEWAY_COMMAND = /(?<=To use it: )(.+? gateway(?: --[a-z]+ \d+)+ SITE)/;

/** The command that carries a depth in everyday browsing, for the sites that a person names. */
export const gatewayCommand = ({ connections, depth }: GatewaySettings, plumbfox: string): string =>
  [`${plumbfox} gateway`, ...(connections === undefined ? [] : [`--connections ${connections}`]), `--depth ${depth} SITE`].join(' ');

/** The baseline in people's words. */
export const baselineLabel = (id: string): string => (id === BASELINE_ID ? "Firefox's own settings" : id);

/** Verdicts as a person reads them; the values keep the names that they have in reports. */
export const VERDICT_LABELS: Readonly<Record<Verdict, string>> = {
  better: 'faster',
  worse: 'slower',
  'no-meaningful-difference': 'no real difference',
  'need-more-loads': 'not enough data yet',
  baseline: 'baseline',
  'no-verdict': 'no verdict',
};

/** The verdict, and that it rests on the common effect where the interval of the table does not show it. */
export const verdictWords = (versus: Parameters<typeof isByCommonEffect>[0]): string =>
  `${VERDICT_LABELS[versus.verdict]}${isByCommonEffect(versus) ? ' (common effect)' : ''}`;

/** `faster`, `not enough data yet (about 24 loads)`, `control: slower`. */
export function verdictLabel({ role, versusBaseline, dropped }: Pick<ProfileComparison, 'role' | 'versusBaseline' | 'dropped'>): string {
  const { verdict, loadsNeeded, ratio = 1 } = versusBaseline;
  if (dropped !== undefined && verdict === 'need-more-loads') return `dropped: ${whyDropped(dropped.because, ratio)}`;
  // A figure in the thousands says no more than that it would take very many; for the control no user waits for a verdict.
  const named = role !== 'control' && verdict === 'need-more-loads' && loadsNeeded !== undefined && loadsNeeded <= MAX_LOADS_NAMED;
  const words = named ? `${VERDICT_LABELS[verdict]} (about ${loadsNeeded} loads)` : verdictWords(versusBaseline);
  return role === 'control' ? `control: ${words}` : words;
}

const whyDropped = (because: DropReason, ratio: number): string => (ratio < 1 - MEANINGFUL_CHANGE ? 'slower so far' : DROP_LABELS[because]);

/** `sooner +4 % (+1 % to +7 %)`: first paint, and largest where it is another; a dash where no load has any. */
export function paintCell({ versusBaseline: { paints = [] } }: Pick<ProfileComparison, 'versusBaseline'>): string {
  const cells = paints.map(({ outcome, ...effect }) => `${outcome === 'first-paint' ? '' : 'largest: '}${paintWords(effect)}`);
  return cells.join('; ') || UNKNOWN;
}

/** Whether paints were compared. */
export const hasPaints = ({ profiles }: Pick<Comparison, 'profiles'>): boolean =>
  profiles.some(({ versusBaseline }) => versusBaseline.paints !== undefined);

/** The fastest first, by the ratio to the baseline, which is 1; profiles that were never compared come last, in the order given. */
export function bestFirst({
  baseline,
  profiles,
  control,
}: Pick<Comparison, 'baseline' | 'profiles' | 'control'>): readonly ProfileComparison[] {
  const ratioOf = ({ versusBaseline: { ratio, against } }: ProfileComparison): number => {
    if (ratio === undefined) return 0;
    // Against the control, the control's own ratio leads on to the baseline.
    return against === baseline ? ratio : ratio * (control?.ratio ?? 1);
  };
  return [...profiles].sort((a, b) => ratioOf(b) - ratioOf(a));
}
