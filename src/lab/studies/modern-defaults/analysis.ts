/** Whether anything beats what Firefox ships, and where: a comparison for each protocol and link, and one for each protocol over all links. Pure. */
import type { Comparison, ProfileComparison, Verdict } from '../../../core/compare/comparison.ts';
import { DEFAULT_ALPHA, MEANINGFUL_CHANGE } from '../../../core/compare/thresholds.ts';
import { BETTERFOX, profileLabel } from '../../../core/profiles/presets.ts';
import { comparableLoads } from '../../../core/report/comparable-loads.ts';
import { heatMapSvg } from '../../../core/report/heat-map-svg.ts';
import { bestFirst, VERDICT_LABELS, verdictLabel } from '../../../core/report/shown-comparison.ts';
import { mean } from '../../../core/stats/mean.ts';
import { formatSeconds, percent } from '../../../core/text/figures.ts';
import type { LinkSpec } from '../../link/link-spec.ts';
import type { ServedBy } from '../../pages/served-by.ts';
import { changeText, changeWithInterval, compareOnce, intervalText, loadsByServer, PROTOCOL_NAMES, pairsEach } from '../comparisons.ts';
import {
  comparedWith,
  countText,
  figureColumn as figure,
  type StudyFindings,
  type StudyPicture,
  type StudyTable,
  tableOf,
  textColumn as text,
} from '../findings.ts';
import type { StudyData, StudyLoad } from '../study.ts';

/** What Firefox ships, set by hand: no honest comparison may call it better or worse. */
const SAME_AS_SHIPPED = 'c6-d1';

export interface ProtocolComparison {
  readonly servedBy: ServedBy;
  /** Share of the requests over HTTP/1.1, the only version that the limit on connections affects; absent: no version is known. */
  readonly http1Share?: number;
  /** Over all links. */
  readonly overall: Comparison;
  readonly links: readonly { readonly link: LinkSpec; readonly comparison: Comparison }[];
}

/** Its answer, figures and tables hold for any pages. */
export function modernDefaultsFindings(data: StudyData): StudyFindings {
  const protocols = comparedProtocols(data);
  const together = intervalsTogether(protocols);
  return {
    tables: protocols.length === 0 ? [] : [overallTable(protocols), linkTable(protocols)],
    answer: answerOf(protocols),
    comparisonWithOriginal: protocols.length === 0 ? [] : comparedWith(data.study, { betterfox: betterfoxText(protocols) }),
    pictures: protocols.map(changeMap),
    figures: {
      intervalsTogether: together,
      protocols: protocols.map(({ servedBy, http1Share, overall, links }) => ({
        ...{ servedBy, http1Share, overall: overall.profiles.map(verdictFigures) },
        links: links.map(({ link, comparison }) => ({
          link: link.name,
          alpha: comparison.method.alpha,
          profiles: comparison.profiles.map(verdictFigures),
        })),
      })),
    },
  };
}

const verdictFigures = ({ id, loads, loadTimeMs, versusBaseline: { ratio, low, high, pairs, verdict } }: ProfileComparison) => ({
  ...{ profileId: id, loads, loadTimeMs: loadTimeMs.median, ratio, low, high, pairs, verdict },
});

/** The protocols of which there are loads with the baseline and with another profile. */
export function comparedProtocols(data: StudyData): readonly ProtocolComparison[] {
  const { study } = data;
  const groups = protocolLoads(data);
  // Every comparison is searched for a winner, so all of them share the chance of an error.
  const comparisons = groups.reduce((sum, { links }) => sum + links.length + 1, 0);
  const compare = (loads: readonly StudyLoad[]) =>
    compareOnce(comparableLoads(loads), { baseline: study.baseline, alpha: DEFAULT_ALPHA / comparisons });
  return groups.map(({ servedBy, loads, links }) => {
    const http1Share = http1ShareOf(loads);
    return {
      servedBy,
      ...(http1Share !== undefined && { http1Share }),
      overall: compare(loads),
      links: links.map((link) => ({ link, comparison: compare(loads.filter((load) => load.link === link.name)) })),
    };
  });
}

function protocolLoads(data: StudyData) {
  const { study, links } = data;
  return loadsByServer(data).flatMap(({ servedBy, loads }) => {
    const compared = links.filter(({ name }) => {
      const profiles = new Set(loads.filter(({ link }) => link === name).map(({ profileId }) => profileId));
      return profiles.has(study.baseline) && profiles.size > 1;
    });
    return compared.length === 0 ? [] : [{ servedBy, loads, links: compared }];
  });
}

function http1ShareOf(loads: readonly StudyLoad[]): number | undefined {
  const shares = loads.flatMap(({ measures }) => {
    const versions = measures?.httpVersions ?? {};
    return Object.keys(versions).length === 0 ? [] : [(versions['http/1.1'] ?? 0) + (versions['http/1.0'] ?? 0)];
  });
  return shares.length === 0 ? undefined : mean(shares);
}

