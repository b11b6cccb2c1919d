/** The card as text and figures, made of its state. Pure; what was painted last is kept for the session, so the shape has a schema. */
import type { Change } from '../core/answer/answer.ts';
import type { AppliedNow, CardAction, CardState, Proof } from '../core/answer/card.ts';
import { mainAction } from '../core/answer/card.ts';
import { answerSentence } from '../core/answer/format-answer.ts';
import { assertNever } from '../core/errors.ts';
import { BASELINE_ID, isPluralLabel } from '../core/profiles/presets.ts';
import type { PlainId } from '../core/text/messages.ts';
import { profileText } from '../views/profile-text.ts';
import { coreLanguage, fixedText, format, text } from '../views/text.ts';
import type { CardView } from './paint.ts';
import { MAX_ROWS, plot } from './plot.ts';
import { capital, plain, type Said } from './said.ts';
import { pageRow, type ThisPage } from './this-page.ts';
import { afterTrial } from './verdict-view.ts';

interface ViewOptions {
  /** Wall clock, ms since the epoch. */
  readonly now: number;
  /** The load of the tab in front; `undefined`: none is recorded. */
  readonly page: ThisPage | undefined;
}

/** Pure. */
export function cardView(state: CardState, { now, page }: ViewOptions): CardView {
  const action = mainAction(state);
  return {
    kind: state.kind,
    ...said(state, now),
    button: { action, label: buttonLabel(action, state), isPrimary: action !== 'pause' },
    page: pageRow(page),
  };
}

const problem = (headline: string, ...sentences: readonly string[]): Said => ({
  ...plain('card.status.off', headline, ...sentences),
  tone: 'problem',
});

function said(state: CardState, now: number): Said {
  switch (state.kind) {
    case 'no-permission':
      return problem(text('card.noPermission'), text('card.noPermission.detail'));
    case 'private-only':
      return problem(text('card.privateOnly'), text('card.privateOnly.detail'));
    case 'version-too-new':
      return problem(text('card.tooNew'), text('card.tooNew.detail'));
    case 'held-by-another':
      return problem(text('card.held'), text('card.held.detail'));
    case 'disk-full':
      return problem(text('card.diskFull'), text('card.diskFull.detail'));
    case 'storage-lost': {
      const detail = text('card.lost.detail', { count: state.loads, until: format.clock(state.until, now) });
      return { ...problem(text('card.lost'), detail), status: text('card.status.recording') };
    }
    case 'restarted': {
      const detail = text('card.restarted.detail', { from: format.clock(state.from, now), until: format.clock(state.until, now) });
      return { ...problem(text('card.restarted'), detail), status: text('card.status.recording') };
    }
    case 'fresh':
    case 'unanswered':
    case 'nothing-to-gain':
    case 'predicted':
      return beforeTrial(state);
    case 'collecting':
    case 'leading':
    case 'confirming':
    case 'paused':
    case 'invalid':
      return inTrial(state);
    case 'not-faster':
    case 'confirmed':
    case 'helper-missing':
      return afterTrial(state);
    case 'applied':
    case 'applied-not-in-effect':
      return applied(state.applied, state.kind === 'applied', now);
    case 'locked':
      return {
        ...plain(
          'card.status.recording',
          text('card.locked'),
          text('card.locked.detail', { preferences: format.list(state.preferences.slice(0, 3)) }),
        ),
        tone: 'problem',
      };
    default:
      return assertNever(state);
  }
}

type Of<Kind extends CardState['kind']> = Extract<CardState, { readonly kind: Kind }>;

