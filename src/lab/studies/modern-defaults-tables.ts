/** Tables and heat maps of the study of modern defaults. Pure. */
import type { Comparison, ProfileComparison, Verdict } from '../../core/compare/comparison.ts';
import { rangeInWords, signedPercent } from '../../core/compare/plain-words.ts';
import { secondsText, UNKNOWN } from '../../core/report/figure-text.ts';
import { heatMapSvg } from '../../core/report/heat-map-svg.ts';
import { verdictWords } from '../../core/report/verdict-words.ts';
import { PROTOCOL_NAMES, type ProtocolFindings } from './modern-defaults-scenarios.ts';
import type { StudyPicture, StudyTable } from './study-findings.ts';

const column = (name: string, align: 'left' | 'right' = 'right') => ({ name, align });

export const othersOf = ({ profiles }: Comparison): readonly ProfileComparison[] =>
  profiles.filter(({ versusBaseline }) => versusBaseline.verdict !== 'baseline');

/** Links on which a profile got a verdict. */
export const linksWith = ({ links }: ProtocolFindings, profileId: string, verdict: Verdict): readonly string[] =>
  links
    .filter(({ comparison }) =>
      comparison.profiles.some(({ id, versusBaseline }) => id === profileId && versusBaseline.verdict === verdict),
    )
    .map(({ link }) => link.name);

export function overallTable(protocols: readonly ProtocolFindings[]): StudyTable {
  return {
    title: 'Efficiency against what Firefox ships: over all links, and on how many links it is better, worse or no different',
    columns: [
      ...[column('protocol', 'left'), column('profile', 'left'), column('change'), column('interval'), column('verdict', 'left')],
      ...[column('better'), column('worse'), column('no difference'), column('open')],
    ],
    rows: protocols.flatMap((protocol) =>
      othersOf(protocol.overall).map((profile) => {
        const count = (verdict: Verdict) => linksWith(protocol, profile.id, verdict).length;
        const open = count('need-more-loads') + count('no-verdict');
        return [
          ...[PROTOCOL_NAMES[protocol.servedBy], profile.id, changeText(profile), intervalText(profile), verdictWords(profile)],
          ...[count('better'), count('worse'), count('no-meaningful-difference'), open].map(String),
        ];
      }),
    ),
  };
}

export function linkTable(protocols: readonly ProtocolFindings[]): StudyTable {
  return {
    title: 'By link: what is better or worse than what Firefox ships',
    columns: [
      ...[column('protocol', 'left'), column('link', 'left'), column('shipped, load time'), column('best seen', 'left'), column('change')],
      ...[column('verdict', 'left'), column('better', 'left'), column('worse', 'left')],
    ],
    rows: protocols.flatMap(({ servedBy, links }) =>
      links.map(({ link, comparison }) => {
        const best = bestOf(comparison);
        const named = (verdict: Verdict) => othersOf(comparison).filter(({ versusBaseline }) => versusBaseline.verdict === verdict);
        const shipped = comparison.profiles.find(({ id }) => id === comparison.baseline);
        return [
          ...[PROTOCOL_NAMES[servedBy], link.name, secondsText(shipped?.loadTimeMs.median)],
          ...(best === undefined ? [UNKNOWN, UNKNOWN, UNKNOWN] : [best.id, changeText(best), verdictWords(best)]),
          ...[idsOf(named('better')), idsOf(named('worse'))],
        ];
      }),
    ),
  };
}

function bestOf(comparison: Comparison): ProfileComparison | undefined {
  const ratioOf = ({ versusBaseline }: ProfileComparison) => versusBaseline.ratio ?? 0;
  return othersOf(comparison)
    .toSorted((a, b) => ratioOf(b) - ratioOf(a))
    .find(({ versusBaseline }) => versusBaseline.ratio !== undefined);
}

const idsOf = (profiles: readonly ProfileComparison[]): string =>
  profiles.length === 0 ? 'none' : profiles.map(({ id }) => id).join(', ');

export const changeText = ({ versusBaseline: { ratio } }: ProfileComparison): string =>
  ratio === undefined ? UNKNOWN : signedPercent(ratio - 1);

export const intervalText = ({ versusBaseline: { low, high } }: ProfileComparison): string =>
  low === undefined || high === undefined ? UNKNOWN : rangeInWords(low, high);

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
        subtitle: '1: as shipped. Above 1: more efficient. With a border: shown better or worse.',
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
