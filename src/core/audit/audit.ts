/** The result of an audit: what `plumbfox audit --json` prints, and what every other output is made of. */
import type { Verdict } from '../compare/comparison.ts';
import type { BuildPlatform } from './build-facts.ts';
import { type AuditedLine, LINE_GROUPS, type LineGroup, type PredictedVerdict, type SpeedChange } from './finding.ts';
import type { ListError, ListFormat } from './preference-list.ts';

/** The pages and links of a prediction. `typical`: of the lab; `yours`: from a report or a HAR. */
export interface PredictedOn {
  readonly basis: 'typical' | 'yours';
  readonly pages: readonly string[];
  readonly links: readonly string[];
}

/**
 * What is predicted for the list as a whole. `unchanged`: no simulated load is another with it. `not-modelled`: the simulator has no model of anything
 * that acts. `cannot-act`: no request of the pages uses a protocol that any of it acts on.
 */
export type ListEffect =
  | { readonly state: 'predicted'; readonly change: SpeedChange; readonly verdict: PredictedVerdict }
  | { readonly state: 'unchanged' | 'not-modelled' | 'cannot-act' };

/** The pages are those on which a predicted preference of the list acts; where there is none, all. */
export interface ListPrediction extends PredictedOn {
  readonly effect: ListEffect;
  /** Preferences whose effect is in the figure, those that the simulator has no model of, and those that could not act, which are not counted. */
  readonly modelled: readonly string[];
  readonly notModelled: readonly string[];
  readonly cannotAct: readonly string[];
}

/** What was measured in this audit: all timed lines together against Firefox's own settings. */
export interface ListMeasurement {
  readonly change: SpeedChange | undefined;
  readonly verdict: Verdict;
  /** Pairs of loads, with the list and without. */
  readonly pairs: number;
  readonly pages: readonly string[];
  readonly links: readonly string[];
  /** Preferences that were set. */
  readonly set: readonly string[];
  /** Acting preferences that were not. */
  readonly notSet: readonly string[];
  readonly minutes: number;
  /** The report of the run, with every load. */
  readonly report: string;
  /** Present for a screening: sets of settings, and whether effects of two lines together cannot show as those of single ones. */
  readonly screening?: { readonly arms: number; readonly clear: boolean };
}

export interface Audit {
  readonly list: { readonly file: string; readonly format: ListFormat };
  readonly build: {
    readonly source: 'build' | 'catalogue';
    readonly version: string;
    readonly platform: BuildPlatform;
    /** A policy of the machine is in force. */
    readonly underPolicy?: true;
  };
  readonly counts: Readonly<Record<LineGroup, number>>;
  readonly lines: readonly AuditedLine[];
  /** What Firefox would report as an error; it sets nothing. */
  readonly errors: readonly ListError[];
  /** Lines of an AutoConfig file that would have to be run. */
  readonly scripts?: readonly number[];
  /** Absent: nothing in the list can be predicted. */
  readonly prediction?: ListPrediction;
  /** Absent: nothing was measured. */
  readonly measurement?: ListMeasurement;
}

/** How many lines each group has. */
export function groupCounts(lines: readonly AuditedLine[]): Readonly<Record<LineGroup, number>> {
  const counts = Object.fromEntries(LINE_GROUPS.map((group) => [group, 0])) as Record<LineGroup, number>;
  for (const { group } of lines) counts[group]++;
  return counts;
}
