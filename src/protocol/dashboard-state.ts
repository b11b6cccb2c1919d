/** What the dashboard needs of the background, as facts; loads and predictions come from its worker. */
import type { RecordingState } from './popup-state.ts';

export interface DashboardState {
  readonly recording: RecordingState;
  /** Profiles that take effect in this Firefox, the baseline aside: what is predicted. */
  readonly candidates: readonly string[];
}
