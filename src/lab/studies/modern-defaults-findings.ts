/** Whether anything beats what Firefox ships, and where. Pure. */
import type { ProfileComparison } from '../../core/compare/comparison.ts';
import { counted, percent } from '../../core/compare/plain-words.ts';
import { BETTERFOX } from '../../core/profiles/presets.ts';
import { PROTOCOL_NAMES, type ProtocolFindings, protocolFindings } from './modern-defaults-scenarios.ts';
import { changeMaps, changeText, intervalText, linksWith, linkTable, othersOf, overallTable } from './modern-defaults-tables.ts';
import type { SeedComparison, StudyFindings } from './study-findings.ts';
import type { StudyData } from './study-load.ts';

/** What Firefox ships, set explicitly: no honest comparison may call it better or worse. */
const SAME_AS_SHIPPED = 'c6-d1';

export function modernDefaultsFindings(data: StudyData): StudyFindings {
  const protocols = protocolFindings(data);
  return {
    tables: protocols.length === 0 ? [] : [overallTable(protocols), linkTable(protocols)],
    answer: answerOf(protocols),
    besides: protocols.length === 0 ? [] : [besidesBetterfox(protocols)],
    pictures: changeMaps(protocols),
    figures: {
      protocols: protocols.map(({ servedBy, reachableShare, overall, links }) => ({
        ...{ servedBy, reachableShare, overall: overall.profiles.map(verdictFigures) },
        links: links.map(({ link, comparison }) => ({
          link: link.name,
          alpha: comparison.method.alpha,
          profiles: comparison.profiles.map(verdictFigures),
        })),
      })),
    },
  };
}

const verdictFigures = ({ id, loads, loadTimeMs, versusBaseline: { ratio, low, high, verdict } }: ProfileComparison) => ({
  ...{ profileId: id, loads, loadTimeMs: loadTimeMs.median, ratio, low, high, verdict },
});

function answerOf(protocols: readonly ProtocolFindings[]): readonly string[] {
  if (protocols.length === 0)
    return ['Too little was measured for an answer: it needs loads with what Firefox ships and with another profile, over the same link.'];
  return [bottomLine(protocols), ...protocols.flatMap(protocolSentences), ...alarmSentence(protocols)];
}

interface Win {
  readonly protocol: ProtocolFindings;
  readonly profile: ProfileComparison;
  readonly link: string;
}

const winsOf = (protocols: readonly ProtocolFindings[]): readonly Win[] =>
  protocols.flatMap((protocol) =>
    protocol.links.flatMap(({ link, comparison }) =>
      othersOf(comparison)
        .filter(({ id, versusBaseline }) => versusBaseline.verdict === 'better' && id !== SAME_AS_SHIPPED)
        .map((profile) => ({ protocol, profile, link: link.name })),
    ),
  );

function bottomLine(protocols: readonly ProtocolFindings[]): string {
  const wins = winsOf(protocols);
  if (wins.length === 0) {
    return hasOpen(protocols)
      ? 'Nothing that was tried is shown to beat what Firefox ships, on any link; where comparisons are open, a small gain is not ruled out.'
      : 'Nothing that was tried beats what Firefox ships, on any link.';
  }
  const most = wins.toSorted((a, b) => (b.profile.versusBaseline.ratio ?? 0) - (a.profile.versusBaseline.ratio ?? 0))[0];
  const places = [...new Set(wins.map(({ protocol, link }) => `${PROTOCOL_NAMES[protocol.servedBy]} over ${link}`))];
  const best =
    most &&
    `; the most is ${changeText(most.profile)} with ${most.profile.id} (${PROTOCOL_NAMES[most.protocol.servedBy]} over ${most.link})`;
  const everywhere = protocols.flatMap(({ overall }) =>
    othersOf(overall).filter(({ versusBaseline }) => versusBaseline.verdict === 'better'),
  );
  const overall = everywhere.length === 0 ? ' Over all links together nothing does.' : '';
  return `Yes, in ${wins.length} of ${comparisonsOf(protocols)} comparisons: ${places.join(', ')}${best ?? ''}.${overall}`;
}

