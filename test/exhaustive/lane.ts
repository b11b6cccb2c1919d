/** One scenario's lane, with its link checked, that makes the loads it is ordered to. */
import type { PlannedLoad } from '../../src/core/compare/block-order.ts';
import { PlumbfoxError } from '../../src/core/errors.ts';
import type { Profile } from '../../src/core/profiles/profile.ts';
import type { MeasuredLoad } from '../../src/core/report/report.ts';
import { packetLane } from '../../src/lab/lane/packet-lane.ts';
import { checkLinkUntilAgreed } from '../../src/lab/link/link-check.ts';
import { findPage } from '../../src/lab/pages/pages.ts';
import { recipePage } from '../../src/lab/run/measure-one.ts';
import { measureRun, warmUp } from '../../src/lab/run/measure-run.ts';
import { networkIdleMs } from '../../src/lab/run/network-idle.ts';
import { type ExhaustiveScenario, linkOf, SEED } from './scenarios.ts';

const LOAD_TIMEOUT_MS = 60_000;
const CHECK_ATTEMPTS = 4;

export interface ScenarioLane {
  make(order: {
    readonly plan: readonly PlannedLoad[];
    readonly profiles: readonly Profile[];
    readonly onLoad: (load: MeasuredLoad) => void;
  }): Promise<void>;
  close(): Promise<void>;
}

export interface LaneOptions {
  readonly firefox: string;
  readonly prefix: readonly string[];
  readonly interrupted: () => boolean;
}

export async function openScenarioLane(scenario: ExhaustiveScenario, { firefox, prefix, interrupted }: LaneOptions): Promise<ScenarioLane> {
  const lane = await packetLane({ prefix });
  try {
    const recipe = findPage(scenario.page);
    const link = linkOf(scenario);
    await lane.serve([scenario.servedBy]);
    await lane.start({ program: firefox, variant: 'lab', quietMs: networkIdleMs([recipe], [link]) });
    const pages = [recipePage(recipe, lane.pageUrl, scenario)];
    await warmUp({ lane, pages, gateway: false, timeoutMs: LOAD_TIMEOUT_MS });
    const { verdict } = await checkLinkUntilAgreed(lane, link, CHECK_ATTEMPTS);
    if (!verdict.ok) throw new PlumbfoxError('run-void', `The emulated link is not what was asked: ${verdict.reason}`);
    return {
      make: ({ plan, profiles, onLoad }) =>
        measureRun({
          ...{ lane, plan, profiles, pages, links: [link], seed: SEED, timeoutMs: LOAD_TIMEOUT_MS, interrupted },
          now: () => Date.now(),
          controls: 'first-block',
          onLoad: ({ measured }) => {
            // A load that was cut off because the lane was closed says nothing.
            if (!interrupted()) onLoad(measured);
          },
        }),
      close: () => lane.close(),
    };
  } catch (error) {
    await lane.close();
    throw error;
  }
}
