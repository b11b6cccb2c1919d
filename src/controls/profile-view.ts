/** The section of the profile in effect: who applied it, what pipelines its requests, what did not take effect, and what failed. */
import type { Carrier } from '../core/profiles/profile.ts';
import type { MessageId, PlainId } from '../core/text/messages.ts';
import type { ActiveProfile, LateFailure, PopupState, StartFailure, StartPart } from '../protocol/page-state.ts';
import { create, pageElement, setOptionalText, setText, show } from '../views/page.ts';
import { titleText } from '../views/profile-text.ts';
import { withoutStop } from '../views/recording-view.ts';
import { fixedText, text } from '../views/text.ts';

export interface ProfileView {
  readonly title: string;
  /** Shown beside the title if it differs. */
  readonly id: string | undefined;
  readonly appliedBy: string;
  readonly depth: { readonly text: string; readonly tone: 'plain' | 'warning' };
  /** Failures when Firefox started, and of work that nothing awaited. */
  readonly failures: readonly string[];
  /** Absent: the profile is in effect. */
  readonly mismatches: { readonly heading: string; readonly preferences: readonly string[] } | undefined;
}

type Failures = Pick<PopupState, 'startFailures' | 'lateFailures'>;

export function profileView(active: ActiveProfile, { startFailures = [], lateFailures = [] }: Failures = {}): ProfileView {
  return {
    title: titleText(active.profileId, active.title),
    id: active.title === active.profileId ? undefined : active.profileId,
    appliedBy: text(APPLIED_BY[active.appliedBy]),
    depth: pipelining(active),
    failures: [...startFailures.map(startFailureText), ...lateFailures.map(lateFailureText)],
    mismatches: mismatchesOf(active),
  };
}

const APPLIED_BY = {
  browser: 'active.browser',
  'experiment-api': 'active.experiment',
  driver: 'active.driver',
  policy: 'active.policy',
  helper: 'active.helper',
  gateway: 'active.gateway',
  manual: 'active.manual',
} as const satisfies Record<ActiveProfile['appliedBy'], PlainId>;

const PIPELINING = {
  gateway: { some: 'pipelining.gateway.some', upTo: 'pipelining.gateway' },
  http2: { some: 'pipelining.http2.some', upTo: 'pipelining.http2' },
  legacy: { some: 'pipelining.legacy.some', upTo: 'pipelining.legacy' },
} as const satisfies Record<Exclude<Carrier, 'none'>, { readonly some: PlainId; readonly upTo: MessageId }>;

function pipelining({ appliedBy, carrier, depth }: ActiveProfile): ProfileView['depth'] {
  const plain = (sentence: string) => ({ text: sentence, tone: 'plain' }) as const;
  if (carrier !== 'none') {
    return plain(depth === undefined ? text(PIPELINING[carrier].some) : text(PIPELINING[carrier].upTo, { depth }));
  }
  if (depth !== undefined && depth > 1) return { text: text('pipelining.missing', { depth }), tone: 'warning' };
  return plain(text(depth === 1 || appliedBy === 'browser' ? 'pipelining.none' : 'pipelining.unknown'));
}

function mismatchesOf({ appliedBy, mismatches }: ActiveProfile): ProfileView['mismatches'] {
  if (mismatches.length === 0) return undefined;
  const heading = appliedBy === 'manual' ? text('mismatch.manual') : text('mismatch', { count: mismatches.length });
  return { heading, preferences: mismatches };
}

const START_FAILURES = {
  route: 'start.route',
  gateway: 'start.gateway',
  byHand: 'start.manual',
  policy: 'start.policy',
  managedTrial: 'start.trial',
  helper: 'start.helper',
} as const satisfies Record<StartPart, MessageId>;

/** What failed at start, why, and what the person can do. */
const startFailureText = ({ part, why }: StartFailure): string => text(START_FAILURES[part], { why: withoutStop(fixedText(why)) });

/** What failed later, why, and what the person can do. */
const lateFailureText = ({ of, message }: LateFailure): string =>
  text(of === 'gateway' ? 'late.gateway' : 'late.health', { why: withoutStop(message) || text('noReason') });

export function renderProfile(view: ProfileView): void {
  setText('profile-title', view.title);
  setOptionalText('profile-id', view.id);
  setText('profile-applied-by', view.appliedBy);
  setText('profile-depth', view.depth.text);
  pageElement('profile-depth', HTMLElement).classList.toggle('warning', view.depth.tone === 'warning');
  pageElement('failures', HTMLElement).replaceChildren(...view.failures.map((failure) => create('p', {}, failure)));
  show('failures', view.failures.length > 0);
  show('mismatches', view.mismatches !== undefined);
  setText('mismatches-heading', view.mismatches?.heading ?? '');
  const items = (view.mismatches?.preferences ?? []).map((preference) => create('li', {}, create('code', {}, preference)));
  pageElement('mismatches-list', HTMLElement).replaceChildren(...items);
}
