/** The popup's card in words, made of its state; only its button and the row of the page in front are the popup's own. */
import { MEANINGFUL_CHANGE } from '../compare/thresholds.ts';
import { assertNever } from '../errors.ts';
import { isPluralLabel } from '../profiles/presets.ts';
import type { PlainId } from '../text/messages.ts';
import { capitalName } from '../text/profile-name.ts';
import type { PredictedChange, PredictedFaster, Unanswered } from './answer.ts';
import type { AppliedNow, CardState, SiteRow } from './card.ts';
import { cardRows, plainCard } from './card-rows.ts';
import type { CardLanguage, CardText } from './card-text.ts';
import { answerSentence, basisSentences, limitsOf, pagesLabel, reachClause, roundedUp } from './format-answer.ts';
import { inTrial, reasonText } from './format-trial-card.ts';
import { afterTrial } from './format-trial-verdict.ts';

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
      return { ...plainCard('card.status.recording', language, [text('card.lost'), detail]), tone: 'problem' };
    }
    case 'restarted': {
      const detail = text('card.restarted.detail', { from: format.clock(state.from, now), until: format.clock(state.until, now) });
      return { ...plainCard('card.status.recording', language, [text('card.restarted'), detail]), tone: 'problem' };
    }
    case 'fresh':
    case 'unanswered':
    case 'nothing-to-gain':
    case 'predicted':
      return beforeTrial(state, language);
    case 'collecting':
    case 'leading':
    case 'paused':
    case 'invalid':
      return inTrial(state, language);
    case 'not-faster':
    case 'confirmed':
    case 'helper-missing':
    case 'manual-step':
      return afterTrial(state, language);
    case 'applied':
      return appliedText(state, { language, now });
    case 'applied-not-in-effect':
      return notInEffect(state.applied, language);
    case 'undone-at-restart':
      return { ...plainCard('card.status.recording', language, [text('card.undone'), text('card.undone.restart')]), tone: 'problem' };
    case 'locked': {
      const detail = text('card.locked.detail', { preferences: preferenceList(state.preferences, language) });
      // What is applied is locked at another value, and not in effect.
      const status = state.profileId === undefined ? 'card.status.recording' : 'card.status.notCounted';
      return { ...plainCard(status, language, [text('card.locked'), detail]), tone: 'problem' };
    }
    default:
      return assertNever(state);
  }
}

const preferenceList = (names: readonly string[], { format }: CardLanguage): string => format.list(names.slice(0, 3));

function beforeTrial(state: Of<'fresh' | 'unanswered' | 'nothing-to-gain' | 'predicted'>, language: CardLanguage): CardText {
  const { text } = language;
  switch (state.kind) {
    case 'fresh': {
      const { loads, enough, why = 'working' } = state;
      return {
        ...plainCard('card.status.recording', language, [text('card.fresh'), freshText(why, enough, language)]),
        meter: { share: loads / enough, label: text('card.fresh.progress', { loads, enough }) },
        hint: text('card.try.hint'),
      };
    }
    case 'unanswered': {
      const why = answerSentence({ from: 'nothing', why: state.why }, language.core);
      return plainCard('card.status.recording', language, [text('card.unanswered'), why]);
    }
    case 'nothing-to-gain':
      return nothingToGain(state, language);
    case 'predicted': {
      const { profileId, change, pages, predictedFor = {}, rows, faster } = state;
      const { core } = language;
      const limits = limitsOf(predictedFor, core).trim();
      return {
        ...plainCard('card.status.recording', language, [
          capitalName(profileId, core),
          ...fasterText(faster, language),
          ...(limits === '' ? [] : [limits]),
        ]),
        tone: 'predicted',
        figure: {
          value: text('card.predicted.figure', { change: 1 + change.gain }),
          label: text('card.predicted', { pages: pagesLabel(pages, predictedFor, core), low: 1 + change.low, high: 1 + change.high }),
        },
        ...cardRows(rows, 'predicted', language),
        hint: proofText(state, language),
      };
    }
    default:
      return assertNever(state);
  }
}

/** Before there are enough pages: why there is no answer, where something keeps it back. */
function freshText(why: Unanswered, enough: number, { text, core }: CardLanguage): string {
  const isOnItsWay = why === 'no-loads' || why === 'few-pages' || why === 'working' || why === 'not-predicted';
  return isOnItsWay ? text('card.fresh.detail', { enough }) : answerSentence({ from: 'nothing', why }, core);
}

/** Sites that a card names: more do not fit. */
const MAX_SITES = 3;

