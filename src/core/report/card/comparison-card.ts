/** The card of a run of the lab: what its comparison recommends. Where there are several protocols, it is about one of them. */
import { ownRow, placedRows, type RowText } from '../../answer/card-rows.ts';
import type { CardLanguage, CardText } from '../../answer/card-text.ts';
import { comparisonOf } from '../../compare/by-protocol.ts';
import type { Comparison, Recommendation, RecommendedProfile } from '../../compare/comparison.ts';
import { setsTheSame } from '../../compare/recommend.ts';
import { profileLabel } from '../../profiles/presets.ts';
import { BASELINE_ID } from '../../profiles/profile.ts';
import { counted, percent } from '../../text/figures.ts';
import { protocolLabel } from '../../text/labels.ts';
import { longerRun } from '../longer-run.ts';
import type { Report } from '../report.ts';
import { baselineLabel, bestFirst, gatewayCommand, gatewayNote, recommendationLines, verdictLabel } from '../shown-comparison.ts';
import { applyStep, changeText, fasterHeadline, NOTHING_TO_CHANGE, type ReportCard, rangeText, type Step } from './report-card.ts';

const STATES: Readonly<Record<Recommendation['state'], string>> = {
  recommended: 'Recommended',
  'keep-baseline': 'Keep your settings',
  'need-more-loads': 'Not decided yet',
  none: 'No recommendation',
};

const TONES: Readonly<Record<Recommendation['state'], CardText['tone']>> = {
  recommended: 'good',
  'keep-baseline': 'good',
  'need-more-loads': 'plain',
  none: 'plain',
};

const OPEN_FIRST: readonly Recommendation['state'][] = ['need-more-loads', 'keep-baseline', 'none'];

interface ShownComparison {
  readonly comparison: Comparison;
  /** ` over HTTP/1.1`, where there are several protocols. */
  readonly over: string;
}

/** The comparison that the card is about: where there are several protocols, of one with a proven profile, else of the most open. */
function shownComparison({ comparison }: Pick<Report, 'comparison'>): ShownComparison {
  const { protocols } = comparison;
  if (protocols === undefined) return { comparison, over: '' };
  const gainOf = (own: (typeof protocols)[number]) =>
    own.profiles.find(({ id }) => id === mainOf(own.recommendation).profileId)?.versusBaseline.ratio ?? 0;
  const ofState = (state: Recommendation['state']) => protocols.filter(({ recommendation }) => mainOf(recommendation).state === state);
  const [proven] = ofState('recommended').toSorted((a, b) => gainOf(b) - gainOf(a));
  const own = proven ?? OPEN_FIRST.flatMap(ofState)[0];
  if (own === undefined) return { comparison, over: '' };
  return { comparison: comparisonOf(comparison, own), over: ` over ${protocolLabel(own.protocol)}` };
}

/** What settings alone do is the answer; the gateway's is a line below it, and the answer only where nothing else was measured. */
function mainOf({ settingsAlone, ...overall }: Recommendation): RecommendedProfile {
  return settingsAlone.state === 'none' && overall.state !== 'none' ? overall : settingsAlone;
}

type Measured = Pick<Report, 'comparison' | 'profiles'>;

/** The profile that the card is about: the recommended one, else the fastest of those that could be, by settings alone if any. */
export function shownProfile({ comparison, profiles }: Measured): string | undefined {
  const main = mainOf(comparison.recommendation);
  if (main.state === 'recommended' && main.profileId !== null) return main.profileId;
  const baseline = profiles.find(({ id }) => id === comparison.baseline);
  const same = new Set(profiles.flatMap((profile) => (baseline !== undefined && setsTheSame(profile, baseline) ? [profile.id] : [])));
  const ranked = bestFirst(comparison).filter(
    ({ id, role, versusBaseline: { ratio } }) => role === 'candidate' && ratio !== undefined && !same.has(id),
  );
  return (ranked.find(({ carrier }) => carrier !== 'gateway') ?? ranked[0])?.id;
}

/** The card where the report holds neither an answer of everyday loads nor a search. */
export function comparisonCard(report: Report, language: CardLanguage): ReportCard {
  const { comparison, over } = shownComparison(report);
  const { recommendation, baseline, profiles } = comparison;
  const main = mainOf(recommendation);
  const { state } = main;
  const shown = profiles.find(({ id }) => id === shownProfile({ ...report, comparison }));
  const several = report.comparison.protocols ?? [];
  // Empty where it holds for all.
  const like = several.filter(({ recommendation: own }) => mainOf(own).state === state);
  const part = like.length < several.length ? ` over ${like.map(({ protocol }) => protocolLabel(protocol)).join(' and ')}` : '';
  // What is faster may be other settings over each.
  const where = state === 'recommended' && part !== '' ? over : part;
  const needsGateway = recommendation.state === 'recommended' && recommendation.profileId !== main.profileId;
  const alone = needsGateway ? ' by settings alone' : '';
  const isShown = state !== 'none' && shown !== undefined;
  return {
    label: `${STATES[state]}${part}`,
    tone: TONES[state],
    headline: headlineOf(main, { shown: shown?.id, baseline, language }).replace(/( \(within .*\))?\.$/, `${alone}${where}$1.`),
    ...(isShown && { figure: comparedFigure(shown, { main, over, baseline }) }),
    figureKind: shown?.versusBaseline.verdict ?? 'baseline',
    ...comparedRows(comparison, language),
    sentences: linesWithout(gatewayNote(comparison), report.comparison),
    next: nextSteps(report, comparison, part),
  };
}

