/** The card while a trial goes on, or when it has ended by a failed check. */
import { assertNever } from '../errors.ts';
import { isPluralLabel } from '../profiles/presets.ts';
import { BASELINE_ID } from '../profiles/profile.ts';
import { capitalName, profileName } from '../text/profile-name.ts';
import type { AnsweredProfile, Change } from './answer.ts';
import type { CardState } from './card.ts';
import { cardRows, MAX_ROWS, plainCard } from './card-rows.ts';
import type { CardLanguage, CardText } from './card-text.ts';
import type { TrialLeft } from './proof.ts';

type Of<Kind extends CardState['kind']> = Extract<CardState, { readonly kind: Kind }>;

/** A reason within a sentence has no full stop of its own. */
export const reasonText = (why: string, { core }: CardLanguage): string => core.label(why).trim().replace(/\.+$/, '');

/** `invalid`: a check of its own fails. */
export function inTrial(state: Of<'collecting' | 'leading' | 'confirming' | 'paused' | 'invalid'>, language: CardLanguage): CardText {
  const { text } = language;
  switch (state.kind) {
    case 'paused': {
      const { because, candidates, rows, each, planned } = state;
      const why = because === undefined ? [] : [text('card.paused.because', { why: reasonText(because, language) })];
      return {
        ...plainCard('card.status.paused', language, [text('card.paused'), ...why, text('card.paused.detail')]),
        meter: { share: each / planned, label: text('card.each', { each, planned }) },
        ...cardRows(bestFirst(rows.length > 0 ? rows : withAll(candidates, rows)), 'running', language),
      };
    }
    case 'invalid': {
      const card = state.isOver
        ? plainCard('card.status.finished', language, [
            text('card.invalid.over'),
            ...(state.checks.length > 0 ? state.checks : [text('card.invalid.someCheck')]),
            text('card.invalid.overDetail'),
          ])
        : plainCard('card.status.trial', language, [
            text('card.invalid'),
            ...(state.checks.length > 0 ? state.checks : [text('card.invalid.someCheck')]),
            text('card.invalid.detail'),
            ...comparedText(state.candidates, language),
          ]);
      return { ...card, tone: 'problem' };
    }
    case 'collecting': {
      const shown = { ...state, rows: withAll(state.candidates, state.rows) };
      return { ...running(shown, 'card.each', language), ...collecting(shown, language) };
    }
    case 'confirming':
    case 'leading': {
      const shown = state.leader === undefined ? state : { ...state, rows: withLeader(state.leader, state) };
      return { ...running(shown, 'card.confirming.progress', language), ...leading(shown, language) };
    }
    default:
      return assertNever(state);
  }
}

type Running = Of<'collecting' | 'leading' | 'confirming'>;

function running(
  { left, each, planned, rows, due }: Running,
  progress: 'card.each' | 'card.confirming.progress',
  language: CardLanguage,
): Pick<CardText, 'status' | 'tone' | 'meter' | 'rows' | 'zero' | 'same' | 'hint'> {
  return {
    status: leftText(left, language),
    tone: 'plain',
    meter: { share: each / planned, label: language.text(progress, { each, planned }) },
    ...cardRows(bestFirst(rows), 'running', language),
    ...hintOf(left, due, language),
  };
}

function leftText(left: TrialLeft, { text }: CardLanguage): string {
  if (left === undefined) return text('card.status.trial');
  const { unit, count } = left;
  return text(unit === 'days' ? 'card.status.daysLeft' : 'card.status.restartsLeft', { count });
}

function hintOf(left: TrialLeft, due: string | undefined, { text, core }: CardLanguage): Pick<CardText, 'hint'> {
  if (due !== undefined) return { hint: text('card.due', { settings: due === BASELINE_ID ? text('card.own') : profileName(due, core) }) };
  return left === undefined ? { hint: text('card.pace') } : {};
}

