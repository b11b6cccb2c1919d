/** The answer in words: first the answer, then the number, its uncertainty, and what to do. */

import { assertNever } from '../errors.ts';
import { isPluralLabel, profileLabel } from '../profiles/presets.ts';
import { counted, percent, signedPercent } from '../text/figures.ts';
import { protocolLabel } from '../text/labels.ts';
import { type Answer, type AnsweredProfile, type Change, isNothingToGain, type RunningTrial, type Unanswered } from './answer.ts';

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
export function answerSentence(answer: Answer): string {
  switch (answer.from) {
    case 'trial':
      return trialSentence(answer);
    case 'prediction':
      return `${profileLabel(answer.profileId)} should be faster here: about ${changeLabel(answer.change)}, for ${counted(answer.pages, 'recent page')}. A trial measures it.${sinceSentence(answer)}`;
    case 'reach':
      return reachSentence(answer);
    case 'nothing':
      return unansweredSentence(answer.why);
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

function trialSentence(answer: Trial): string {
  switch (answer.state) {
    case 'confirmed': {
      const { alone, carrier, change, loads } = answer;
      const measured = `${areHere('faster', answer)}: ${changeLabel(change)}, ${counted(loads, 'fresh load')}.`;
      const without = alone === undefined ? [] : [`Without what the gateway does by itself: ${changeLabel(alone)}.`];
      const carried =
        carrier === 'gateway'
          ? [
              isPluralLabel(answer.profileId)
                ? 'They need the gateway, and act on plain-http sites only.'
                : 'It needs the gateway, and acts on plain-http sites only.',
            ]
          : [];
      return [measured, ...without, ...carried].join(' ');
    }
    case 'no-difference': {
      const { alone, change, loads, profileId, protocol, within } = answer;
      // Judged against the gateway by itself: what that gains is no merit of the profile.
      const through = alone === undefined ? '' : ', sent through the gateway,';
      return `${profileLabel(profileId)} and Firefox's own settings${through} are within ${percent(within)}: ${changeLabel(alone ?? change)}, ${counted(loads, 'load')}. Nothing to gain ${where(protocol)}.`;
    }
    case 'open': {
      const closest =
        answer.closest &&
        `${profileLabel(answer.closest.profileId)}${over(answer.closest.protocol)}: ${changeLabel(answer.closest.change)}`;
      return closest === undefined
        ? 'The loads of the trial cannot be compared.'
        : `${counted(answer.loads, 'load')} did not settle it. ${closest}.`;
    }
    case 'slower':
      return [
        `Keep Firefox's own settings.`,
        ...answer.profiles.map((one) => `${areHere('slower', one)}: ${changeLabel(one.change)}.`),
      ].join(' ');
    case 'running':
      return runningSentence(answer);
    default:
      return assertNever(answer);
  }
}

function runningSentence({ stage, loads, leader, fresh, isPaused }: RunningTrial): string {
  const soFar = `${counted(loads, 'load')} so far`;
  const next = isPaused ? ' Continue it in the popup, under Trial.' : '';
  switch (stage) {
    case 'collecting':
      return `${soFar}, not enough data yet.${next}`;
    case 'checking':
      return `${soFar}. There is a first result, waiting for the trial's own checks.${next}`;
    case 'held':
      return `${soFar}. A check of the trial fails, so there is no verdict: see Trial in the popup.${next}`;
    case 'confirming': {
      const best =
        leader === undefined
          ? 'One profile looks'
          : `${profileLabel(leader.profileId)} ${isPluralLabel(leader.profileId) ? 'look' : 'looks'}`;
      const gain = leader === undefined ? '' : ` (${signedPercent(leader.change.gain)})`;
      const with_ = fresh === undefined ? '' : `: ${fresh.loads} of about ${fresh.planned}`;
      return `${best} best so far${gain}. Confirming with new loads${with_}.${next}`;
    }
    default:
      return assertNever(stage);
  }
}

function reachSentence(answer: Extract<Answer, { from: 'reach' }>): string {
  const { requests, byConnections, atMost } = answer;
  const right = isNothingToGain(answer) ? [`Firefox's own settings are right for you.`] : [];
  const reach = `Connection settings reach ${requests === 0 ? 'none' : reached(byConnections / requests)} of your requests (HTTP/1.1)`;
  const gain = atMost === undefined ? '' : atMost <= 0 ? '; no gain is predicted' : `; predicted gain at most ${percent(atMost)}`;
  const trial = isNothingToGain(answer) ? [] : ['Only a trial can tell.'];
  return `${[...right, `${reach}${gain}.`, ...trial].join(' ')}${sinceSentence(answer)}`;
}

/** Newer loads are not in a prediction. */
const sinceSentence = ({ loadsSince = 0 }: { readonly loadsSince?: number }): string =>
  loadsSince === 0 ? '' : ` Predicted before your newest ${loadsSince === 1 ? 'load' : `${loadsSince} loads`}.`;

/** Never rounds a rest away. */
function reached(share: number): string {
  if (share === 0) return 'none';
  if (share === 1) return 'all';
  return share < 0.01 ? 'under 1 %' : share > 0.99 ? 'over 99 %' : percent(Math.round(share * 100) / 100);
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
      return 'Nothing can be predicted of your recent pages. A trial can measure them.';
    default:
      return assertNever(why);
  }
}

const areHere = (comparative: 'faster' | 'slower', { profileId, protocol }: Pick<AnsweredProfile, 'profileId' | 'protocol'>): string =>
  `${profileLabel(profileId)} ${isPluralLabel(profileId) ? 'are' : 'is'} ${comparative} ${where(protocol)}`;
/** `here`, `here over HTTP/1.1`: a trial judges the pages of one protocol. */
const where = (protocol: AnsweredProfile['protocol']): string => `here${over(protocol)}`;
const over = (protocol: AnsweredProfile['protocol']): string => (protocol === undefined ? '' : ` over ${protocolLabel(protocol)}`);

/** `+42 % (+23 to +65 %)`; without bounds, `+42 %`. */
export function changeLabel({ gain, low, high }: Change): string {
  if (low === undefined || high === undefined) return signedPercent(gain);
  return `${signedPercent(gain)} (${signedPercent(low).replace(' %', '')} to ${signedPercent(high)})`;
}
