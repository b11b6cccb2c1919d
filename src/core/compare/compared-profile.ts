/** What the comparison needs to know of a profile. */
import type { ProfileComparison } from './comparison.ts';

export interface ComparedProfile {
  readonly id: string;
  readonly carrier: ProfileComparison['carrier'];
  readonly role: ProfileComparison['role'];
  /** Per server; left out: whatever this Firefox ships. */
  readonly connections?: number | undefined;
  readonly depth: number;
}
