/** What looking at one link of the chain between extension and profile has shown. */
export interface Finding {
  /** What was looked at, in a word or two. */
  readonly check: string;
  /** `note`: it works, but there is something to know. */
  readonly state: 'ok' | 'note' | 'problem';
  readonly found: string;
  /** What the person can do; there for every problem. */
  readonly todo?: string;
}
