/** A run: every planned load, one after another, each judged, logged and kept. */

import type { PlannedLoad } from '../../core/compare/block-order.ts';
import { PlumbfoxError } from '../../core/errors.ts';
import type { Link } from '../../core/measure/link.ts';
import { isMeasurable, measureLoad } from '../../core/measure/measure-load.ts';
import type { PageLoad } from '../../core/measure/page-load.ts';
import { carrierFor } from '../../core/profiles/carrier-for.ts';
import type { Profile } from '../../core/profiles/profile.ts';
import type { MeasuredLoad } from '../../core/report/report.ts';
import { kilobitsPerSecond, milliseconds } from '../../core/units.ts';
import type { Lane } from '../lane/lane.ts';
import type { RunPage } from '../lane/run-page.ts';
import type { LinkSpec } from '../link/link-spec.ts';
import { type JudgedLoad, judgeLoad, observedLoad } from './judge-load.ts';

/** A load as it goes into the report, and the record it was measured from (absent when there is none). */
export interface RunLoad {
  readonly measured: MeasuredLoad;
  readonly record: PageLoad | undefined;
}

export interface RunOptions {
  readonly lane: Lane;
  readonly plan: readonly PlannedLoad[];
  readonly profiles: readonly Profile[];
  readonly pages: readonly RunPage[];
  /** Empty on the real network. */
  readonly links: readonly LinkSpec[];
  readonly seed: number;
  /** Longest a load may take. */
  readonly timeoutMs: number;
  readonly now: () => number;
  readonly onLoad: (load: RunLoad) => void;
  /** Asked before every load. */
  readonly interrupted: () => boolean;
}

/** So many loads may fail in a row before the run is given up: the lane is broken then. */
const MOST_FAILURES_IN_A_ROW = 3;

/** Settles when the plan is done or interrupted. @throws PlumbfoxError when the lane breaks. */
export async function measureRun(options: RunOptions): Promise<void> {
  let linkInPlace: string | undefined;
  let failuresInARow = 0;
  for (const planned of options.plan) {
    if (options.interrupted()) return;
    const link = options.links.find(({ name }) => name === planned.link);
    if (link && linkInPlace !== link.name) {
      await options.lane.useLink(link);
      linkInPlace = link.name;
    }
    const startedAt = options.now();
    try {
      options.onLoad(await measureOne(options, planned, link));
      failuresInARow = 0;
    } catch (error) {
      failuresInARow += 1;
      const loadOnly = error instanceof PlumbfoxError && error.kind === 'run-void';
      if (options.interrupted() || !loadOnly || failuresInARow >= MOST_FAILURES_IN_A_ROW) throw error;
      options.onLoad({
        measured: { ...planned, startedAt, validity: { state: 'void', reason: error.message }, readBack: [] },
        record: undefined,
      });
    }
  }
}

async function measureOne(options: RunOptions, planned: PlannedLoad, link: LinkSpec | undefined): Promise<RunLoad> {
  const { lane, seed, timeoutMs, now } = options;
  const profile = options.profiles.find(({ id }) => id === planned.profileId);
  const page = options.pages.find(({ report }) => report.name === planned.page);
  if (!profile || !page) throw new PlumbfoxError('internal', `The plan names ${planned.profileId} on ${planned.page}, which are not there`);
  const carrier = carrierFor(profile, { gateway: true });
  const startedAt = now();
  const url = page.url(`${seed.toString(36)}-${planned.order.toString(36)}`);
  const outcome = await lane.load({ profile, carrier, url, timeoutMs });
  const judged: JudgedLoad = {
    profile,
    carrier,
    outcome,
    ...(outcome.origins && { origins: outcome.origins }),
    ...(page.expected && { expected: page.expected }),
  };
  const observed = observedLoad(judged);
  const measurable = isMeasurable(outcome.load);
  return {
    record: outcome.load,
    measured: {
      ...planned,
      startedAt,
      validity: measurable ? judgeLoad(judged) : { state: 'void', reason: 'the document has no timing' },
      readBack: outcome.readBack,
      ...(observed && { observed }),
      ...(measurable && { measures: measureLoad(outcome.load, { link: link && configuredLink(link), documentConnection: 'new' }) }),
    },
  };
}

const configuredLink = ({ rttMs, downKbps, upKbps }: LinkSpec): Link => ({
  rttMs: milliseconds(rttMs),
  downKbps: kilobitsPerSecond(downKbps),
  upKbps: kilobitsPerSecond(upKbps),
});
