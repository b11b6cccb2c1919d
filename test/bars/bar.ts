/** What a bar is: a fault, what must hold under it, what its tests count, and how it is known that they would notice. */

/** A few lines that keep the bar. Without them, the test must fail. */
export interface Guard {
  /** What is taken away, in a few words: "the look at the id of the caller". */
  readonly removed: string;
  /** `from` stands exactly once in the file. */
  readonly replacements: readonly { readonly file: string; readonly from: string; readonly to: string }[];
  /** One of the bar's own files, and a part of the names of its tests, as a regular expression. */
  readonly test: { readonly file: string; readonly only: string };
  /** How the test fails; by an assertion unless said otherwise. */
  readonly by?: 'assertion' | 'time-out';
}

export interface Bar {
  /** 1 to 30. */
  readonly number: number;
  readonly title: string;
  /** What is done to the program. */
  readonly fault: string;
  /** What must hold then. */
  readonly holds: string;
  /** Tests that belong to it and count nothing; those that count for it (`countBar`) are found by that. From the root of the repository. */
  readonly also?: readonly string[];
  /** What its tests must have counted, each at least once: one that was passed over has counted nothing. */
  readonly counts: readonly string[];
  readonly guards: readonly Guard[];
  /** Parts that are not run on this machine, and why. */
  readonly notHere?: string;
  /** What belongs to it and is run by another command. */
  readonly apart?: string;
}
