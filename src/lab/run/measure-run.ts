/** A run: every planned load, one after another, each judged, logged and kept. */

import type { PlannedLoad } from '../../core/compare/block-order.ts';
import { PlumbfoxError } from '../../core/errors.ts';
import type { Link } from '../../core/measure/link.ts';
import { isMeasurable, measureLoad } from '../../core/measure/measure-load.ts';
import { carrierFor } from '../../core/profiles/carrier-for.ts';
import type { Profile } from '../../core/profiles/profile.ts';
import type { MeasuredLoad } from '../../core/report/report.ts';
import { kilobitsPerSecond, milliseconds } from '../../core/units.ts';
import type { Lane } from '../lane/lane.ts';
import type { LinkSpec } from '../link/link-spec.ts';
import { requestCount, widestWave } from '../pages/page-recipe.ts';
import { findPage } from '../pages/pages.ts';
import { judgeLoad, observedLoad } from './judge-load.ts';

export interface RunOptions {
  readonly lane: Lane;
  readonly plan: readonly PlannedLoad[];
  readonly profiles: readonly Profile[];
  readonly links: readonly LinkSpec[];
  readonly seed: number;
  /** Longest a load may take. */
  readonly timeoutMs: number;
  readonly now: () => number;
  readonly onLoad: (load: MeasuredLoad) => void;
  /** Asked before every load. */
  readonly interrupted: () => boolean;
}

/** So many loads may fail in a row before the run is given up: the lane is broken then. */
const MOST_FAILURES_IN_A_ROW = 3;

/** @returns the loads made; fewer than planned only when it was interrupted. @throws PlumbfoxError when the lane breaks. */
export async function measureRun(options: RunOptions): Promise<readonly MeasuredLoad[]> {
  const loads: MeasuredLoad[] = [];
  let linkInPlace: string | undefined;
  let failuresInARow = 0;
  for (const planned of options.plan) {
    if (options.interrupted()) break;
    const link = named(options.links, planned.link);
    if (linkInPlace !== link.name) await options.lane.useLink(link);
    linkInPlace = link.name;
    const startedAt = options.now();
    const measured = await measureOne(options, planned, link).catch((error: unknown): MeasuredLoad => {
      // The command is stopping: what broke, broke because of that.
      if (options.interrupted()) throw error;
      failuresInARow += 1;
      if (!(error instanceof PlumbfoxError) || error.kind !== 'run-void' || failuresInARow >= MOST_FAILURES_IN_A_ROW) throw error;
      return { ...planned, startedAt, validity: { state: 'void', reason: error.message }, readBack: [] };
    });
    if (measured.validity.state === 'valid') failuresInARow = 0;
    loads.push(measured);
    options.onLoad(measured);
  }
  return loads;
}

async function measureOne(
  { lane, profiles, seed, timeoutMs, now }: RunOptions,
  planned: PlannedLoad,
  link: LinkSpec,
): Promise<MeasuredLoad> {
  const profile = profiles.find(({ id }) => id === planned.profileId);
  if (!profile) throw new PlumbfoxError('internal', `No profile ${planned.profileId}`);
  const page = findPage(planned.page);
  const carrier = carrierFor(profile, { gateway: true });
  const startedAt = now();
  const url = lane.pageUrl(page.name, `${seed.toString(36)}-${planned.order.toString(36)}`);
  const outcome = await lane.load({ profile, carrier, url, timeoutMs });
  const judged = {
    profile,
    carrier,
    outcome,
    origins: outcome.origins,
    expectedRequests: requestCount(page),
    widestWave: widestWave(page),
  };
  const observed = observedLoad(judged);
  return {
    ...planned,
    startedAt,
    validity: isMeasurable(outcome.load) ? judgeLoad(judged) : { state: 'void', reason: 'the document has no timing' },
    readBack: outcome.readBack,
    ...(observed ? { observed } : {}),
    ...(isMeasurable(outcome.load) ? { measures: measureLoad(outcome.load, { link: configuredLink(link) }) } : {}),
  };
}

const configuredLink = ({ rttMs, downKbps, upKbps }: LinkSpec): Link => ({
  rttMs: milliseconds(rttMs),
  downKbps: kilobitsPerSecond(downKbps),
  upKbps: kilobitsPerSecond(upKbps),
});

function named(links: readonly LinkSpec[], name: string): LinkSpec {
  const link = links.find((each) => each.name === name);
  if (!link) throw new PlumbfoxError('internal', `No link ${name}`);
  return link;
}
