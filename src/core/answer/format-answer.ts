/** The answer in words: first the answer, then the number, its uncertainty, and what to do. */

import { assertNever } from '../errors.ts';
import { type CoreLanguage, IN_ENGLISH } from '../text/figures.ts';
import { protocolLabel } from '../text/labels.ts';
import { numberOf, profileName } from '../text/profile-name.ts';
import {
  type Answer,
  type AnsweredProfile,
  type Change,
  isNothingToGain,
  type PredictedFor,
  type RunningTrial,
  type Unanswered,
  untriedShare,
} from './answer.ts';

/** A heading of one to three words: what kind of answer it is. */
export function answerLabel(answer: Answer): string {
  switch (answer.from) {
    case 'trial':
      return trialLabel(answer);
    case 'prediction':
      return 'Predicted, not measured';
    case 'reach':
      return isNothingToGain(answer) ? 'Nothing to gain' : 'No sure gain';
    case 'nothing':
      return 'No answer yet';
    default:
      return assertNever(answer);
  }
}

/** The whole answer in one to three short sentences. */
export function answerSentence(answer: Answer, language: CoreLanguage = IN_ENGLISH): string {
  switch (answer.from) {
    case 'trial':
      return trialSentence(answer, language);
    case 'prediction': {
      const { profileId, change, pages } = answer;
      const settings = profileName(profileId, language);
      const parameters = { settings, change: changeLabel(change, language), pages: pagesLabel(pages, answer, language) };
      return `${language.text('answer.predicted', parameters)}${limitsOf(answer, language)}`;
    }
    case 'reach':
      return reachSentence(answer, language);
    case 'nothing':
      return language.label(unansweredSentence(answer.why));
    default:
      return assertNever(answer);
  }
}

type Trial = Extract<Answer, { from: 'trial' }>;

function trialLabel(answer: Trial): string {
  switch (answer.state) {
    case 'confirmed':
      return 'Proven here';
    case 'no-difference':
      return 'No real difference';
    case 'open':
      return 'Not enough data';
    case 'slower':
      return 'Nothing to gain';
    case 'running':
      return answer.isPaused ? 'Trial paused' : 'Trial running';
    default:
      return assertNever(answer);
  }
}

function trialSentence(answer: Trial, language: CoreLanguage): string {
  const { text } = language;
  switch (answer.state) {
    case 'confirmed': {
      const { alone, carrier, change, loads } = answer;
      const faster = hereLabel('answer.faster', answer, language);
      const measured = text('answer.proven', { faster, change: changeLabel(change, language), count: loads });
      const without = alone === undefined ? [] : [text('answer.alone', { change: changeLabel(alone, language) })];
      const carried = carrier === 'gateway' ? [text('answer.carried', { count: numberOf(answer.profileId) })] : [];
      return [measured, ...without, ...carried].join(' ');
    }
    case 'no-difference': {
      const { alone, change, loads: count, profileId, protocol, within } = answer;
      return text('answer.same', {
        settings: profileName(profileId, language),
        // Judged against the gateway by itself: what that gains is no merit of the profile.
        through: alone === undefined ? '' : text('answer.through'),
        within,
        change: changeLabel(alone ?? change, language),
        count,
        over: overLabel(protocol, language),
      });
    }
    case 'open': {
      const { closest, loads: count } = answer;
      if (closest === undefined) return text('answer.incomparable');
      const { profileId, protocol, change } = closest;
      const settings = profileName(profileId, language);
      const found = text('answer.closest', { settings, over: overLabel(protocol, language), change: changeLabel(change, language) });
      return text('answer.open', { count, closest: found });
    }
    case 'slower':
      return [
        text('answer.keep'),
        ...answer.profiles.map((one) =>
          text('answer.wasSlower', { slower: hereLabel('answer.slower', one, language), change: changeLabel(one.change, language) }),
        ),
      ].join(' ');
    case 'running':
      return `${runningSentence(answer, language)}${answer.isPaused ? text('answer.paused') : ''}`;
    default:
      return assertNever(answer);
  }
}

function runningSentence({ stage, loads: count, leader, best }: RunningTrial, language: CoreLanguage): string {
  const { text } = language;
  switch (stage) {
    case 'collecting': {
      if (best === undefined) return text('answer.collecting', { count });
      const { profileId, change } = best;
      return text('answer.collecting.best', {
        ...{ count, settings: profileName(profileId, language), change: changeLabel(change, language) },
      });
    }
    case 'checking':
    case 'held':
      return text(SO_FAR[stage], { count });
    case 'leading': {
      if (leader === undefined) return text('answer.collecting', { count });
      const { profileId, change } = leader;
      const settings = profileName(profileId, language);
      return text('answer.leading', { settings, change: changeLabel(change, language), loads: count, count: numberOf(profileId) });
    }
    default:
      return assertNever(stage);
  }
}

const SO_FAR = { checking: 'answer.checking', held: 'answer.held' } as const;

