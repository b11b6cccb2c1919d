/** The common parts of every rendering of a comparison: the order of profiles, verdicts, recommendation lines and notes. */

import type { Comparison, GatewaySettings, ProfileComparison, Recommendation, Verdict } from '../compare/comparison.ts';
import { formatModes, MAX_LOADS_NAMED } from '../compare/format-verdict.ts';
import { LINK_TOLERANCE } from '../measure/efficiency.ts';
import { BASELINE_ID } from '../profiles/profile.ts';
import { formatRange, formatSeconds, percent } from '../text/figures.ts';
import { PROTOCOL_LABELS } from '../text/labels.ts';

/** What a reader must know besides the verdicts, most important first. */
export function soundnessNotes(comparison: Comparison): readonly string[] {
  return [
    ...asideNotes(comparison),
    ...disprovedNotes(comparison),
    ...eachProtocol(comparison, commonEffectSentence),
    ...eachProtocol(comparison, detectableSentence),
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
    const found = profiles.flatMap(({ id, role, versusBaseline: { verdict: equally, against, commonEffect } }) => {
      const isDecided = role === 'candidate' && against === baseline && equally === 'need-more-loads';
      return isDecided && commonEffect?.state === 'estimated' && commonEffect.verdict === verdict ? [{ id, ...commonEffect }] : [];
    });
    const named = found.map(({ id, low, high }) => `${id} (${formatRange(low, high)})`);
    return named.length === 0 ? [] : [`${VERDICT_LABELS[verdict]} for ${named.join(', ')}`];
  });
  if (parts.length === 0) return undefined;
  return `Common effect: ${parts.join('; ')}. It counts pages and links by how well their loads repeat; the table counts them equally. Its intervals have as much chance of error again as those of the table.`;
}

/** A longer list says less than its length. Chosen, not measured. */
const MAX_NAMED = 3;

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
 * The recommendation of a comparison, for each protocol where there are several: one line, or two where settings without the gateway have another
 * answer.
 * @param plumbfox - The command that runs Plumbfox in the reader's shell, where that is known.
 */
export function recommendationLines(
  { recommendation, protocols }: Pick<Comparison, 'recommendation' | 'protocols'>,
  plumbfox = NAME,
): readonly string[] {
  if (protocols === undefined) return linesOf(recommendation, plumbfox);
  return protocols.flatMap((own) => linesOf(own.recommendation, plumbfox).map((line) => `${PROTOCOL_LABELS[own.protocol]}: ${line}`));
}

function linesOf(recommendation: Recommendation, plumbfox: string): readonly string[] {
  const { settingsAlone } = recommendation;
  const gateway = gatewayNote({ recommendation }, plumbfox);
  const first = gateway === undefined ? recommendation.sentence : `${recommendation.sentence} ${gateway}`;
  const isSame = settingsAlone.profileId === recommendation.profileId && settingsAlone.state === recommendation.state;
  return isSame ? [first] : [first, settingsAlone.sentence];
}

/** How to use a recommended profile that needs the gateway, and what that cannot carry; `undefined`: it needs none. */
export function gatewayNote({ recommendation: { gateway } }: Pick<Comparison, 'recommendation'>, plumbfox = NAME): string | undefined {
  return gateway && `To use it: ${gatewayCommand(gateway, plumbfox)}. It handles plain http only.`;
}

/** Finds the gateway's command in such a sentence. */
export const GATEWAY_COMMAND = /(?<=To use it: )(.+? gateway(?: --[a-z]+ \d+)+)/;

/** The command that carries a depth in everyday browsing. */
export const gatewayCommand = ({ connections, depth }: GatewaySettings, plumbfox: string): string =>
  [`${plumbfox} gateway`, ...(connections === undefined ? [] : [`--connections ${connections}`]), `--depth ${depth}`].join(' ');

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

/** `faster`, `not enough data yet (about 24 loads)`, `control: slower`. */
export function verdictLabel({ role, versusBaseline }: Pick<ProfileComparison, 'role' | 'versusBaseline'>): string {
  const { verdict, loadsNeeded } = versusBaseline;
  // A figure in the thousands says no more than that it would take very many; for the control no user waits for a verdict.
  const named = role !== 'control' && verdict === 'need-more-loads' && loadsNeeded !== undefined && loadsNeeded <= MAX_LOADS_NAMED;
  const words = !named ? VERDICT_LABELS[verdict] : `${VERDICT_LABELS[verdict]} (about ${loadsNeeded} loads)`;
  return role === 'control' ? `control: ${words}` : words;
}

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
