/** The popup's card in words, made of its state; only its button and the row of the page in front are the popup's own. */
import { MEANINGFUL_CHANGE } from '../compare/thresholds.ts';
import { assertNever } from '../errors.ts';
import { isPluralLabel } from '../profiles/presets.ts';
import type { PlainId } from '../text/messages.ts';
import { capitalName } from '../text/profile-name.ts';
import type { PredictedFaster } from './answer.ts';
import type { AppliedNow, CardState } from './card.ts';
import { cardRows, plainCard } from './card-rows.ts';
import type { CardLanguage, CardRow, CardText } from './card-text.ts';
import { answerSentence, basisSentences } from './format-answer.ts';
import { inTrial, reasonText } from './format-trial-card.ts';
import { afterTrial, protocolText } from './format-trial-verdict.ts';

type Of<Kind extends CardState['kind']> = Extract<CardState, { readonly kind: Kind }>;

/** @param now - Wall clock, ms since the epoch: states that name a time of day name it as seen from here. */
export function cardText(state: CardState, language: CardLanguage, now: number): CardText {
  const { text, format } = language;
  const problem = (headline: string, detail: string): CardText => ({
    ...plainCard('card.status.off', language, [headline, detail]),
    tone: 'problem',
  });
  switch (state.kind) {
    case 'no-permission':
      return problem(text('card.noPermission'), text('card.noPermission.detail'));
    case 'private-only':
      return problem(text('card.privateOnly'), text('card.privateOnly.detail'));
    case 'version-too-new':
      return problem(text('card.tooNew'), text('card.tooNew.detail'));
    case 'held-by-another':
      return problem(text('card.held'), text('card.held.detail'));
    case 'list-lost':
      return problem(text('card.listLost'), text('card.listLost.detail'));
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
      return beforeTrial(state, language);
    case 'collecting':
    case 'leading':
    case 'confirming':
    case 'paused':
    case 'invalid':
      return inTrial(state, language);
    case 'not-faster':
    case 'confirmed':
    case 'helper-missing':
    case 'manual-step':
      return afterTrial(state, language);
    case 'applied':
    case 'applied-not-in-effect':
      return applied(state.applied, state.kind === 'applied', { language, now });
    case 'undone-at-restart':
      return { ...plainCard('card.status.recording', language, [text('card.undone'), text('card.undone.restart')]), tone: 'problem' };
    case 'locked': {
      const detail = text('card.locked.detail', { preferences: preferenceList(state.preferences, language) });
      return { ...plainCard('card.status.recording', language, [text('card.locked'), detail]), tone: 'problem' };
    }
    default:
      return assertNever(state);
  }
}

const preferenceList = (names: readonly string[], { format }: CardLanguage): string => format.list(names.slice(0, 3));

function beforeTrial(state: Of<'fresh' | 'unanswered' | 'nothing-to-gain' | 'predicted'>, language: CardLanguage): CardText {
  const { text, format } = language;
  switch (state.kind) {
    case 'fresh': {
      const { loads, enough } = state;
      return {
        ...plainCard('card.status.recording', language, [text('card.fresh'), text('card.fresh.detail', { enough })]),
        meter: { share: loads / enough, label: text('card.fresh.progress', { loads, enough }) },
        hint: text('card.try.hint'),
      };
    }
    case 'unanswered': {
      const why = answerSentence({ from: 'nothing', why: state.why }, language.core);
      return plainCard('card.status.recording', language, [text('card.unanswered'), why]);
    }
    case 'nothing-to-gain': {
      const { requests, byConnections, pages, atMost } = state.reach;
      const share = requests === 0 ? 0 : byConnections / requests;
      const gain = atMost === undefined ? [] : [atMost <= 0 ? text('card.reach.none') : text('card.reach.atMost', { share: atMost })];
      const basis = basisSentences(state.reach, language.core);
      return {
        ...plainCard('card.status.recording', language, [text(state.isSure ? 'card.right' : 'card.notSure'), ...gain, ...basis]),
        tone: state.isSure ? 'good' : 'plain',
        figure: {
          value: format.share(share),
          label: pages === undefined ? text('card.reach.earlier') : text('card.reach', { count: pages }),
        },
        meter: { share, label: '' },
      };
    }
    case 'predicted': {
      const { profileId, change, pages, rows, faster } = state;
      const placed = cardRows(rows, 'predicted', language);
      return {
        ...plainCard('card.status.recording', language, [capitalName(profileId, language.core)]),
        tone: 'predicted',
        figure: {
          value: text('card.predicted.figure', { change: 1 + change.gain }),
          label: text('card.predicted', { count: pages, low: 1 + change.low, high: 1 + change.high }),
        },
        ...placed,
        rows: placed.rows.map((row) => ({ ...row, label: labelOf(row, faster, language) })),
        hint: proofText(state, language),
      };
    }
    default:
      return assertNever(state);
  }
}