/** The sentences of the recommendation; how to use it is a step by itself. */
function linesWithout(note: string | undefined, comparison: Comparison): readonly string[] {
  const lines = recommendationLines(comparison);
  return note === undefined ? lines : lines.map((line) => line.replace(` ${note}`, ''));
}

interface Named {
  readonly shown: string | undefined;
  readonly baseline: string;
  readonly language: CardLanguage;
}

function headlineOf({ state, within }: RecommendedProfile, { shown, baseline, language }: Named): string {
  switch (state) {
    case 'recommended':
      return shown === undefined ? 'Other settings are faster here.' : fasterHeadline(shown, language);
    case 'keep-baseline':
      if (within !== undefined) return `Nothing to gain (within ${percent(within)}).`;
      return baseline === BASELINE_ID ? "Firefox's own settings are right here." : `Keep ${baseline} here.`;
    case 'need-more-loads':
      return 'Not enough data yet.';
    case 'none':
      return 'No recommendation.';
  }
}

interface FigureOf extends Pick<ShownComparison, 'over'> {
  readonly main: RecommendedProfile;
  readonly baseline: string;
}

function comparedFigure(
  { id, versusBaseline }: Comparison['profiles'][number],
  { main: { state, within, gain }, over, baseline }: FigureOf,
): NonNullable<CardText['figure']> {
  const { pairs, against } = versusBaseline;
  if (within !== undefined)
    return {
      value: `≤ ${percent(within)}`,
      label: `is the most that any of these settings gain, ${counted(pairs, 'pair')} of loads each${over}`,
    };
  const soFar = state === 'recommended' ? [] : [`${state === 'need-more-loads' ? 'so far, with' : 'at best, with'} ${profileLabel(id)}`];
  // As the sentence has it: allowing for its having been chosen.
  const change = gain !== undefined && against === baseline ? { ...versusBaseline, ...gain } : versusBaseline;
  const grounds = [rangeText(change), `${counted(pairs, 'pair')} of loads${over}`, `against ${baselineLabel(against)}`];
  return { value: changeText(change), label: [...soFar, ...grounds].join(', ') };
}

/** More rows are no answer at a glance. */
const MAX_ROWS = 6;

/** The best first, the baseline among them. */
function comparedRows(comparison: Comparison, language: CardLanguage): Pick<ReportCard, 'rows' | 'others' | 'zero' | 'same'> {
  const ranked = bestFirst(comparison).filter(
    ({ role, versusBaseline: { ratio, verdict } }) => role !== 'control' && (ratio !== undefined || verdict === 'baseline'),
  );
  const isBaseline = ({ versusBaseline }: (typeof ranked)[number]) => versusBaseline.verdict === 'baseline';
  const best = new Set(ranked.filter((profile) => !isBaseline(profile)).slice(0, MAX_ROWS - 1));
  const shown = ranked.filter((profile) => isBaseline(profile) || best.has(profile));
  const placed = placedRows(
    shown.map(({ id, versusBaseline, ...profile }): RowText => {
      const { verdict, against, pairs } = versusBaseline;
      if (verdict === 'baseline') return { ...ownRow(language), ...(id !== BASELINE_ID && { id, label: id }) };
      const besides = against === comparison.baseline ? '' : `, against ${against}`;
      const grounds = `${verdictLabel({ ...profile, versusBaseline })}, ${counted(pairs, 'pair')}${besides}`;
      return {
        id,
        label: profileLabel(id),
        value: changeText(versusBaseline),
        detail: `${rangeText(versusBaseline)}; ${grounds}`,
        interval: versusBaseline,
      };
    }),
  );
  const kinds = new Map(shown.map(({ id, versusBaseline }) => [id, versusBaseline.verdict]));
  const rows = placed.rows.map((row) => ({ ...row, kind: kinds.get(row.id) ?? 'baseline' }));
  return { ...placed, rows, others: ranked.length - shown.length };
}

/** @param part - ` over HTTP/1.1`; empty: it holds for all protocols. */
function nextSteps(report: Report, { recommendation }: Comparison, part: string): readonly Step[] {
  const { gateway } = recommendation;
  const main = mainOf(recommendation);
  const withGateway =
    gateway === undefined ? [] : [{ text: 'Through the gateway, for plain http only:', command: gatewayCommand(gateway, 'plumbfox') }];
  return [...stepsOf(main), ...withGateway];

  function stepsOf({ state, profileId }: RecommendedProfile): readonly Step[] {
    switch (state) {
      case 'recommended':
        return main === recommendation.settingsAlone && profileId !== null ? applyStep(profileId, 'Use it:') : [];
      case 'keep-baseline':
        return part === '' ? [NOTHING_TO_CHANGE] : [{ text: `Nothing to change${part}.` }];
      case 'need-more-loads': {
        const longer = longerRun(report);
        return longer === undefined ? [] : [{ text: `To decide (${longer.takes}):`, command: `plumbfox ${longer.arguments}` }];
      }
      case 'none':
        return [];
    }
  }
}
