/** What the file of `plumbfox predict` holds: pages, and the links it knows. */
import type { NamedLink, NamedPage, PredictionFacts } from '../../core/simulate/predict-json.ts';

export interface PredictContents {
  /** At least one. */
  readonly pages: readonly NamedPage[];
  /** Empty: the file knows none whose figures could be used. */
  readonly links: readonly NamedLink[];
  /** Pages that the lab can load. */
  readonly labPages: readonly string[];
  readonly notes: readonly string[];
  /** What must be known of its links, where they are used. */
  readonly linkNotes: readonly string[];
}

export interface PredictSource extends PredictContents {
  readonly source: PredictionFacts['source'];
}