/** Says at settings with a higher prediction why they are not the recommended ones. */
function labelOf({ id, label }: CardRow, faster: PredictedFaster | undefined, { text }: CardLanguage): string {
  if (faster?.profileId !== id) return label;
  return faster.why === 'dearer'
    ? text('card.row.dearer', { settings: label, within: MEANINGFUL_CHANGE })
    : text('card.row.unsure', { settings: label });
}

function proofText({ proof, isManual }: Of<'predicted'>, language: CardLanguage): string {
  const { text } = language;
  switch (proof.state) {
    case 'working':
      return text('card.predicted.working');
    case 'loads':
      return text('card.pace');
    case 'days':
      return text('card.predicted.hint', { count: proof.loads });
    case 'too-slow': {
      const { days, perDay, needed } = proof;
      return text('card.tooSlow', { days, perDay, needed });
    }
    case 'restarts':
      return text(isManual ? 'card.restarts.manual' : 'card.restarts', { restarts: proof.restarts });
    case 'not-possible':
      return text('card.notPossible', { why: reasonText(proof.why, language) });
    default:
      return assertNever(proof);
  }
}

/** What is said of values that are as intended: whether anything has read them back. */
const VERIFIED = {
  live: 'card.applied.live',
  manual: 'active.manual',
  helper: undefined,
  policy: undefined,
  gateway: undefined,
} as const satisfies Record<AppliedNow['by'], PlainId | undefined>;

interface Seen {
  readonly language: CardLanguage;
  readonly now: number;
}

function applied(
  { profileId, by, since, gained, awaitsRestart, wrong }: AppliedNow,
  isInEffect: boolean,
  { language, now }: Seen,
): CardText {
  const { text, format } = language;
  const settings = capitalName(profileId, language.core);
  const status = since === undefined ? text('card.status.inUse') : text('card.status.since', { time: format.since(since, now) });
  if (!isInEffect) {
    const why =
      awaitsRestart === 'to-apply'
        ? text('card.notInEffect.restart')
        : text('card.notInEffect.wrong', { count: wrong.length, preferences: preferenceList(wrong, language) });
    return { ...plainCard('card.status.recording', language, [text('card.notInEffect', { settings }), why]), tone: 'problem' };
  }
  const headline = text(isPluralLabel(profileId) ? 'card.applied.other' : 'card.applied.one', { settings });
  const verified = VERIFIED[by] === undefined ? [] : [text(VERIFIED[by])];
  const base: CardText = { status, tone: 'good', headline, rows: [], sentences: verified };
  if (gained === undefined) return { ...base, sentences: [text('card.applied.unknown'), ...verified] };
  const { change, loads, before, protocol } = gained;
  const label = text(change.low > 0 ? 'card.applied.gained' : 'card.applied.changed', {
    low: 1 + change.low,
    high: 1 + change.high,
    loads,
    before,
  });
  return {
    ...base,
    sentences: [...protocolText(protocol, language), ...verified],
    figure: { value: format.change(1 + change.gain), label },
    ...cardRows([{ profileId, change, loads: loads + before }], 'measured', language),
  };
}
