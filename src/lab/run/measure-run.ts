/** A run: every planned load, one after another, each validated, logged and kept. */

import type { PlannedLoad } from '../../core/compare/block-order.ts';
import { assertNever, PlumbfoxError } from '../../core/errors.ts';
import { MAX_LOAD_MS } from '../../core/measure/load-window.ts';
import { carrierFor } from '../../core/profiles/carrier.ts';
import { CONTROL, FIREFOX_DEFAULT } from '../../core/profiles/presets.ts';
import type { Profile } from '../../core/profiles/profile.ts';
import { type VoidFinding, voided, voidReason } from '../../core/report/validity.ts';
import type { Lane } from '../lane/lane.ts';
import type { LinkSpec } from '../link/link-spec.ts';
import { QUICK_LINK } from '../link/links.ts';
import { weatherSeed } from '../link/weather.ts';
import { controlledIn, failedControls, limitControl } from './limit-control.ts';
import { measureOne, type RunLoad, type RunPage } from './measure-one.ts';

interface WarmUp {
  readonly lane: Lane;
  readonly pages: readonly RunPage[];
  /** Whether a profile of the run goes through the gateway. */
  readonly gateway: boolean;
  readonly timeoutMs: number;
}

/** Makes loads that do not count, before the first that does: a browser pays for its start, and the gateway for its first challenge. */
export async function warmUp({ lane, pages, gateway, timeoutMs }: WarmUp): Promise<void> {
  await lane.useLink(QUICK_LINK);
  // On the real network one page is enough: its servers are not ours.
  const chosen = lane.kind === 'real' ? pages.slice(0, 1) : pages;
  const profiles: readonly Profile[] = gateway ? [FIREFOX_DEFAULT, CONTROL] : [FIREFOX_DEFAULT];
  for (const [index, page] of chosen.entries()) {
    for (const profile of profiles) {
      const carrier = carrierFor(profile, { gateway: true });
      try {
        await lane.load({ profile, carrier, url: page.url(`warm-up-${index}-${profile.id}`), timeoutMs });
      } catch (error) {
        // A page that does not finish is for the run to exclude, load by load.
        if (!(error instanceof PlumbfoxError && error.kind === 'run-void')) throw error;
      }
    }
  }
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
  /** Whether profiles show their limits in every block, or in the first alone, where the run proves nothing. Absent: in every block. */
  readonly controls?: 'every-block' | 'first-block';
}

/**
 * How many loads in a row may not finish, or have no record. In the lab the lane is broken then, and the run is given up; on the
 * real network it is the page, and only its other loads are given up: they would come to nothing again, most after the whole time limit.
 */
const MAX_FAILURES_IN_A_ROW = 3;

/** Settles when the plan is done or interrupted. @throws PlumbfoxError when the lane breaks. */
export async function measureRun(options: RunOptions): Promise<void> {
  const real = options.lane.kind === 'real';
  const failures = new Map<string, { inARow: number; reason: string }>();
  let linkInPlace: string | undefined;
  const control = controlsOf(options);
  for (const planned of options.plan) {
    if (options.interrupted()) return;
    const link = options.links.find(({ name }) => name === planned.link);
    const { failed, made } = link ? await control(planned) : NOTHING_SHOWN;
    if (made) linkInPlace = undefined;
    if (failed) {
      options.onLoad(excludedLoad(options, planned, failed));
      continue;
    }
    if (link && linkInPlace !== link.name) {
      await options.lane.useLink(link);
      linkInPlace = link.name;
    }
    const scope = real ? planned.page : 'lane';
    const before = failures.get(scope);
    if (before && before.inARow >= MAX_FAILURES_IN_A_ROW) {
      options.onLoad(excludedLoad(options, planned, { cause: 'not-tried', why: before.reason }));
      continue;
    }
    const { load, failure } = await attempt(options, planned, link);
    options.onLoad(load);
    if (failure === undefined) {
      failures.delete(scope);
      continue;
    }
    const inARow = (before?.inARow ?? 0) + 1;
    failures.set(scope, { inARow, reason: failure });
    if (!real && inARow >= MAX_FAILURES_IN_A_ROW)
      throw new PlumbfoxError('run-void', `${inARow} page loads in a row did not finish, the last one: ${failure}`);
  }
}