function beforeTrial(state: Of<'fresh' | 'unanswered' | 'nothing-to-gain' | 'predicted'>): Said {
  switch (state.kind) {
    case 'fresh': {
      const { loads, enough } = state;
      return {
        ...plain('card.status.recording', text('card.fresh'), text('card.fresh.detail', { enough })),
        meter: { share: loads / enough, label: text('card.fresh.progress', { loads, enough }) },
        hint: text('card.try.hint'),
      };
    }
    case 'unanswered':
      return plain('card.status.recording', text('card.unanswered'), answerSentence({ from: 'nothing', why: state.why }, coreLanguage));
    case 'nothing-to-gain': {
      const { requests, byConnections, atMost } = state.reach;
      const share = requests === 0 ? 0 : byConnections / requests;
      const gain = atMost === undefined ? [] : [atMost <= 0 ? text('card.reach.none') : text('card.reach.atMost', { share: atMost })];
      return {
        ...plain('card.status.recording', text(state.isSure ? 'card.right' : 'card.notSure'), ...gain),
        tone: state.isSure ? 'good' : 'plain',
        figure: { value: format.share(share), label: text('card.reach', { count: state.loads }) },
        meter: { share, label: '' },
      };
    }
    case 'predicted': {
      const { profileId, change, pages, rows, proof } = state;
      return {
        ...plain('card.status.recording', `${capital(profileText(profileId))}.`),
        tone: 'predicted',
        figure: {
          value: text('card.predicted.figure', { change: 1 + change.gain }),
          label: text('card.predicted', { count: pages, low: 1 + change.low, high: 1 + change.high }),
        },
        ...plot(rows, 'predicted'),
        hint: proofText(proof),
      };
    }
    default:
      return assertNever(state);
  }
}

function proofText(proof: Proof): string {
  switch (proof.state) {
    case 'working':
      return text('card.predicted.working');
    case 'days':
      return text('card.predicted.hint', { count: proof.loads });
    case 'too-slow': {
      const { days, perDay, needed } = proof;
      return text('card.tooSlow', { days, perDay, needed });
    }
    case 'restarts':
      return text('card.restarts', { restarts: proof.restarts });
    case 'not-possible':
      return text('card.notPossible', { why: fixedText(proof.why).trim().replace(/\.+$/, '') });
    default:
      return assertNever(proof);
  }
}

function inTrial(state: Of<'collecting' | 'leading' | 'confirming' | 'paused' | 'invalid'>): Said {
  switch (state.kind) {
    case 'paused': {
      const { because, candidates, each, planned } = state;
      const why = because === undefined ? [] : [text('card.paused.because', { why: fixedText(because).trim().replace(/\.+$/, '') })];
      const detail = text('card.paused.detail', { each, planned });
      return {
        ...plain('card.status.paused', text('card.paused'), ...comparedText(candidates), ...why, detail),
        meter: { share: each / planned, label: '' },
      };
    }
    case 'invalid':
      return state.isOver
        ? { ...plain('card.status.finished', text('card.invalid.over'), text('card.invalid.overDetail')), tone: 'problem' }
        : {
            ...plain('card.status.trial', text('card.invalid'), ...comparedText(state.candidates), text('card.invalid.detail')),
            tone: 'problem',
          };
    case 'collecting':
      return { ...running(state, 'card.each'), ...collecting(state) };
    case 'leading':
    case 'confirming':
      return { ...running(state, 'card.confirming.progress'), ...leading(state) };
    default:
      return assertNever(state);
  }
}

type Running = Of<'collecting' | 'leading' | 'confirming'>;

function running({ daysLeft: count, each, planned, rows, due }: Running, progress: 'card.each' | 'card.confirming.progress') {
  const withDays = progress === 'card.each' ? 'card.each.daysLeft' : 'card.confirming.daysLeft';
  return {
    status: count === undefined ? text('card.status.trial') : text('card.status.daysLeft', { count }),
    tone: 'plain' as const,
    meter: {
      share: each / planned,
      label: count === undefined ? text(progress, { each, planned }) : text(withDays, { count, each, planned }),
    },
    ...plot(bestFirst(rows), 'running'),
    ...(due !== undefined && { hint: text('card.due', { settings: due === BASELINE_ID ? text('card.own') : profileText(due) }) }),
  };
}

/** The rows of a confirmation are of its own page loads alone; the figure above them is of those that chose the settings. */
function onNewLoads({ gain = 0, low, high }: Partial<Change> = {}): readonly string[] {
  if (low === undefined || high === undefined) return [];
  return [text('card.confirming.fresh', { change: 1 + gain, low: 1 + low, high: 1 + high })];
}

/** Settings whose change is not bounded yet come last: which of them is ahead cannot be said. */
const bestFirst = (rows: Running['rows']): Running['rows'] =>
  rows.toSorted((a, b) => Number(isBounded(b.change)) - Number(isBounded(a.change)) || b.change.gain - a.change.gain);

const isBounded = ({ low, high }: Change): boolean => low !== undefined && high !== undefined;