/** The gain is the figure; what settings reach at all is said beside it, and which sites they do reach below. */
function nothingToGain({ isSure, reach, sites = [] }: Of<'nothing-to-gain'>, language: CardLanguage): CardText {
  const { text, format, core } = language;
  const { requests, byConnections, pages, atMost } = reach;
  const share = requests === 0 ? 0 : byConnections / requests;
  const limits = limitsOf(reach, core).trim();
  const on = pages === undefined ? '' : text('card.atMost.on', { pages: pagesLabel(pages, reach, core) });
  const shown = sites.slice(0, MAX_SITES);
  return {
    ...plainCard('card.status.recording', language, [
      text(isSure ? 'card.right' : 'card.notSure'),
      // Without a figure nothing else names the pages.
      ...(atMost === undefined ? [reachClause(reach, core)] : shown.length === 0 ? [text('card.reach', { share })] : []),
      ...basisSentences(reach, core),
      ...(limits === '' ? [] : [limits]),
    ]),
    tone: isSure ? 'good' : 'plain',
    ...(atMost !== undefined && {
      figure: { value: text('card.atMost.figure', { share: format.percent(roundedUp(atMost)) }), label: text('card.atMost', { on }) },
    }),
    ...(shown.length > 0 && {
      sites: {
        heading: text('card.sites', { count: sites.length, share }),
        rows: shown.map((site) => siteRow(site, language)),
      },
    }),
  };
}

function siteRow({ host, change, isSimulated }: SiteRow, { text }: CardLanguage): NonNullable<CardText['sites']>['rows'][number] {
  if (change === undefined)
    return { host, value: text(isSimulated ? 'card.sites.none' : 'card.sites.unknown'), detail: '', isAhead: false };
  const { gain, low, high } = asRatios(change);
  const interval = text('card.row.interval', { low, high });
  return {
    host,
    value: text('card.predicted.figure', { change: gain }),
    detail: `${interval}, ${text('card.row.predicted')}`,
    isAhead: true,
  };
}

/** Others are faster by their figure, but are not recommended: a sentence, because no row stands above the headline. */
function fasterText(faster: PredictedFaster | undefined, { text }: CardLanguage): readonly string[] {
  if (faster === undefined) return [];
  return [faster.why === 'dearer' ? text('card.dearer', { within: MEANINGFUL_CHANGE }) : text('card.unsure')];
}

function proofText({ proof, isManual }: Of<'predicted'>, language: CardLanguage): string {
  const { text } = language;
  switch (proof.state) {
    case 'working':
      return text('card.predicted.working');
    case 'loads':
      return text('card.predicted.pace');
    case 'days':
      return text('card.predicted.hint');
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

function notInEffect({ profileId, awaitsRestart, wrong }: AppliedNow, language: CardLanguage): CardText {
  const { text, core } = language;
  const why =
    awaitsRestart === 'to-apply'
      ? text('card.notInEffect.restart')
      : text('card.notInEffect.wrong', { count: wrong.length, preferences: preferenceList(wrong, language) });
  const headline = text('card.notInEffect', { settings: capitalName(profileId, core) });
  return { ...plainCard('card.status.notCounted', language, [headline, why]), tone: 'problem' };
}

/** Only a trial's figure is one: what has changed since is a sentence, as nothing proves it. */
function appliedText({ applied, proven }: Of<'applied'>, { language, now }: Seen): CardText {
  const { profileId, by, since, changed } = applied;
  const { text, format, core } = language;
  const status = since === undefined ? text('card.status.inUse') : text('card.status.since', { time: format.since(since, now) });
  const headline = text(isPluralLabel(profileId) ? 'card.applied.other' : 'card.applied.one', { settings: capitalName(profileId, core) });
  const verified = VERIFIED[by] === undefined ? [] : [text(VERIFIED[by])];
  const unproven = changed === undefined ? [] : [changedText(changed, language)];
  const base: CardText = { status, tone: 'good', headline, rows: [], sentences: [...unproven, ...verified] };
  const { low, high } = proven ?? {};
  if (proven === undefined || low === undefined || high === undefined) return base;
  return {
    ...base,
    figure: { value: format.change(1 + proven.gain), label: text('card.applied.proven', { low: 1 + low, high: 1 + high }) },
    ...cardRows([{ profileId, change: proven }], 'measured', language),
  };
}

const changedText = ({ gain, days, before }: NonNullable<AppliedNow['changed']>, { text }: CardLanguage): string =>
  text('card.applied.changed', { change: 1 + gain, days, before });

const asRatios = ({ gain, low, high }: PredictedChange) => ({ gain: 1 + gain, low: 1 + low, high: 1 + high });