interface Shown {
  /** What is wrong with the profile of this load. */
  readonly failed: VoidFinding | undefined;
  /** Another link is in place now. */
  readonly made: boolean;
}

const NOTHING_SHOWN: Shown = { failed: undefined, made: false };

/** Before the first load of a page on a link in a block, the profiles whose turn it is show their limits. */
function controlsOf({ plan, profiles, lane, seed, timeoutMs, controls }: RunOptions): (planned: PlannedLoad) => Promise<Shown> {
  const groupOf = ({ page, link }: PlannedLoad) => JSON.stringify([page, link]);
  const groups = [...new Set(plan.map(groupOf))];
  const first = plan[0]?.block;
  const begun = new Set<string>();
  const failed = failedControls();
  return async (load) => {
    const planned = controls === 'first-block' && first !== undefined ? { ...load, block: first } : load;
    const key = `${planned.block} ${groupOf(planned)}`;
    if (begun.has(key)) return { failed: failed.of(planned), made: false };
    begun.add(key);
    const group = groups.indexOf(groupOf(planned));
    const turn = controlledIn(group, { groups: groups.length, profiles });
    for (const [at, profile] of turn.entries()) {
      const token = `control-${seed.toString(36)}-${planned.order.toString(36)}-${at}`;
      const finding = await limitControl({ lane, profile, token, timeoutMs });
      if (finding) failed.add(planned.block, finding);
    }
    return { failed: failed.of(planned), made: turn.length > 0 };
  };
}

/** @returns the load, and why it came to no end, where it did not. @throws PlumbfoxError when the lane breaks. */
async function attempt(
  options: RunOptions,
  planned: PlannedLoad,
  link: LinkSpec | undefined,
): Promise<{ readonly load: RunLoad; readonly failure: string | undefined }> {
  const { lane, now, timeoutMs } = options;
  try {
    const load = await measureOne({
      ...parts(options, planned),
      ...(link && { weather: weatherSeed(options.seed, planned) }),
      ...{ link, now, lane, timeoutMs },
    });
    return { load, failure: endless(load) };
  } catch (error) {
    const loadOnly = error instanceof PlumbfoxError && error.kind === 'run-void';
    if (options.interrupted() || !loadOnly) throw error;
    return { load: excludedLoad(options, planned, { cause: 'no-record', why: error.message }), failure: error.message };
  }
}

function endless({ record, measured: { validity } }: RunLoad): string | undefined {
  if (!record) return validity.state === 'void' ? validity.reason : undefined;
  const { ended } = record.observation;
  switch (ended) {
    case 'quiet':
      return undefined;
    case 'page-left':
      return voidReason({ cause: 'page-left' });
    case 'time-limit':
      return voidReason({ cause: 'time-limit', afterMs: MAX_LOAD_MS });
    default:
      return assertNever(ended);
  }
}

const excludedLoad = ({ now }: RunOptions, planned: PlannedLoad, finding: VoidFinding): RunLoad => ({
  measured: { ...planned, startedAt: now(), validity: voided(finding), readBack: [] },
  record: undefined,
});

function parts({ profiles, pages, seed }: RunOptions, planned: PlannedLoad) {
  const profile = profiles.find(({ id }) => id === planned.profileId);
  const page = pages.find(({ report }) => report.name === planned.page);
  if (!profile || !page) throw new PlumbfoxError('internal', `The plan names ${planned.profileId} on ${planned.page}, which are not there`);
  const token = `${seed.toString(36)}-${planned.order.toString(36)}`;
  const firstVisitUrl = page.firstVisitUrl?.(token);
  return { planned, profile, page, url: page.url(token), ...(firstVisitUrl !== undefined && { firstVisitUrl }) };
}
