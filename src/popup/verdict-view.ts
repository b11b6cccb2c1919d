/** What the card says when a trial has ended with an answer: what is faster, what it rests on, and what "Why?" opens. Pure. */
import type { AnsweredProfile, Change } from '../core/answer/answer.ts';
import type { CardState, TrialNetwork } from '../core/answer/card.ts';
import { assertNever } from '../core/errors.ts';
import { isPluralLabel } from '../core/profiles/presets.ts';
import { protocolLabel } from '../core/text/labels.ts';
import { profileText } from '../views/profile-text.ts';
import { fixedText, format, text } from '../views/text.ts';
import { plot } from './plot.ts';
import { capital, plain, type Said } from './said.ts';

type Of<Kind extends CardState['kind']> = Extract<CardState, { readonly kind: Kind }>;

export function afterTrial(state: Of<'not-faster' | 'confirmed' | 'helper-missing'>): Said {
  if (state.kind === 'not-faster') return notFaster(state);
  const { found, alone, loads, networks } = state;
  const settings = profileText(found.profileId);
  const headline =
    state.kind === 'helper-missing'
      ? text('card.step', { settings })
      : text(isPluralLabel(found.profileId) ? 'card.confirmed.other' : 'card.confirmed.one', { settings: capital(settings) });
  const protocol =
    found.protocol === undefined ? [] : [text('card.confirmed.protocol', { protocol: fixedText(protocolLabel(found.protocol)) })];
  return {
    ...plain('card.status.finished', headline, ...aloneText(alone), ...protocol),
    tone: 'good',
    figure: { value: format.change(1 + found.change.gain), label: [provenOn(found, loads), ...networkText(networks)].join(' ') },
    ...plot([{ profileId: found.profileId, change: found.change, loads }], 'measured'),
    ...why(state),
    ...(state.kind === 'helper-missing' && { hint: text('card.step.detail') }),
  };
}

function provenOn({ change: { low, high } }: AnsweredProfile, count: number): string {
  return low === undefined || high === undefined
    ? text('card.confirmed.unbounded', { count })
    : text('card.confirmed.detail', { count, low: 1 + low, high: 1 + high });
}

function aloneText(alone: Change | undefined): readonly string[] {
  const { low, high } = alone ?? {};
  return low === undefined || high === undefined ? [] : [text('card.confirmed.alone', { low: 1 + low, high: 1 + high })];
}

/** From this share of a trial's page loads on, a network is the only one that is named. Chosen, not measured. */
const NEARLY_ALL = 0.9;

function networkText(networks: readonly TrialNetwork[] = []): readonly string[] {
  const [most] = networks;
  if (most === undefined) return [];
  const { name: network, isGiven, loads } = most;
  const all = networks.reduce((sum, one) => sum + one.loads, 0);
  if (loads < NEARLY_ALL * all) return [text('card.network.several', { networks: networks.length, network })];
  return [text(isGiven ? 'card.network' : 'card.network.estimated', { network })];
}

/** How sure, how many loads, and the trial's own checks; where they can be seen is a link of the page. */
function why({ found, alone, basis }: Of<'confirmed' | 'helper-missing'>): Pick<Said, 'why'> {
  if (basis === undefined) return {};
  const { alpha, loads, baselineLoads: baseline, checks, passed } = basis;
  const { low, high } = found.change;
  const sure = low === undefined || high === undefined ? [] : [text('card.why.sure', { confidence: 1 - alpha })];
  return {
    why: [
      ...sure,
      text(alone === undefined ? 'card.why.loads' : 'card.why.loads.gateway', { loads, baseline, settings: profileText(found.profileId) }),
      text('card.why.checks', { checks, passed }),
    ],
  };
}

function notFaster({ answer, networks }: Of<'not-faster'>): Said {
  switch (answer.state) {
    case 'no-difference': {
      const { profileId, within, change, loads } = answer;
      const same = text('card.same.detail', { settings: capital(profileText(profileId)), within, change: 1 + change.gain });
      return {
        ...plain('card.status.finished', text('card.same'), same, measuredOn(loads, networks)),
        tone: 'good',
        ...plot([{ profileId, change, loads }], 'measured'),
      };
    }
    case 'open': {
      const { closest, loads } = answer;
      const count = measuredOn(loads, networks);
      const { low, high } = closest?.change ?? {};
      if (closest === undefined || low === undefined || high === undefined)
        return plain('card.status.finished', text('card.open'), text('card.open.unbounded'), count);
      const settings = profileText(closest.profileId);
      const detail = text('card.open.detail', { settings, change: 1 + closest.change.gain, low: 1 + low, high: 1 + high });
      return { ...plain('card.status.finished', text('card.open'), detail, count), ...plot([{ ...closest, loads }], 'measured') };
    }
    case 'slower':
      return {
        ...plain('card.status.finished', text('card.slower'), text('card.slower.detail'), ...answer.profiles.flatMap(slowerText)),
        tone: 'good',
        ...plot(
          answer.profiles.map(({ profileId, change }) => ({ profileId, change, loads: undefined })),
          'measured',
        ),
      };
    default:
      return assertNever(answer);
  }
}

const measuredOn = (count: number, networks: readonly TrialNetwork[] | undefined): string =>
  [text('card.same.loads', { count }), ...networkText(networks)].join(' ');

function slowerText({ profileId, change: { gain, low, high } }: AnsweredProfile): readonly string[] {
  if (low === undefined || high === undefined) return [];
  return [text('card.slower.one', { settings: capital(profileText(profileId)), change: 1 + gain, low: 1 + low, high: 1 + high })];
}
