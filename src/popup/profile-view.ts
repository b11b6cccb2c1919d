/** The profile in effect, in words: who applied it, what carries its depth, and what did not take effect. */
import { assertNever } from '../core/errors.ts';
import type { Carrier } from '../core/profiles/profile.ts';
import type { ActiveProfile, PopupState } from '../protocol/popup-state.ts';
import { lateFailureWords } from './late-failures.ts';
import { startFailureWords } from './start-failure-view.ts';

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
