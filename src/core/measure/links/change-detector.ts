/**
 * Whether loads still are of the network they were of: cumulative sums of their deviations, two-sided, of the round trip and of the rate
 * (E. S. Page, "Continuous inspection schemes", Biometrika 41 (1954)). The sum that crosses the threshold also dates the change.
 */
import { deviation, type LinkCluster, type LoadCost } from './cluster.ts';

/** Half the shift to be found, in spreads: 2 spreads are a factor of 1.6 of the round trip or 2.7 of the rate. */
const REFERENCE = 1;
/** No load counts for more, in spreads, so that an alarm takes three loads at least. */
const MAX_DEVIATION = 3;
/** The four sums, by Siegmund's approximation, pass it by chance once in about 30,000 loads of one network. */
const THRESHOLD = 5;

interface Sum {
  value: number;
  /** The position of the load with which it left 0. */
  since: number;
}

/** Evidence that the network has changed. */
export interface DetectedChange {
  /** The position of the first load that may be of another network. */
  readonly since: number;
  /** In thresholds. */
  readonly strength: number;
}

/** Sums up the evidence against the present network, load by load. */
export class ChangeDetector {
  /** Slower and faster by the round trip, slower and faster by the rate. */
  readonly #sums: readonly [Sum, Sum, Sum, Sum] = [emptySum(), emptySum(), emptySum(), emptySum()];

  see(cluster: LinkCluster, { at, load }: { readonly at: number; readonly load: LoadCost }): void {
    const [rttSlower, rttFaster, rateSlower, rateFaster] = this.#sums;
    const [rtt, rate] = [deviation(cluster, load, 0), deviation(cluster, load, 1)];
    if (rtt !== undefined) {
      add(rttSlower, at, rtt);
      add(rttFaster, at, -rtt);
    }
    if (rate !== undefined) {
      add(rateSlower, at, rate);
      add(rateFaster, at, -rate);
    }
  }

  /** Whether there is no evidence of a change. */
  get isCalm(): boolean {
    return this.#strongest().value === 0;
  }

  /** The strongest evidence there is; `undefined`: it is below `least` thresholds. */
  detect(least: number): DetectedChange | undefined {
    const { value, since } = this.#strongest();
    return value >= least * THRESHOLD ? { since, strength: value / THRESHOLD } : undefined;
  }

  clear(): void {
    for (const sum of this.#sums) sum.value = 0;
  }

  #strongest(): Sum {
    let [most] = this.#sums;
    for (const sum of this.#sums) if (sum.value > most.value) most = sum;
    return most;
  }
}

const emptySum = (): Sum => ({ value: 0, since: 0 });

function add(sum: Sum, at: number, off: number): void {
  if (sum.value === 0) sum.since = at;
  sum.value = Math.max(0, sum.value + Math.min(off, MAX_DEVIATION) - REFERENCE);
}
