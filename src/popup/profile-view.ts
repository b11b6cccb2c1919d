/** The profile in effect, in words: who applied it, what carries its depth, and what did not take effect. */

import { assertNever } from '../core/errors.ts';
import type { Carrier } from '../core/profiles/profile.ts';
import type { ActiveProfile, LateFailure, PopupState, StartFailure, StartPart } from '../protocol/page-state.ts';
import { create, pageElement, setOptionalText, setText, show } from '../views/page.ts';

export interface ProfileView {
  readonly title: string;
  /** Shown beside the title where it says more than the title does. */
  readonly id: string | undefined;
  readonly appliedBy: string;
  readonly depth: { readonly text: string; readonly tone: 'plain' | 'warning' };
  /** What went wrong when Firefox started, and when nobody waited for it: a sentence or some for each. */
  readonly failures: readonly string[];
  /** Absent: the profile is in effect. */
  readonly mismatches: { readonly heading: string; readonly preferences: readonly string[] } | undefined;
}

type Failures = Pick<PopupState, 'startFailures' | 'lateFailures'>;

export function profileView(active: ActiveProfile, { startFailures = [], lateFailures = [] }: Failures = {}): ProfileView {
  return {
    title: active.title,
    id: active.title === active.profileId ? undefined : active.profileId,
    appliedBy: appliedByWords(active.appliedBy),
    depth: depthWords(active),
    failures: [...startFailures.map(startFailureWords), ...lateFailures.map(lateFailureWords)],
    mismatches: mismatchWords(active),
  };
}

/** How a carrier is named in tables: after "depth". */
export function carrierName(carrier: Carrier): string {
  switch (carrier) {
    case 'none':
      return 'no carrier';
    case 'gateway':
      return 'by gateway';
    case 'http2':
      return 'by HTTP/2';
    case 'legacy':
      return 'by legacy pipelining';
    default:
      return assertNever(carrier);
  }
}

function appliedByWords(appliedBy: ActiveProfile['appliedBy']): string {
  switch (appliedBy) {
    case 'browser':
      return 'The browser’s own settings: Plumbfox has changed nothing.';
    case 'experiment-api':
      return 'Applied by this extension while Firefox runs (Experiment API).';
    case 'driver':
      return 'Applied by the lab’s browser driver while Firefox runs.';
    case 'policy':
      return 'Applied by an enterprise policy (policies.json) when Firefox started.';
    case 'helper':
      return 'Applied by the Plumbfox helper (user.js) when Firefox started.';
    case 'gateway':
      return 'Applied to plain-http sites by the Plumbfox gateway, while it is on.';
    case 'manual':
      return 'Set by hand, in about:config or by adb: Plumbfox takes your word for it.';
    default:
      return assertNever(appliedBy);
  }
}

function depthWords(active: ActiveProfile): ProfileView['depth'] {
  const depth = active.depth === undefined ? 'Its depth' : `Depth ${active.depth}`;
  switch (active.carrier) {
    case 'none':
      return withoutCarrier(active);
    case 'gateway':
      return { text: `${depth} is carried by the gateway: it applies to plain-http sites only.`, tone: 'plain' };
    case 'http2':
      return {
        text: `${depth} is carried by HTTP/2 streams: it holds only where the server sends no stream limit of its own.`,
        tone: 'plain',
      };
    case 'legacy':
      return { text: `${depth} is carried by the browser’s own HTTP/1.1 pipelining (Gecko up to 53).`, tone: 'plain' };
    default:
      return assertNever(active.carrier);
  }
}

function withoutCarrier({ appliedBy, depth }: ActiveProfile): ProfileView['depth'] {
  if (depth !== undefined && depth > 1) {
    return {
      text: `Depth ${depth} has no effect: nothing here carries it, so each HTTP/1.1 connection has one request at a time.`,
      tone: 'warning',
    };
  }
  if (depth === 1 || appliedBy === 'browser') {
    return { text: 'Depth 1: each HTTP/1.1 connection has one request at a time. Nothing needs to carry it.', tone: 'plain' };
  }
  return { text: 'Nothing here carries a depth above 1: if this profile asks for more, that has no effect.', tone: 'plain' };
}

function mismatchWords({ appliedBy, mismatches }: ActiveProfile): ProfileView['mismatches'] {
  if (mismatches.length === 0) return undefined;
  if (appliedBy === 'manual') {
    return { heading: 'In effect from the next start of Firefox on. Loads made now count for no profile.', preferences: mismatches };
  }
  const heading =
    mismatches.length === 1
      ? 'Not in effect: one preference does not have the value this profile intends. Loads made now do not count for it.'
      : `Not in effect: ${mismatches.length} preferences do not have the values this profile intends. Loads made now do not count for it.`;
  return { heading, preferences: mismatches };
}

/** One line. */
function startFailureWords({ part, why }: StartFailure): string {
  const { what, task } = partWords(part);
  return `At start: ${what}: ${why.trim().replace(/\.+$/, '')}. ${task}`;
}

function partWords(part: StartPart): { readonly what: string; readonly task: string } {
  switch (part) {
    case 'route':
      return {
        what: 'the way through the gateway of the last session could not be taken back',
        task: 'Start Firefox anew; if pages do not load, press “Back to before”.',
      };
    case 'gateway':
      return {
        what: 'the end of the gateway could not be noted',
        task: 'Switch the gateway on and off again; loads made until then may be counted as through it.',
      };
    case 'byHand':
      return {
        what: 'the profile that you have set by hand could not be noted as in effect',
        task: 'Start Firefox anew; loads made until then count for no profile.',
      };
    case 'policy':
      return {
        what: 'the policy that names a profile could not be heeded',
        task: 'Ask whoever wrote policies.json to correct it, or to take it away, and start Firefox anew.',
      };
    case 'managedTrial':
      return {
        what: 'the trial that the policy asks for could not be started',
        task: 'Ask whoever wrote policies.json to correct its trial; it is tried again with every start of Firefox.',
      };
    case 'helper':
      return {
        what: 'what the helper has put in effect could not be noted',
        task: 'Start Firefox anew; if it stays so, run “plumbfox helper doctor”.',
      };
    default:
      return assertNever(part);
  }
}

/** What failed when nobody waited for it, in words: what it means, and what the reader can do. */
function lateFailureWords({ of, message }: LateFailure): string {
  const said = message.trim().replace(/\.+$/, '') || 'no reason';
  switch (of) {
    case 'gateway':
      return `What became of the gateway could not be noted. Firefox reported: ${said}. Check that the disk is not full. It is noted with the next load; none is recorded before.`;
    case 'health':
      return `Whether Firefox is well with the applied profile could not be noted. Firefox reported: ${said}. Press “It works: keep it” under Apply, or the helper takes the profile back.`;
    default:
      return assertNever(of);
  }
}

export function renderProfile(view: ProfileView): void {
  setText('profile-title', view.title);
  setOptionalText('profile-id', view.id);
  setText('profile-applied-by', view.appliedBy);
  setText('profile-depth', view.depth.text);
  pageElement('profile-depth', HTMLElement).classList.toggle('warning', view.depth.tone === 'warning');
  pageElement('failures', HTMLElement).replaceChildren(...view.failures.map((text) => create('p', {}, text)));
  show('failures', view.failures.length > 0);
  show('mismatches', view.mismatches !== undefined);
  setText('mismatches-heading', view.mismatches?.heading ?? '');
  const items = (view.mismatches?.preferences ?? []).map((preference) => create('li', {}, create('code', {}, preference)));
  pageElement('mismatches-list', HTMLElement).replaceChildren(...items);
}