/** Intervals that hold together: those of every protocol, over all links and by link. */
const intervalsTogether = (protocols: readonly ProtocolComparison[]): number =>
  protocols
    .flatMap(({ overall, links }) => [overall, ...links.map(({ comparison }) => comparison)])
    .reduce((sum, { method }) => sum + method.intervals, 0);

const othersOf = ({ profiles }: Comparison): readonly ProfileComparison[] =>
  profiles.filter(({ versusBaseline }) => versusBaseline.verdict !== 'baseline');

/** Without the profile that is as shipped but by name. */
const candidatesOf = (comparison: Comparison): readonly ProfileComparison[] =>
  othersOf(comparison).filter(({ id }) => id !== SAME_AS_SHIPPED);

/** Chosen after the fact: its estimate is more likely too high than too low. */
function highestOf(profiles: readonly ProfileComparison[]): ProfileComparison | undefined {
  const ratioOf = ({ versusBaseline }: ProfileComparison) => versusBaseline.ratio ?? 0;
  return profiles.filter(({ versusBaseline }) => versusBaseline.ratio !== undefined).toSorted((a, b) => ratioOf(b) - ratioOf(a))[0];
}

export interface LinkVerdict {
  readonly servedBy: ServedBy;
  readonly link: string;
  readonly profile: ProfileComparison;
}

/** Every profile against what is shipped, over one link by one protocol. */
const linkVerdicts = (protocols: readonly ProtocolComparison[]): readonly LinkVerdict[] =>
  protocols.flatMap(({ servedBy, links }) =>
    links.flatMap(({ link, comparison }) => othersOf(comparison).map((profile) => ({ servedBy, link: link.name, profile }))),
  );

/** The answer as data. */
export function outcomeOf(protocols: readonly ProtocolComparison[]) {
  const verdicts = linkVerdicts(protocols);
  const candidates = verdicts.filter(({ profile }) => profile.id !== SAME_AS_SHIPPED);
  const isShown = ({ profile }: LinkVerdict) => ['better', 'worse'].includes(profile.versusBaseline.verdict);
  return {
    candidates,
    wins: candidates.filter(({ profile }) => profile.versusBaseline.verdict === 'better'),
    /** Without an interval nothing is ruled out. */
    open: candidates.filter(({ profile }) => (profile.versusBaseline.high ?? Number.POSITIVE_INFINITY) > 1 + MEANINGFUL_CHANGE),
    everywhere: protocols.flatMap(({ servedBy, overall }) =>
      candidatesOf(overall)
        .filter(({ versusBaseline }) => versusBaseline.verdict === 'better')
        .map((profile) => ({ servedBy, profile })),
    ),
    checks: verdicts.filter(({ profile }) => profile.id === SAME_AS_SHIPPED),
    falseAlarms: verdicts.filter((each) => each.profile.id === SAME_AS_SHIPPED && isShown(each)),
  };
}

function answerOf(protocols: readonly ProtocolComparison[]): readonly string[] {
  if (protocols.length === 0) return [];
  const { candidates, wins, open, everywhere, checks, falseAlarms } = outcomeOf(protocols);
  const among = `${countText(candidates.length)} comparisons over one link`;
  const winners = [...new Set(wins.map(({ profile }) => profile.id))].join(', ');
  const named = everywhere.map(
    ({ servedBy, profile }) => `${profile.id} by ${PROTOCOL_NAMES[servedBy]}, ${changeWithInterval(profile.versusBaseline)}`,
  );
  const overall =
    named.length === 0 ? 'Over all links together, nothing is shown to be faster.' : `Over all links together: ${named.join('; ')}.`;
  return [
    wins.length > 0
      ? `Faster than Firefox's own settings in ${wins.length} of ${among} (${winners}). ${overall}`
      : `Nothing is shown to be faster than Firefox's own settings on any link; a gain of more than ${percent(MEANINGFUL_CHANGE)} is not ruled out in ${countText(open.length)} of ${among}.`,
    `The ${countText(intervalsTogether(protocols))} intervals hold together at 95 %. They say how well loads of these pages repeat, not what other pages would do.`,
    ...(checks.length === 0
      ? []
      : [
          falseAlarms.length === 0
            ? `${SAME_AS_SHIPPED}, which sets Firefox's own values, is called faster or slower nowhere, as must be.`
            : `${SAME_AS_SHIPPED}, which sets Firefox's own values, is called faster or slower in ${falseAlarms.length} of ${checks.length}: do not trust verdicts of that size.`,
        ]),
  ];
}

