/** Whether anything beats what Firefox ships, and where: sentences that hold for what was measured. Pure. */
import type { ProfileComparison, Verdict } from '../../../core/compare/comparison.ts';
import { MEANINGFUL_CHANGE } from '../../../core/compare/thresholds.ts';
import { VERDICT_LABELS } from '../../../core/report/verdict-words.ts';
import { boundInWords, percent, rangeInWords } from '../../../core/text/figures.ts';
import { countText } from '../findings.ts';
import { intervalsTogether, PROTOCOL_NAMES, type ProtocolFindings, SAME_AS_SHIPPED } from './scenarios.ts';
import { candidatesOf, changeText, changeWithInterval, highestOf, linksWith, othersOf } from './tables.ts';

export function answerOf(protocols: readonly ProtocolFindings[], pages: number): readonly string[] {
  if (protocols.length === 0)
    return ['Too little was measured for an answer: it needs loads with what Firefox ships and with another profile, over the same link.'];
  return [
    bottomLine(protocols),
    `Intervals are of 95 %, all ${countText(intervalsTogether(protocols))} comparisons of this study together, from pairs of loads of the same page, link and turn. They say how well loads repeat on ${pages === 1 ? 'this page' : `these ${pages} pages`}, not what other pages would do.`,
    ...protocols.map(protocolSentence),
    ...asShippedSentence(protocols),
  ];
}

interface LinkComparison {
  readonly profile: ProfileComparison;
  readonly place: string;
}

/** Of each profile with what is shipped, over one link by one protocol. */
const byLink = (
  protocols: readonly ProtocolFindings[],
  of: (comparison: ProtocolFindings['overall']) => readonly ProfileComparison[],
): readonly LinkComparison[] =>
  protocols.flatMap(({ servedBy, links }) =>
    links.flatMap(({ link, comparison }) =>
      of(comparison).map((profile) => ({ profile, place: `${PROTOCOL_NAMES[servedBy]} over ${link.name}` })),
    ),
  );

function bottomLine(protocols: readonly ProtocolFindings[]): string {
  const compared = byLink(protocols, candidatesOf);
  const wins = compared.filter(({ profile }) => profile.versusBaseline.verdict === 'better');
  return wins.length === 0 ? nothingWins(compared) : `${winsSentence(wins, compared.length)} ${overallSentence(protocols)}`;
}

function nothingWins(compared: readonly LinkComparison[]): string {
  // Without an interval nothing is ruled out.
  const open = compared.filter(
    ({ profile: { versusBaseline } }) => (versusBaseline.high ?? Number.POSITIVE_INFINITY) > 1 + MEANINGFUL_CHANGE,
  );
  return open.length === 0
    ? `Nothing that was tried beats what Firefox ships by more than ${percent(MEANINGFUL_CHANGE)}, on any link.`
    : `Nothing that was tried is shown to beat what Firefox ships, on any link; in ${countText(open.length)} of ${countText(compared.length)} comparisons over one link a gain of more than ${percent(MEANINGFUL_CHANGE)} is not ruled out.`;
}

function winsSentence(wins: readonly LinkComparison[], compared: number): string {
  const places = [...new Set(wins.map(({ place }) => place))];
  const highest = highestOf(wins.map(({ profile }) => profile));
  const where = wins.find(({ profile }) => profile === highest)?.place;
  const most =
    highest === undefined
      ? ''
      : `; the highest estimate among them, chosen after the fact: ${changeWithInterval(highest)} with ${highest.id} (${where})`;
  return `Yes, in ${countText(wins.length)} of ${countText(compared)} comparisons over one link: ${places.join(', ')}${most}.`;
}

