/** The card of a run of the lab: what its comparison recommends. Where there are several protocols, it is about one of them. */
import { ownRow, placedRows, type RowText } from '../../answer/card-rows.ts';
import type { CardLanguage, CardText } from '../../answer/card-text.ts';
import { comparisonOf } from '../../compare/by-protocol.ts';
import type { Comparison, Recommendation } from '../../compare/comparison.ts';
import { profileLabel } from '../../profiles/presets.ts';
import { BASELINE_ID } from '../../profiles/profile.ts';
import { counted } from '../../text/figures.ts';
import { protocolLabel } from '../../text/labels.ts';
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
    own.profiles.find(({ id }) => id === own.recommendation.profileId)?.versusBaseline.ratio ?? 0;
  const [proven] = protocols
    .filter(({ recommendation }) => recommendation.state === 'recommended')
    .toSorted((a, b) => gainOf(b) - gainOf(a));
  const open = OPEN_FIRST.flatMap((state) => protocols.filter(({ recommendation }) => recommendation.state === state));
  const own = proven ?? open[0];
  if (own === undefined) return { comparison, over: '' };
  return { comparison: comparisonOf(comparison, own), over: ` over ${protocolLabel(own.protocol)}` };
}

/** The profile that the card is about: the recommended one, else the fastest that is no baseline and no control. */
export function shownProfile({ comparison }: Pick<Report, 'comparison'>): string | undefined {
  const { recommendation } = comparison;
  const ranked = bestFirst(comparison).filter(({ role, versusBaseline }) => role === 'candidate' && versusBaseline.ratio !== undefined);
  return recommendation.state === 'recommended' ? (recommendation.profileId ?? ranked[0]?.id) : ranked[0]?.id;
}

/** The card where the report holds neither an answer of everyday loads nor a search. */
export function comparisonCard(report: Report, language: CardLanguage): ReportCard {
  const { comparison, over } = shownComparison(report);
  const { recommendation, baseline, profiles } = comparison;
  const { state } = recommendation;
  const shown = profiles.find(({ id }) => id === shownProfile({ comparison }));
  const several = report.comparison.protocols ?? [];
  // Empty where it holds for all.
  const like = several.filter(({ recommendation: own }) => own.state === state);
  const part = like.length < several.length ? ` over ${like.map(({ protocol }) => protocolLabel(protocol)).join(' and ')}` : '';
  // What is faster may be other settings over each.
  const where = state === 'recommended' && part !== '' ? over : part;
  const isShown = state !== 'none' && shown !== undefined;
  return {
    label: `${STATES[state]}${part}`,
    tone: TONES[state],
    headline: headlineOf(state, { shown: shown?.id, baseline, language }).replace(/\.$/, `${where}.`),
    ...(isShown && { figure: comparedFigure(shown, { state, over }) }),
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

function headlineOf(state: Recommendation['state'], { shown, baseline, language }: Named): string {
  switch (state) {
    case 'recommended':
      return shown === undefined ? 'Other settings are faster here.' : fasterHeadline(shown, language);
    case 'keep-baseline':
      return baseline === BASELINE_ID ? "Firefox's own settings are right here." : `Keep ${baseline} here.`;
    case 'need-more-loads':
      return 'Not enough data yet.';
    case 'none':
      return 'No recommendation.';
  }
}

interface FigureOf extends Pick<ShownComparison, 'over'> {
  readonly state: Recommendation['state'];
}

function comparedFigure(
  { id, versusBaseline }: Comparison['profiles'][number],
  { state, over }: FigureOf,
): NonNullable<CardText['figure']> {
  const { pairs, against } = versusBaseline;
  const soFar = state === 'recommended' ? [] : [`${state === 'need-more-loads' ? 'so far, with' : 'at best, with'} ${profileLabel(id)}`];
  const grounds = [rangeText(versusBaseline), `${counted(pairs, 'pair')} of loads${over}`, `against ${baselineLabel(against)}`];
  return { value: changeText(versusBaseline), label: [...soFar, ...grounds].join(', ') };
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
function nextSteps(report: Report, { recommendation, profiles, scenarios }: Comparison, part: string): readonly Step[] {
  const { state, gateway, profileId, settingsAlone } = recommendation;
  switch (state) {
    case 'recommended': {
      const alone = settingsAlone.state === 'recommended' ? settingsAlone.profileId : null;
      const withGateway =
        gateway === undefined ? [] : [{ text: 'Use it, for plain http only:', command: gatewayCommand(gateway, 'plumbfox') }];
      const apply = alone === null ? [] : applyStep(alone, profileId === alone ? 'Use it:' : 'Without the gateway:');
      return [...withGateway, ...apply];
    }
    case 'keep-baseline':
      return part === '' ? [NOTHING_TO_CHANGE] : [{ text: `Nothing to change${part}.` }];
    case 'need-more-loads': {
      const needed = profiles.flatMap(({ role, versusBaseline: { loadsNeeded } }) =>
        role === 'candidate' && loadsNeeded !== undefined ? [loadsNeeded] : [],
      );
      const made = report.loads.reduce((most, { block }) => Math.max(most, block + 1), 0);
      const blocks = made + Math.ceil(Math.min(...needed) / Math.max(1, scenarios.length));
      return needed.length === 0 || blocks > MAX_NAMED_BLOCKS
        ? []
        : [{ text: 'About this many rounds may decide it:', command: `plumbfox tune --blocks ${blocks}` }];
    }
    case 'none':
      return [];
  }
}

/** More rounds would take days: no command for that. */
const MAX_NAMED_BLOCKS = 200;