/** The rows of a confirmation are of its own page loads alone; the figure above them is of those that chose the settings. */
function onNewLoads({ gain = 0, low, high }: Partial<Change> = {}, { text }: CardLanguage): readonly string[] {
  if (low === undefined || high === undefined) return [];
  return [text('card.confirming.fresh', { change: 1 + gain, low: 1 + low, high: 1 + high })];
}

/** What is compared is shown from the beginning on: without a figure, where there are no page loads to tell by. */
const withAll = (candidates: readonly string[], rows: Running['rows']): Running['rows'] =>
  candidates.map((profileId) => rows.find((row) => row.profileId === profileId) ?? { profileId, change: UNKNOWN });
const UNKNOWN: Change = { gain: 0, low: undefined, high: undefined };

/** Until there are new page loads its row is that of the choice, as the figure above it is. */
function withLeader({ profileId, change }: AnsweredProfile, { kind, rows, leaderLoads }: Of<'leading' | 'confirming'>): Running['rows'] {
  const found = withAll([profileId], rows);
  return kind === 'leading' && found.every((row) => row.change === UNKNOWN) ? [{ profileId, change, loads: leaderLoads }] : found;
}

/** Settings whose change is not bounded yet come last: which of them is ahead cannot be said. */
const bestFirst = (rows: Running['rows']): Running['rows'] =>
  rows.toSorted((a, b) => Number(isBounded(b.change)) - Number(isBounded(a.change)) || b.change.gain - a.change.gain);

const isBounded = ({ low, high }: Change): boolean => low !== undefined && high !== undefined;

function collecting({ candidates, rows }: Running, language: CardLanguage) {
  const { text } = language;
  const [only, ...others] = candidates;
  const [first] = bestFirst(rows);
  return only !== undefined && others.length === 0
    ? { headline: text('card.trial.one', { settings: capitalName(only, language.core) }), sentences: soFar(first?.change, language) }
    : {
        headline: text('card.trial.several', { count: candidates.length + 1 }),
        sentences: soFar(first?.change, language, first && capitalName(first.profileId, language.core)),
      };
}

const comparedText = (candidates: readonly string[], { text, format, core }: CardLanguage): readonly string[] =>
  candidates.length === 0
    ? []
    : [text('card.trial.compared', { settings: format.list(candidates.slice(0, MAX_ROWS).map((id) => profileName(id, core))) })];

/** @param settings - Named where there are several. */
function soFar({ gain = 0, low, high }: Partial<Change> = {}, { text }: CardLanguage, settings?: string): readonly string[] {
  if (low === undefined || high === undefined) return [text('card.soFar.open')];
  const figures = { change: 1 + gain, low: 1 + low, high: 1 + high };
  const found = settings === undefined ? text('card.soFar', figures) : text('card.soFar.of', { settings, ...figures });
  return [found, text('card.soFar.look')];
}

function leading({ kind, leader, rows, leaderLoads: count }: Of<'leading' | 'confirming'>, language: CardLanguage) {
  const { text, format, core } = language;
  if (leader === undefined) return { headline: text('card.leads.checking'), sentences: [text('card.leads.checkingDetail')] };
  const { profileId, change } = leader;
  const leads = text(isPluralLabel(profileId) ? 'card.leads.other' : 'card.leads.one', { settings: capitalName(profileId, core) });
  const { low, high } = change;
  const isKnown = change.gain !== 0 || low !== undefined;
  const open = () => (count === undefined ? text('card.leads.earlier') : text('card.leads.open', { count }));
  const label = low === undefined || high === undefined ? open() : text('card.leads.detail', { low: 1 + low, high: 1 + high });
  return {
    headline: kind === 'leading' ? leads : text('card.confirming', { settings: profileName(profileId, core) }),
    // Without any loads to tell by there is no figure.
    ...(!isKnown ? {} : { figure: { value: format.change(1 + change.gain), label } }),
    sentences:
      kind === 'confirming'
        ? onNewLoads(rows.find((row) => row.profileId === profileId)?.change, language)
        : isKnown
          ? []
          : [text('card.leads.unknown')],
  };
}