function collecting({ candidates, rows }: Running) {
  const [only, ...others] = candidates;
  const [first] = bestFirst(rows);
  return only !== undefined && others.length === 0
    ? { headline: text('card.trial.one', { settings: capital(profileText(only)) }), sentences: [soFar(first?.change)] }
    : {
        headline: text('card.trial.several', { count: candidates.length + 1 }),
        sentences: [...comparedText(candidates), soFar(first?.change, first && capital(profileText(first.profileId)))],
      };
}

const comparedText = (candidates: readonly string[]): readonly string[] =>
  candidates.length === 0 ? [] : [text('card.trial.compared', { settings: format.list(candidates.slice(0, MAX_ROWS).map(profileText)) })];

/** @param settings - Named where there are several. */
function soFar({ gain = 0, low, high }: Partial<Change> = {}, settings?: string): string {
  if (low === undefined || high === undefined) return text('card.soFar.open');
  const figures = { change: 1 + gain, low: 1 + low, high: 1 + high };
  return settings === undefined ? text('card.soFar', figures) : text('card.soFar.of', { settings, ...figures });
}

function leading({ kind, leader, rows, leaderLoads: count = 0 }: Of<'leading' | 'confirming'>) {
  if (leader === undefined) return { headline: text('card.leads.checking'), sentences: [text('card.leads.checkingDetail')] };
  const { profileId, change } = leader;
  const settings = capital(profileText(profileId));
  const leads = text(isPluralLabel(profileId) ? 'card.leads.other' : 'card.leads.one', { settings });
  const { low, high } = change;
  const label =
    low === undefined || high === undefined
      ? text('card.leads.open', { count })
      : text('card.leads.detail', { low: 1 + low, high: 1 + high });
  return {
    headline: kind === 'leading' ? leads : text('card.confirming', { settings: profileText(profileId) }),
    // Without any loads to tell by there is no figure.
    ...(change.gain === 0 && low === undefined ? {} : { figure: { value: format.change(1 + change.gain), label } }),
    sentences: onNewLoads(rows[0]?.change),
  };
}

function applied({ profileId, by, since, gained, waitsForRestart, wrong }: AppliedNow, isInEffect: boolean, now: number): Said {
  const settings = capital(profileText(profileId));
  const status = since === undefined ? text('card.status.inUse') : text('card.status.since', { time: format.clock(since, now) });
  if (!isInEffect) {
    const why = waitsForRestart ? text('card.notInEffect.restart') : text('card.notInEffect.wrong', { count: wrong.length });
    return { ...plain('card.status.recording', text('card.notInEffect', { settings }), why), tone: 'problem' };
  }
  const headline = text(isPluralLabel(profileId) ? 'card.applied.other' : 'card.applied.one', { settings });
  const confirmed = by === 'live' ? [text('card.applied.live')] : [];
  const base: Said = { status, tone: 'good', headline, rows: [], sentences: [...confirmed] };
  if (gained === undefined) return { ...base, sentences: [text('card.applied.unknown'), ...confirmed] };
  const { change, loads, before } = gained;
  const label = text(change.low > 0 ? 'card.applied.gained' : 'card.applied.changed', {
    low: 1 + change.low,
    high: 1 + change.high,
    loads,
    before,
  });
  return {
    ...base,
    figure: { value: format.change(1 + change.gain), label },
    ...plot([{ profileId, change, loads: loads + before }], 'measured'),
  };
}

function buttonLabel(action: CardAction, state: CardState): string {
  if (action === 'prove' && state.kind === 'predicted' && state.proof.state === 'days')
    return text('card.prove.days', { count: state.proof.days });
  if (state.kind === 'locked') return text('card.seeLocked');
  if (action === 'measure' && state.kind === 'predicted') return text('card.seeApply');
  return text(BUTTONS[action]);
}

const BUTTONS = {
  allow: 'card.allow',
  check: 'card.check',
  dismiss: 'card.dismiss',
  try: 'card.try',
  measure: 'card.measure',
  prove: 'card.prove',
  pause: 'card.pause',
  resume: 'card.resume',
  apply: 'card.apply',
  undo: 'card.undo',
  'see-trial': 'card.seeTrial',
  'see-apply': 'card.seeApply',
  'see-gateway': 'card.seeGateway',
} as const satisfies Record<CardAction, PlainId>;
