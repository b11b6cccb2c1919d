/** What the welcome page shows of trying Plumbfox out, and the question that a page's content script answers for it. */
import type { Refusal, Tryout } from '../core/field/tryout.ts';
import type { RecordingState } from './page-state.ts';

/** A tab that the person may choose. Its title and address are the page's, and never stored. */
export interface TabChoice {
  readonly tabId: number;
  readonly title: string;
  /** The host, or the whole address where it has none. */
  readonly host: string;
  /** Why it cannot be chosen; absent: it can. */
  readonly refused?: Refusal;
}

export interface TryoutFacts {
  readonly recording: RecordingState;
  /** Absent: none has been begun since Firefox started. */
  readonly tryout?: Tryout;
  /** The tabs there are, without Plumbfox's own. */
  readonly tabs: readonly TabChoice[];
  /** Tabs for which nothing was begun, because they were found out to be no choice. */
  readonly refused?: readonly { readonly tabId: number; readonly why: Refusal }[];
}

/** Asks a content script whether its page would ask before it is left. */
export const WOULD_ASK = 'would-ask';