function overallTable(protocols: readonly ProtocolComparison[]): StudyTable {
  const rows = protocols.flatMap((protocol) =>
    othersOf(protocol.overall).map((profile) => ({ protocol, profile, versus: profile.versusBaseline })),
  );
  const links = ({ protocol, profile }: (typeof rows)[number], ...verdicts: readonly Verdict[]) =>
    protocol.links.filter(({ comparison }) =>
      comparison.profiles.some(({ id, versusBaseline }) => id === profile.id && verdicts.includes(versusBaseline.verdict)),
    ).length;
  return tableOf("Efficiency against Firefox's own settings, over all links", rows, [
    text('protocol', ({ protocol }) => PROTOCOL_NAMES[protocol.servedBy]),
    text('profile', ({ profile }) => profile.id),
    figure('change', ({ versus }) => changeText(versus.ratio)),
    figure(intervalHeading(protocols), ({ versus }) => intervalText(versus)),
    figure('pairs of loads', ({ versus }) => countText(versus.pairs)),
    text('verdict', ({ profile }) => verdictLabel(profile)),
    figure('links faster', (row) => links(row, 'better')),
    figure('links slower', (row) => links(row, 'worse')),
    figure('links no different', (row) => links(row, 'no-meaningful-difference')),
    figure('links open', (row) => links(row, 'need-more-loads', 'no-verdict')),
  ]);
}

const intervalHeading = (protocols: readonly ProtocolComparison[]): string =>
  `95 % interval, all ${countText(intervalsTogether(protocols))} together`;

function linkTable(protocols: readonly ProtocolComparison[]): StudyTable {
  const rows = protocols.flatMap(({ servedBy, links }) =>
    links.map(({ link, comparison }) => ({ servedBy, link, comparison, highest: highestOf(candidatesOf(comparison)) })),
  );
  type Row = (typeof rows)[number];
  const shipped = ({ comparison }: Row) => comparison.profiles.find(({ id }) => id === comparison.baseline);
  const idsWith = ({ comparison }: Row, verdict: Verdict) =>
    othersOf(comparison)
      .flatMap(({ id, versusBaseline }) => (versusBaseline.verdict === verdict ? [id] : []))
      .join(', ') || 'none';
  return tableOf(`By link. The highest estimate is chosen after the fact, without ${SAME_AS_SHIPPED}, which is as shipped`, rows, [
    text('protocol', ({ servedBy }) => PROTOCOL_NAMES[servedBy]),
    text('link', ({ link }) => link.name),
    figure('shipped, load time', (row) => formatSeconds(shipped(row)?.loadTimeMs.median)),
    figure('loads', (row) => countText(shipped(row)?.loads ?? 0)),
    text('highest estimate', ({ highest }) => highest?.id),
    figure('change', ({ highest }) => changeText(highest?.versusBaseline.ratio)),
    figure(intervalHeading(protocols), ({ highest }) => highest && intervalText(highest.versusBaseline)),
    figure('pairs of loads', ({ highest }) => highest && countText(highest.versusBaseline.pairs)),
    text('verdict', ({ highest }) => highest && verdictLabel(highest)),
    text('faster', (row) => idsWith(row, 'better')),
    text('slower', (row) => idsWith(row, 'worse')),
  ]);
}

function betterfoxText(protocols: readonly ProtocolComparison[]): string | undefined {
  const parts = protocols.flatMap(({ servedBy, overall }) =>
    othersOf(overall).flatMap(({ id, versusBaseline }) =>
      id === BETTERFOX.id ? [`${PROTOCOL_NAMES[servedBy]} ${changeWithInterval(versusBaseline)}`] : [],
    ),
  );
  return parts.length === 0 ? undefined : parts.join(', ');
}

function changeMap({ servedBy, overall, links }: ProtocolComparison): StudyPicture {
  const title = `${PROTOCOL_NAMES[servedBy]}: change of speed against Firefox's own settings`;
  const ids = bestFirst(overall).flatMap(({ id }) => (id === overall.baseline ? [] : [id]));
  const pairs = links.flatMap(({ comparison }) => othersOf(comparison).map(({ versusBaseline }) => versusBaseline.pairs));
  const cells = ids.map((id) => links.map(({ comparison }) => mapCell(comparison.profiles.find((profile) => profile.id === id))));
  const framed = cells.flat().some((cell) => cell?.marked) ? 'Framed: shown faster or slower.' : 'No cell is shown to be faster or slower.';
  const svg = heatMapSvg({
    title,
    subtitle: `Efficiency by link, ${pairsEach(pairs)} in a cell; the fastest over all links on top. ${framed}`,
    columns: { name: 'link', labels: links.map(({ link }) => link.name) },
    rows: { name: 'settings', labels: ids.map(profileLabel), ids },
    cells,
    shows: 'change',
  });
  return { name: `modern-defaults-${servedBy}`, title, svg };
}

function mapCell(profile: ProfileComparison | undefined) {
  const { ratio, verdict } = profile?.versusBaseline ?? {};
  if (ratio === undefined) return undefined;
  const shown = verdict === 'better' || verdict === 'worse';
  return { value: ratio, marked: shown, ...(shown && { note: VERDICT_LABELS[verdict] }) };
}
