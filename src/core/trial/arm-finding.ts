/** What the loads of a trial say of one of its arms. */
import type { TrialProtocol } from './trial-protocol.ts';

/** Efficiency of a candidate against the baseline's, or the control's (`against`); 1 = no change. Bounds hold at every look; `undefined`: not bounded yet. */
export interface ArmFinding {
  readonly profileId: string;
  readonly ratio: number | undefined;
  readonly low: number | undefined;
  readonly high: number | undefined;
  readonly finding: 'better' | 'worse' | 'no-meaningful-difference' | 'undecided';
  /** The control, where the gateway by itself makes a difference and this figure is without it; absent: the baseline. */
  readonly against?: string | undefined;
  /** Then: efficiency against the baseline's, the gateway's part included. */
  readonly gain?: number | undefined;
  /** Of the pages it is about; absent: of all, as they have one protocol, or none is known. */
  readonly protocol?: TrialProtocol | undefined;
  /** Counted loads that can be used, of the candidate and of what it is compared with. */
  readonly loads: number;
  readonly baselineLoads: number;
}
