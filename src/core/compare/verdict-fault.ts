/** Why a profile gets no verdict, as data; the sentences are in `format-verdict.ts`. */

/** Loads of a profile that were lost for causes that may depend on how long they took. */
export interface Losses {
  readonly lost: number;
  readonly attempted: number;
}

export type VerdictFault =
  | ({ readonly kind: 'most-loads-lost'; readonly profileId: string } & Losses)
  | { readonly kind: 'page-lost'; readonly profileId: string; readonly page: string; readonly link: string }
  | {
      readonly kind: 'unequal-losses';
      readonly profileId: string;
      readonly against: string;
      readonly own: Losses;
      readonly others: Losses;
    }
  /**
   * The profiles did not take turns at random: what looks like the profile may be the day. With the default on one day and a profile without
   * any effect on the next, and days that differ by 10 %, 30 % of simulated comparisons would have called it better or worse.
   */
  | { readonly kind: 'unrandomised' }
  | { readonly kind: 'gateway-cost-not-known'; readonly controlId: string };
