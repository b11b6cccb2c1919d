/** What failed when Firefox or the event page started, each part under its own name; the popup's view turns it into words. */

/** In the order in which they are told. */
export const START_PARTS = ['route', 'gateway', 'byHand', 'policy', 'managedTrial', 'helper'] as const;

/** What is looked after at start. */
export type StartPart = (typeof START_PARTS)[number];

/** One part that failed. */
export interface StartFailure {
  readonly part: StartPart;
  /** As it was thrown. */
  readonly why: string;
}