const comparisonsOf = (protocols: readonly ProtocolFindings[]): number =>
  protocols.reduce(
    (sum, { links }) =>
      sum + links.reduce((own, { comparison }) => own + othersOf(comparison).filter(({ id }) => id !== SAME_AS_SHIPPED).length, 0),
    0,
  );

const hasOpen = (protocols: readonly ProtocolFindings[]): boolean =>
  protocols.some(({ links }) =>
    links.some(({ comparison }) =>
      othersOf(comparison).some(({ versusBaseline: { verdict } }) => verdict === 'need-more-loads' || verdict === 'no-verdict'),
    ),
  );

function protocolSentences(protocol: ProtocolFindings): readonly string[] {
  const name = PROTOCOL_NAMES[protocol.servedBy];
  const others = othersOf(protocol.overall).filter(({ id }) => id !== SAME_AS_SHIPPED);
  const parts = others.map((profile) => `${profile.id} ${overallWords(profile)}${placesWords(protocol, profile.id)}`);
  const share = protocol.reachableShare;
  const reach =
    share === undefined
      ? ''
      : ` A number of connections reaches ${percent(share)} of the requests here${share === 0 ? ', as one connection carries them all: what differs is chance, or another preference of the profile' : ''}.`;
  return [`${name}, over all links: ${parts.join('; ')}.${reach}`];
}

function overallWords(profile: ProfileComparison): string {
  const { verdict } = profile.versusBaseline;
  const interval = intervalText(profile);
  const figures = `${changeText(profile)} (${interval})`;
  switch (verdict) {
    case 'better':
    case 'worse':
      return `is ${verdict}, ${figures}`;
    case 'no-meaningful-difference':
      return `makes no meaningful difference, ${figures}`;
    case 'need-more-loads':
    case 'no-verdict':
    case 'baseline':
      return `is open, ${figures}`;
  }
}

function placesWords(protocol: ProtocolFindings, profileId: string): string {
  const better = linksWith(protocol, profileId, 'better');
  const worse = linksWith(protocol, profileId, 'worse');
  const parts = [
    ...(better.length === 0 ? [] : [`better on ${better.join(', ')}`]),
    ...(worse.length === 0 ? [] : [`worse on ${worse.join(', ')}`]),
  ];
  return parts.length === 0 ? '' : ` [${parts.join('; ')}]`;
}

/** A false alarm says how far the other verdicts are to be trusted. */
function alarmSentence(protocols: readonly ProtocolFindings[]): readonly string[] {
  const compared = protocols.flatMap((protocol) =>
    protocol.links.flatMap(({ link, comparison }) =>
      othersOf(comparison).flatMap(({ id, versusBaseline }) =>
        id === SAME_AS_SHIPPED
          ? [{ place: `${PROTOCOL_NAMES[protocol.servedBy]} over ${link.name}`, verdict: versusBaseline.verdict }]
          : [],
      ),
    ),
  );
  if (compared.length === 0) return [];
  const alarms = compared.filter(({ verdict }) => verdict === 'better' || verdict === 'worse');
  const said =
    alarms.length === 0
      ? 'is called better or worse nowhere, as it must be'
      : `is called better or worse ${counted(alarms.length, 'time')} (${alarms.map(({ place }) => place).join(', ')}): verdicts of that size are not to be trusted`;
  return [`${SAME_AS_SHIPPED} is what Firefox ships, set by hand: it ${said}.`];
}

function besidesBetterfox(protocols: readonly ProtocolFindings[]): SeedComparison {
  const parts = protocols.flatMap(({ servedBy, overall }) =>
    othersOf(overall)
      .filter(({ id }) => id === BETTERFOX.id)
      .map((profile) => `${PROTOCOL_NAMES[servedBy]} ${changeText(profile)} (${intervalText(profile)})`),
  );
  return {
    what: "Betterfox's network preferences against what Firefox ships",
    seed: 'faster browsing; no figure is given',
    ours: parts.length === 0 ? 'not measured' : parts.join(', '),
    why: 'cold loads of generated pages: what it changes for later visits (caches, speculation) is not in these figures',
  };
}
