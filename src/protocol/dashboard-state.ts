/** What the dashboard needs of the background, as facts; loads and predictions come from its worker. */
import type { PopupState } from './page-state.ts';

/** What its answer rests on is the popup's own. */
export interface DashboardState extends Pick<PopupState, 'recording' | 'recordLoss' | 'standstills' | 'active' | 'trial' | 'loads'> {
  /** Profiles that take effect in this Firefox, the baseline aside: what is predicted. */
  readonly candidates: readonly string[];
}
