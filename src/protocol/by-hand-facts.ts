/** What the popup is told where only the person can put a profile in place. */
import type { Platform } from '../core/profiles/knob.ts';

export interface ByHandFacts {
  readonly platform: Platform;
  readonly offered: readonly { readonly id: string; readonly title: string }[];
  /** What the person said to have set, or to have taken back; absent: nothing. */
  readonly said?: {
    readonly profileId: string;
    /**
     * `waits`: Firefox has not been started since, so that open connections are as before; `in-effect`; `going-back`: taken back, and
     * Firefox has not been started since.
     */
    readonly state: 'waits' | 'in-effect' | 'going-back';
  };
}
