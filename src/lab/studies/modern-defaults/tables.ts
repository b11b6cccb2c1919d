/** Tables and heat maps of the study of modern defaults. Pure. */
import type { Comparison, ProfileComparison, Verdict } from '../../../core/compare/comparison.ts';
import { heatMapSvg } from '../../../core/report/heat-map-svg.ts';
import { verdictWords } from '../../../core/report/verdict-words.ts';
import { rangeInWords, secondsText, signedPercent, UNKNOWN } from '../../../core/text/figures.ts';
import { countText, type StudyPicture, type StudyTable } from '../findings.ts';
import { intervalsTogether, PROTOCOL_NAMES, type ProtocolFindings, SAME_AS_SHIPPED } from './scenarios.ts';

const column = (name: string, align: 'left' | 'right' = 'right') => ({ name, align });

/** All but the baseline, in the order of the comparison. */
export const othersOf = ({ profiles }: Comparison): readonly ProfileComparison[] =>
  profiles.filter(({ versusBaseline }) => versusBaseline.verdict !== 'baseline');

/** Those that are told for what they do: what is as shipped but by name is none. */
export const candidatesOf = (comparison: Comparison): readonly ProfileComparison[] =>
  othersOf(comparison).filter(({ id }) => id !== SAME_AS_SHIPPED);

/** Links on which a profile got a verdict. */
export const linksWith = ({ links }: ProtocolFindings, profileId: string, verdict: Verdict): readonly string[] =>
  links
    .filter(({ comparison }) =>
      comparison.profiles.some(({ id, versusBaseline }) => id === profileId && versusBaseline.verdict === verdict),
    )
    .map(({ link }) => link.name);

const intervalColumn = (protocols: readonly ProtocolFindings[]) =>
  column(`95 % interval, all ${countText(intervalsTogether(protocols))} together`);

/** A row per protocol and profile. */
export function overallTable(protocols: readonly ProtocolFindings[]): StudyTable {
  return {
    title: 'Efficiency against what Firefox ships: over all links, and on how many links it is faster, slower or no different',
    columns: [
      ...[column('protocol', 'left'), column('profile', 'left'), column('change'), intervalColumn(protocols), column('pairs of loads')],
      ...[column('verdict', 'left'), column('links faster'), column('links slower'), column('links no different'), column('links open')],
    ],
    rows: protocols.flatMap((protocol) =>
      othersOf(protocol.overall).map((profile) => {
        const count = (verdict: Verdict) => linksWith(protocol, profile.id, verdict).length;
        const open = count('need-more-loads') + count('no-verdict');
        return [
          ...[PROTOCOL_NAMES[protocol.servedBy], profile.id, changeText(profile), intervalText(profile), pairsText(profile)],
          ...[verdictWords(profile), ...[count('better'), count('worse'), count('no-meaningful-difference'), open].map(String)],
        ];
      }),
    ),
  };
}

/** A row per protocol and link. The profile with the highest estimate is chosen after the fact, and the title says so. */
export function linkTable(protocols: readonly ProtocolFindings[]): StudyTable {
  return {
    title: `By link: what is faster or slower than what Firefox ships, and the profile with the highest estimate, chosen after the fact (${SAME_AS_SHIPPED}, which is as shipped, left out)`,
    columns: [
      ...[column('protocol', 'left'), column('link', 'left'), column('shipped, load time'), column('loads')],
      ...[column('highest estimate', 'left'), column('change'), intervalColumn(protocols), column('pairs of loads')],
      ...[column('verdict', 'left'), column('faster', 'left'), column('slower', 'left')],
    ],
    rows: protocols.flatMap(({ servedBy, links }) =>
      links.map(({ link, comparison }) => {
        const highest = highestOf(candidatesOf(comparison));
        const named = (verdict: Verdict) => othersOf(comparison).filter(({ versusBaseline }) => versusBaseline.verdict === verdict);
        const shipped = comparison.profiles.find(({ id }) => id === comparison.baseline);
        return [
          ...[PROTOCOL_NAMES[servedBy], link.name, secondsText(shipped?.loadTimeMs.median), countText(shipped?.loads ?? 0)],
          ...(highest === undefined
            ? [UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN]
            : [highest.id, changeText(highest), intervalText(highest), pairsText(highest), verdictWords(highest)]),
          ...[idsOf(named('better')), idsOf(named('worse'))],
        ];
      }),
    ),
  };
}

/** Chosen after the fact: its estimate is more likely too high than too low. */
export function highestOf(profiles: readonly ProfileComparison[]): ProfileComparison | undefined {
  const ratioOf = ({ versusBaseline }: ProfileComparison) => versusBaseline.ratio ?? 0;
  return profiles.filter(({ versusBaseline }) => versusBaseline.ratio !== undefined).toSorted((a, b) => ratioOf(b) - ratioOf(a))[0];
}

const idsOf = (profiles: readonly ProfileComparison[]): string =>
  profiles.length === 0 ? 'none' : profiles.map(({ id }) => id).join(', ');

/** Against the baseline, as a signed percentage; a dash where it is not known. */
export const changeText = ({ versusBaseline: { ratio } }: ProfileComparison): string =>
  ratio === undefined ? UNKNOWN : signedPercent(ratio - 1);

/** A dash where it is not bounded yet. */
export const intervalText = ({ versusBaseline: { low, high } }: ProfileComparison): string =>
  low === undefined || high === undefined ? UNKNOWN : rangeInWords(low, high);

const pairsText = ({ versusBaseline: { pairs } }: ProfileComparison): string => countText(pairs);

/** `+25 % (+18 % to +32 %; 6 pairs)`. */
export function changeWithInterval(profile: ProfileComparison): string {
  const { low, high, pairs } = profile.versusBaseline;
  const interval = low === undefined || high === undefined ? 'no interval' : rangeInWords(low, high);
  return `${changeText(profile)} (${interval}; ${countText(pairs)} ${pairs === 1 ? 'pair' : 'pairs'})`;
}

/** A map for each protocol: profiles by links. */
export function changeMaps(protocols: readonly ProtocolFindings[]): readonly StudyPicture[] {
  return protocols.map((protocol) => {
    const title = `${PROTOCOL_NAMES[protocol.servedBy]}: efficiency against what Firefox ships`;
    const ids = othersOf(protocol.overall).map(({ id }) => id);
    return {
      name: `modern-defaults-${protocol.servedBy}`,
      title,
      svg: heatMapSvg({
        title,
        subtitle: '1: as shipped. Above 1: faster. With a border: shown faster or slower.',
        columns: { name: 'link', labels: protocol.links.map(({ link }) => link.name) },
        rows: { name: 'profile', labels: ids },
        cells: ids.map((id) => protocol.links.map(({ comparison }) => mapCell(comparison.profiles.find((profile) => profile.id === id)))),
      }),
    };
  });
}

function mapCell(profile: ProfileComparison | undefined) {
  const { ratio, verdict } = profile?.versusBaseline ?? {};
  if (ratio === undefined) return undefined;
  const shown = verdict === 'better' || verdict === 'worse';
  return { value: ratio, marked: shown, ...(shown && { note: verdict }) };
}
