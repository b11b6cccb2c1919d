/** The card while a trial goes on, or when it has ended by a failed check. */
import { assertNever } from '../errors.ts';
import { isPluralLabel } from '../profiles/presets.ts';
import { BASELINE_ID } from '../profiles/profile.ts';
import { capitalName, profileName } from '../text/profile-name.ts';
import type { Change } from './answer.ts';
import type { CardState } from './card.ts';
import { cardRows, MAX_ROWS, plainCard } from './card-rows.ts';
import type { CardLanguage, CardText } from './card-text.ts';
import type { TrialLeft } from './proof.ts';

type Of<Kind extends CardState['kind']> = Extract<CardState, { readonly kind: Kind }>;

/** A reason within a sentence has no full stop of its own. */
export const reasonText = (why: string, { core }: CardLanguage): string => core.label(why).trim().replace(/\.+$/, '');

/** `invalid`: a check of its own fails. */
export function inTrial(state: Of<'collecting' | 'leading' | 'paused' | 'invalid'>, language: CardLanguage): CardText {
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
      return { ...running(shown, language), ...collecting(shown, language) };
    }
    case 'leading':
      return { ...running(state, language), ...leading(state, language) };
    default:
      return assertNever(state);
  }
}

type Running = Of<'collecting' | 'leading'>;

function running(
  { left, each, planned, rows, due }: Running,
  language: CardLanguage,
): Pick<CardText, 'status' | 'tone' | 'meter' | 'rows' | 'zero' | 'same' | 'hint'> {
  return {
    status: leftText(left, language),
    tone: 'plain',
    meter: { share: each / planned, label: language.text('card.each', { each, planned }) },
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

/** What is compared is shown from the beginning on: without a figure, where there are no page loads to tell by. */
const withAll = (candidates: readonly string[], rows: Running['rows']): Running['rows'] =>
  candidates.map((profileId) => rows.find((row) => row.profileId === profileId) ?? { profileId, change: UNKNOWN });
const UNKNOWN: Change = { gain: 0, low: undefined, high: undefined };

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

function leading({ leader }: Of<'leading'>, { text, format, core }: CardLanguage) {
  if (leader === undefined) return { headline: text('card.leads.checking'), sentences: [text('card.leads.checkingDetail')] };
  const { profileId, change } = leader;
  const { gain, low, high } = change;
  const figures =
    low === undefined || high === undefined
      ? {}
      : { figure: { value: format.change(1 + gain), label: text('card.leads.detail', { low: 1 + low, high: 1 + high }) } };
  return {
    headline: text(isPluralLabel(profileId) ? 'card.leads.other' : 'card.leads.one', { settings: capitalName(profileId, core) }),
    ...figures,
    sentences: [text('card.soFar.look')],
  };
}