function reachSentence(answer: Extract<Answer, { from: 'reach' }>, language: CoreLanguage): string {
  const { text } = language;
  const reach = reachClause(answer, language);
  const sentences = isNothingToGain(answer)
    ? [text('answer.right'), reach, ...basisSentences(answer, language)]
    : [reach, ...basisSentences(answer, language), text('answer.onlyTrial')];
  return `${sentences.join(' ')}${limitsOf(answer, language)}`;
}

/** What connection settings reach on which pages, and at most gain where that is known. */
export function reachClause(answer: Extract<Answer, { from: 'reach' }>, language: CoreLanguage): string {
  const { text } = language;
  const { requests, byConnections, atMost, pages } = answer;
  const share = requests === 0 ? text('answer.reach.none') : reached(byConnections / requests, language);
  const gain = atMost === undefined ? '' : atMost <= 0 ? text('answer.noGain') : text('answer.atMost', { gain: roundedUp(atMost) });
  const on = pages === undefined ? '' : text('answer.reach.on', { pages: pagesLabel(pages, answer, language) });
  return text('answer.reach', { share, on, gain });
}

/** What the answer rests on, and what it says nothing of. */
export function basisSentences(answer: Extract<Answer, { from: 'reach' }>, language: CoreLanguage): readonly string[] {
  const { text } = language;
  const { preferences, of } = answer.tried;
  const untried = untriedShare(answer);
  return [
    ...(isNothingToGain(answer) ? [text('answer.tried', { tried: preferences, count: of })] : []),
    ...(untried === 0 ? [] : [text('answer.untried', { share: reached(untried, language) })]),
    ...(answer.atMost === undefined ? [text('answer.unproven')] : []),
  ];
}

/** `12 recent pages`, or of how many, where others could not be simulated: nothing is said of those. */
export function pagesLabel(pages: number, { outside = 0 }: PredictedFor, { text }: Pick<CoreLanguage, 'text'>): string {
  return outside === 0 ? text('answer.pages', { count: pages }) : text('answer.pages.of', { pages, count: pages + outside, outside });
}

/** The next tenth of a percent: a bound is never rounded down. */
export const roundedUp = (share: number): number => Math.ceil(share * 1000 - 1e-6) / 1000;

/** What a prediction does not hold for: another network, newer loads. */
export function limitsOf({ former, loadsSince: count = 0 }: PredictedFor, language: CoreLanguage): string {
  const { text } = language;
  const newNetwork = former === undefined ? '' : text('answer.former', { network: networkLabel(former, language) });
  return `${newNetwork}${count === 0 ? '' : text('answer.since', { count })}`;
}

const networkLabel = ({ name, isGiven }: NonNullable<PredictedFor['former']>, { text }: CoreLanguage): string =>
  isGiven ? text('answer.network', { name }) : text('answer.network.estimated', { name });

/** Never rounds a rest away. */
function reached(share: number, { text, percent }: CoreLanguage): string {
  if (share === 0) return text('answer.reach.none');
  if (share === 1) return text('answer.reach.all');
  if (share < 0.01) return text('answer.reach.under', { share: 0.01 });
  return share > 0.99 ? text('answer.reach.over', { share: 0.99 }) : percent(Math.round(share * 100) / 100);
}

function unansweredSentence(why: Unanswered): string {
  switch (why) {
    case 'working':
      return 'Working out what your pages could gain …';
    case 'failed':
      return 'What your pages could gain could not be worked out. A trial can measure it.';
    case 'not-predicted':
      return 'Nothing was predicted for these loads. A trial can measure them.';
    case 'unreadable':
      return 'Plumbfox cannot read what it has stored, so it has no answer.';
    case 'no-loads':
      return 'Open some web pages, then look here again.';
    case 'link-not-known':
      return 'Your network is not known yet. Open a few more pages.';
    case 'rate-not-known':
      return 'The download rate of your network is not known yet. Open a page with large pictures.';
    case 'nothing-to-predict':
      return 'Nothing can be predicted for your recent pages: none was fetched over the network and seen to its end. Open a few other pages.';
    case 'few-pages':
      return 'Too few pages for an answer. Open a few more.';
    case 'not-matching':
      return 'Your recent pages load unlike the simulation, so it cannot tell what settings would gain. A trial can measure it.';
    default:
      return assertNever(why);
  }
}

type Here = Pick<AnsweredProfile, 'profileId' | 'protocol'>;

/** `12 connections are faster here over HTTP/1.1`: a trial judges the pages of one protocol. */
const hereLabel = (id: 'answer.faster' | 'answer.slower', { profileId, protocol }: Here, language: CoreLanguage): string =>
  language.text(id, { settings: profileName(profileId, language), over: overLabel(protocol, language), count: numberOf(profileId) });

const overLabel = (protocol: AnsweredProfile['protocol'], { text, label }: CoreLanguage): string =>
  protocol === undefined ? '' : text('answer.over', { protocol: label(protocolLabel(protocol)) });

/** `+42 % (+23 to +65 %)`; without bounds, `+42 %`. */
export function changeLabel({ gain, low, high }: Change, language: CoreLanguage = IN_ENGLISH): string {
  if (low === undefined || high === undefined) return language.gain(gain);
  return language.text('answer.change', { gain, low: language.gain(low).replace(/\s%$/, ''), high });
}
