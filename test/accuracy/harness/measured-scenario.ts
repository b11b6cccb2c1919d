/** One page over one link as the corpus has it: what to predict, and what was measured. */
import type { PageGraph } from '../../../src/core/graph/page-graph.ts';
import type { SimulatedLink } from '../../../src/core/simulate/link.ts';
import { median } from '../../../src/core/stats/quantile.ts';
import type { Half } from './halves.ts';

/** Of one request, ms after the start of the navigation; `undefined`: the browser did not say. */
export interface MeasuredRequest {
  readonly askedMs: number | undefined;
  /** Of a connection that was opened for it, as far as the browser says; where one was there, both are `askedMs`. */
  readonly connectStartMs: number | undefined;
  readonly connectEndMs: number | undefined;
  readonly sentMs: number | undefined;
  readonly firstByteMs: number | undefined;
  readonly endMs: number | undefined;
}

export interface MeasuredLoad {
  readonly loadTimeMs: number;
  /** Most connections open at once, as the servers counted them. */
  readonly connections: number;
  /** Packets dropped on the way to the browser. */
  readonly dropped: number;
}

export interface MeasuredProfile {
  readonly profileId: string;
  /** Valid loads, at least one, in the order of their turns. */
  readonly loads: readonly MeasuredLoad[];
  /** Of the load nearest the median, in the order of the graph's requests; empty: not kept. */
  readonly requests: readonly MeasuredRequest[];
}

export interface MeasuredScenario {
  /** `wiki/far-2m` */
  readonly name: string;
  readonly page: string;
  readonly link: string;
  readonly half: Half;
  readonly graph: PageGraph;
  readonly simulated: SimulatedLink;
  readonly profiles: readonly MeasuredProfile[];
}

/** The measured figure: the median over the loads. */
export function measuredMs({ profileId, loads }: MeasuredProfile): number {
  const ms = median(loads.map(({ loadTimeMs }) => loadTimeMs));
  if (ms === undefined) throw new RangeError(`Profile ${profileId} has no load`);
  return ms;
}
