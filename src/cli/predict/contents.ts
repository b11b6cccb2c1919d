/** What the file of `plumbfox predict` holds: pages, and the links it knows. */

import type { NamedLink, NamedPage, PredictionResult } from '../../core/predict/predict-json.ts';
import type { RecordedLoads } from '../../core/predict/recorded-loads.ts';

export interface PredictContents {
  /** At least one. */
  readonly pages: readonly NamedPage[];
  /** Empty: the file knows none whose figures could be used. */
  readonly links: readonly NamedLink[];
  /** Whether the lab loaded these pages, or somebody on the real network: decides what measures them. */
  readonly loadedBy: 'lab' | 'real-network';
  /** Pages that `tune` can load, each with what `--pages` takes for it. */
  readonly labPages: readonly { readonly page: string; readonly asked: string }[];
  /**
   * Loads under Firefox's own settings, by the names of pages and links here. Of a HAR whatever loaded it, as browsers of its kind open as
   * many connections.
   */
  readonly recorded: readonly RecordedLoads[];
  readonly notes: readonly string[];
  /** What must be known of its links, where they are used. */
  readonly linkNotes: readonly string[];
}

/** The same, with what file it is of. */
export interface PredictSource extends PredictContents {
  readonly source: PredictionResult['source'];
}
