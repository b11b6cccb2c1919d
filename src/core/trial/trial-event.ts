/**
 * What a trial is told and what it asks for. Every time is wall clock, ms since the epoch. Events may be told twice and late;
 * `advance` counts them once.
 */
import type { LoadRoute } from './gateway-arms.ts';
import type { TrialDecision } from './trial-state.ts';

export type TrialEvent =
  | { readonly kind: 'started'; readonly at: number }
  /** A top-level navigation began. `loadId`: the same in every event about it. */
  | { readonly kind: 'load-began'; readonly at: number; readonly loadId: string }
  /** Its load is stored. `route`: how it came, where a profile of the trial goes through the gateway. */
  | { readonly kind: 'load-recorded'; readonly at: number; readonly loadId: string; readonly route?: LoadRoute | undefined }
  /** It failed, or its timing will not come. */
  | { readonly kind: 'load-lost'; readonly at: number; readonly loadId: string }
  /** The profile of the slot was put in effect and read back. With slots by session: after the start, read back. */
  | { readonly kind: 'switched'; readonly at: number; readonly slot: number }
  | { readonly kind: 'switch-failed'; readonly at: number; readonly slot: number; readonly reason: string }
  /** Slots by session: the profile of the slot is written, and in effect from the next start of Firefox. */
  | { readonly kind: 'prepared'; readonly at: number; readonly slot: number }
  /** Nothing of the trial is in effect any more. */
  | { readonly kind: 'reverted'; readonly at: number }
  /** Time has passed; for slots by minutes, and for loads of which nothing more is heard. */
  | { readonly kind: 'clock'; readonly at: number }
  /** Firefox started; the id is another with every start. */
  | { readonly kind: 'browser-started'; readonly at: number; readonly sessionId: string }
  | { readonly kind: 'paused'; readonly at: number }
  | { readonly kind: 'resumed'; readonly at: number }
  | { readonly kind: 'stopped'; readonly at: number }
  /** The loads were looked at (`lookAtTrial`). */
  | { readonly kind: 'looked'; readonly at: number; readonly decision: TrialDecision };

/**
 * What is to be done now. It follows from the progress alone (`commandFor`), so that after the event page died the same is
 * asked for again; whoever carries it out answers with an event.
 */
export type TrialCommand =
  /** Put the profile in effect now; answer `switched` or `switch-failed`. */
  | { readonly kind: 'switch-to'; readonly profileId: string; readonly slot: number }
  /** Write the profile for the next start of Firefox; answer `prepared` or `switch-failed`. */
  | { readonly kind: 'prepare'; readonly profileId: string; readonly slot: number }
  /** Slots by session, after the start: read back whether the profile is in effect; answer `switched` or `switch-failed`. */
  | { readonly kind: 'verify'; readonly profileId: string; readonly slot: number }
  /** Look at the loads (`lookAtTrial`); answer `looked`. */
  | { readonly kind: 'look'; readonly slot: number }
  /** Take back whatever the trial put in effect; answer `reverted`. */
  | { readonly kind: 'revert' };
