/** What the card says when a trial has ended with an answer: what is faster, what it rests on, and what "Why?" opens. */
import type { ProtocolComparison } from '../compare/comparison.ts';
import { assertNever } from '../errors.ts';
import { isPluralLabel } from '../profiles/presets.ts';
import { linkFigures, protocolLabel } from '../text/labels.ts';
import type { PlainId } from '../text/messages.ts';
import { capitalName, profileName } from '../text/profile-name.ts';
import type { AnsweredProfile, Change } from './answer.ts';
import type { CardState, TrialNetwork } from './card.ts';
import { cardRows, plainCard } from './card-rows.ts';
import type { CardLanguage, CardText } from './card-text.ts';

type Of<Kind extends CardState['kind']> = Extract<CardState, { readonly kind: Kind }>;

/** What is left to do before proven settings can be used. */
const STEPS = {
  confirmed: undefined,
  'helper-missing': 'card.step.detail',
  'manual-step': 'card.step.manual',
} as const satisfies Record<Of<'confirmed' | 'helper-missing' | 'manual-step'>['kind'], PlainId | undefined>;

export function afterTrial(state: Of<'not-faster' | 'confirmed' | 'helper-missing' | 'manual-step'>, language: CardLanguage): CardText {
  if (state.kind === 'not-faster') return notFaster(state, language);
  const { text, format, core } = language;
  const { found, alone, loads, networks } = state;
  const { profileId, protocol, change } = found;
  const step = STEPS[state.kind];
  const headline =
    step === undefined
      ? text(isPluralLabel(profileId) ? 'card.confirmed.other' : 'card.confirmed.one', { settings: capitalName(profileId, core) })
      : text('card.step', { settings: profileName(profileId, core) });
  return {
    ...plainCard('card.status.finished', language, [headline, ...aloneText(alone, language), ...protocolText(protocol, language)]),
    tone: 'good',
    figure: {
      value: format.change(1 + change.gain),
      label: [provenOn(found, loads, language), ...networkText(networks, language)].join(' '),
    },
    ...cardRows([{ profileId, change, loads }], 'measured', language),
    ...whyProven(state, language),
    ...(step !== undefined && { hint: text(step) }),
  };
}

/** @param protocol - The HTTP version that the figures are of; absent: they are not of one among several. */
const protocolText = (protocol: ProtocolComparison['protocol'] | undefined, { text, core }: CardLanguage): readonly string[] =>
  protocol === undefined ? [] : [text('card.confirmed.protocol', { protocol: core.label(protocolLabel(protocol)) })];

function provenOn({ change: { low, high } }: AnsweredProfile, count: number, { text }: CardLanguage): string {
  return low === undefined || high === undefined
    ? text('card.confirmed.unbounded', { count })
    : text('card.confirmed.detail', { count, low: 1 + low, high: 1 + high });
}

function aloneText(alone: Change | undefined, { text }: CardLanguage): readonly string[] {
  const { low, high } = alone ?? {};
  return low === undefined || high === undefined ? [] : [text('card.confirmed.alone', { low: 1 + low, high: 1 + high })];
}

/** From this share of a trial's page loads on, a network is the only one that is named. Chosen, not measured. */
const NEARLY_ALL = 0.9;

function networkText(networks: readonly TrialNetwork[] = [], { text, format }: CardLanguage): readonly string[] {
  const [most] = networks;
  if (most === undefined) return [];
  const { name, isGiven, loads } = most;
  const network = isGiven ? name : linkFigures(name, format);
  const all = networks.reduce((sum, one) => sum + one.loads, 0);
  if (loads < NEARLY_ALL * all) return [text('card.network.several', { networks: networks.length, network })];
  return [text(isGiven ? 'card.network' : 'card.network.estimated', { network })];
}

/** How sure, how many loads, and the trial's own checks; where they can be seen is a link of the page. */
function whyProven(
  { found, alone, basis }: Of<'confirmed' | 'helper-missing' | 'manual-step'>,
  { text, format, core }: CardLanguage,
): Pick<CardText, 'why'> {
  if (basis === undefined) return {};
  const { alpha, loads, baselineLoads: baseline, passed, tooEarly, warned } = basis;
  const { low, high } = found.change;
  const sure = low === undefined || high === undefined ? [] : [text('card.why.sure', { confidence: 1 - alpha })];
  const settings = profileName(found.profileId, core);
  const outcomes = [
    ...(passed === 0 ? [] : [text('card.why.passed', { count: passed })]),
    ...(tooEarly === 0 ? [] : [text('card.why.tooEarly', { count: tooEarly })]),
    ...(warned === 0 ? [] : [text('card.why.warned', { count: warned })]),
  ];
  return {
    why: [
      ...sure,
      text(alone === undefined ? 'card.why.loads' : 'card.why.loads.gateway', { loads, baseline, settings }),
      text('card.why.checks', { found: format.list(outcomes) }),
    ],
  };
}

function notFaster({ answer, networks }: Of<'not-faster'>, language: CardLanguage): CardText {
  const { text, core } = language;
  const finished = (...lines: readonly [string, ...string[]]) => plainCard('card.status.finished', language, lines);
  switch (answer.state) {
    case 'no-difference': {
      const { profileId, within, change, loads } = answer;
      const settings = capitalName(profileId, core);
      const { gain, low, high } = change;
      const same =
        low === undefined || high === undefined
          ? text('card.same.detail', { settings, within, change: 1 + gain })
          : text('card.same.bounded', { settings, within, change: 1 + gain, low: 1 + low, high: 1 + high });
      return {
        ...finished(text('card.same'), same, measuredOn(loads, networks, language)),
        tone: 'good',
        ...cardRows([{ profileId, change, loads }], 'not-faster', language),
      };
    }
    case 'open': {
      const { closest, loads } = answer;
      const count = measuredOn(loads, networks, language);
      const { low, high } = closest?.change ?? {};
      if (closest === undefined || low === undefined || high === undefined)
        return finished(text('card.open'), text('card.open.unbounded'), count);
      const figures = { change: 1 + closest.change.gain, low: 1 + low, high: 1 + high };
      const detail = text('card.open.detail', { settings: profileName(closest.profileId, core), ...figures });
      return { ...finished(text('card.open'), detail, count), ...cardRows([{ ...closest, loads }], 'not-faster', language) };
    }
    case 'slower': {
      const rows = answer.profiles.map(({ profileId, change }) => ({ profileId, change }));
      return {
        ...finished(text('card.slower'), text('card.slower.detail'), ...answer.profiles.flatMap((one) => slowerText(one, language))),
        tone: 'good',
        ...cardRows(rows, 'not-faster', language),
      };
    }
    default:
      return assertNever(answer);
  }
}

const measuredOn = (count: number, networks: readonly TrialNetwork[] | undefined, language: CardLanguage): string =>
  [language.text('card.same.loads', { count }), ...networkText(networks, language)].join(' ');

function slowerText({ profileId, change: { gain, low, high } }: AnsweredProfile, { text, core }: CardLanguage): readonly string[] {
  if (low === undefined || high === undefined) return [];
  return [text('card.slower.one', { settings: capitalName(profileId, core), change: 1 + gain, low: 1 + low, high: 1 + high })];
}