function overallSentence(protocols: readonly ProtocolFindings[]): string {
  const everywhere = protocols.flatMap(({ servedBy, overall }) =>
    candidatesOf(overall)
      .filter(({ versusBaseline }) => versusBaseline.verdict === 'better')
      .map((profile) => `${profile.id} by ${PROTOCOL_NAMES[servedBy]}`),
  );
  return everywhere.length === 0
    ? 'Over all links together nothing is shown to.'
    : `Over all links together these do: ${everywhere.join(', ')}.`;
}

function protocolSentence(protocol: ProtocolFindings): string {
  const parts = candidatesOf(protocol.overall).map(
    (profile) => `${profile.id} ${overallWords(profile)}, ${changeWithInterval(profile)}${placesWords(protocol, profile.id)}`,
  );
  return `${PROTOCOL_NAMES[protocol.servedBy]}, over all links: ${parts.join('; ')}.${shareSentence(protocol)}`;
}

function shareSentence({ http1Share }: ProtocolFindings): string {
  if (http1Share === undefined) return '';
  const said = ` ${percent(http1Share)} of the requests used HTTP/1.1, the only version that the limit on connections affects`;
  return http1Share === 0 ? `${said}: what differs here is chance, or another preference of the profile.` : `${said}.`;
}

function overallWords({ versusBaseline: { verdict } }: ProfileComparison): string {
  switch (verdict) {
    case 'better':
    case 'worse':
      return `is ${VERDICT_LABELS[verdict]}`;
    case 'no-meaningful-difference':
      return 'makes no real difference';
    case 'need-more-loads':
    case 'no-verdict':
    case 'baseline':
      return 'is open';
  }
}

function placesWords(protocol: ProtocolFindings, profileId: string): string {
  const better = linksWith(protocol, profileId, 'better');
  const worse = linksWith(protocol, profileId, 'worse');
  const parts = [
    ...(better.length === 0 ? [] : [`faster on ${better.join(', ')}`]),
    ...(worse.length === 0 ? [] : [`slower on ${worse.join(', ')}`]),
  ];
  return parts.length === 0 ? '' : ` [${parts.join('; ')}]`;
}

/** A false alarm says how far the other verdicts are to be trusted; its absence says no more than the intervals allow. */
function asShippedSentence(protocols: readonly ProtocolFindings[]): readonly string[] {
  const compared = byLink(protocols, othersOf).filter(({ profile }) => profile.id === SAME_AS_SHIPPED);
  const ratios = compared.flatMap(({ profile }) => profile.versusBaseline.ratio ?? []);
  if (ratios.length === 0) return [];
  const estimates = `${SAME_AS_SHIPPED}, which is what Firefox ships set by hand: estimates ${rangeInWords(Math.min(...ratios), Math.max(...ratios))} in ${countText(ratios.length)} comparisons over one link`;
  const alarms = compared.filter(({ profile }) => ['better', 'worse'].includes(profile.versusBaseline.verdict));
  if (alarms.length > 0) {
    const named = alarms.map(({ profile, place }) => `${place} ${changeText(profile)}`).join(', ');
    return [`${estimates}, and called faster or slower where nothing differs (${named}): verdicts of that size are not to be trusted.`];
  }
  const same = countVerdicts(compared, 'no-meaningful-difference');
  return [`${estimates}, no verdict of faster or slower (${same} no different, ${ratios.length - same} open)${widest(compared)}.`];
}

const countVerdicts = (compared: readonly LinkComparison[], verdict: Verdict): number =>
  compared.filter(({ profile }) => profile.versusBaseline.verdict === verdict).length;

/** What the comparisons could have missed. */
function widest(compared: readonly LinkComparison[]): string {
  const bounds = compared.flatMap(({ profile: { versusBaseline } }) => {
    const { low, high } = versusBaseline;
    return low === undefined || high === undefined ? [] : [{ low, high }];
  });
  if (bounds.length === 0) return '; without intervals';
  const low = Math.min(...bounds.map((each) => each.low));
  const high = Math.max(...bounds.map((each) => each.high));
  return `; its intervals reach from ${boundInWords(low)} to ${boundInWords(high)}`;
}
