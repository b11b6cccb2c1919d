/** One load of one page: made, measured, and validated by what was intended, read back and counted. */
import type { PlannedLoad } from '../../core/compare/block-order.ts';
import type { Link } from '../../core/link.ts';
import { isMeasurable, measureLoad } from '../../core/measure/measure-load.ts';
import type { PageLoad } from '../../core/measure/page-load.ts';
import { carrierFor } from '../../core/profiles/carrier.ts';
import type { Profile } from '../../core/profiles/profile.ts';
import type { MeasuredLoad, ReportPage } from '../../core/report/report.ts';
import { voided } from '../../core/report/validity.ts';
import type { Visit } from '../../core/search/protocol-knobs.ts';
import { kilobitsPerSecond, milliseconds } from '../../core/units.ts';
import type { Lane } from '../lane/lane.ts';
import type { LoadOrder } from '../lane/lane-protocol.ts';
import { isOfAddress } from '../lane/navigation-record.ts';
import type { LinkCounters } from '../link/link-counters.ts';
import type { LinkSpec } from '../link/link-spec.ts';
import { bodyBytes, originCount, type PageRecipe, requestCount } from '../pages/page-recipe.ts';
import { recipeGraph } from '../pages/recipe-graph.ts';
import { type ServedBy, spokenWith } from '../pages/served-by.ts';
import { type LoadToValidate, observedLoad, validateLoad } from './validate-load.ts';

/** A load as it goes into the report, and the record it was measured from (absent when there is none of it). */
export interface RunLoad {
  readonly measured: MeasuredLoad;
  readonly record: PageLoad | undefined;
  /** What the link carried during the load, where it is emulated per packet. */
  readonly carried?: LinkCounters;
}

export interface OneLoad extends Pick<LoadOrder, 'url' | 'timeoutMs' | 'warmUrl' | 'firstVisitUrl' | 'quietMs' | 'weather'> {
  readonly lane: Pick<Lane, 'load'>;
  readonly planned: PlannedLoad;
  readonly profile: Profile;
  readonly page: Pick<RunPage, 'expected'> & { readonly servedBy?: ServedBy };
  /** Absent on the real network. */
  readonly link: LinkSpec | undefined;
  /** Wall clock, ms since the epoch. */
  readonly now: () => number;
}

/** @throws PlumbfoxError `run-void` when this load came to no end, another kind when the lane breaks. */
export async function measureOne(options: OneLoad): Promise<RunLoad> {
  const { lane, planned, profile, page, link, url, timeoutMs, warmUrl, firstVisitUrl, quietMs, weather, now } = options;
  const carrier = carrierFor(profile, { gateway: true });
  const startedAt = now();
  const order: LoadOrder = {
    ...{ profile, carrier, url, timeoutMs },
    ...(warmUrl !== undefined && { warmUrl }),
    ...(firstVisitUrl !== undefined && { firstVisitUrl }),
    ...(quietMs !== undefined && { quietMs }),
    ...(weather !== undefined && { weather }),
  };
  const outcome = await lane.load(order);
  const toValidate: LoadToValidate = {
    profile,
    carrier,
    outcome,
    ...(page.servedBy !== undefined && { servedBy: page.servedBy }),
    ...(page.expected && { expected: page.expected }),
  };
  const observed = observedLoad(toValidate);
  const made = { ...planned, startedAt, readBack: outcome.readBack, ...(observed && { observed }) };
  const carried = outcome.link && { carried: outcome.link };
  // A page of the lab leads nowhere else; a real site may redirect before any of it can be seen.
  if (link && !isOfAddress(outcome.load, url)) {
    return { record: undefined, ...carried, measured: { ...made, validity: voided({ cause: 'other-record' }) } };
  }
  const measurable = isMeasurable(outcome.load);
  return {
    record: outcome.load,
    ...carried,
    measured: {
      ...made,
      validity: measurable ? validateLoad(toValidate) : voided({ cause: 'no-timing' }),
      ...(measurable && { measures: measureLoad(outcome.load, { link: link && configuredLink(link) }) }),
    },
  };
}

const configuredLink = ({ rttMs, downKbps, upKbps }: LinkSpec): Link => ({
  rttMs: milliseconds(rttMs),
  downKbps: kilobitsPerSecond(downKbps),
  upKbps: kilobitsPerSecond(upKbps),
});

/** A page as a run needs it: one of the lab's recipes, or an address of the user's. */
export interface RunPage {
  readonly report: ReportPage;
  /** What serves it, where the lab does; absent: the embedded server. */
  readonly servedBy?: ServedBy;
  /** What the servers must see, where they are the lab's. */
  readonly expected: { readonly requests: number } | undefined;
  /** Its address, fresh for every token where the lab serves it. */
  url(token: string): string;
  /** The address of the first visit, at servers of the same names, where a second one is measured. Absent: every visit is a first one. */
  firstVisitUrl?(token: string): string;
}

/** @param url - Where the lane serves its pages. */
export function recipePage(
  page: PageRecipe,
  url: (page: string, token: string, servedBy: ServedBy, visitor: string) => string,
  { servedBy = 'embedded', visit = 'first' }: { readonly servedBy?: ServedBy; readonly visit?: Visit } = {},
): RunPage {
  const { name } = page;
  return {
    servedBy,
    report: {
      name,
      served: { ...spokenWith(servedBy), connections: 'cold' },
      requests: requestCount(page),
      origins: originCount(page),
      bytes: bodyBytes(page),
      graph: recipeGraph(page, servedBy),
    },
    expected: { requests: requestCount(page) },
    url: (token) => url(name, token, servedBy, token),
    ...(visit === 'second' && { firstVisitUrl: (token: string) => url(name, `${token}-first`, servedBy, token) }),
  };
}

/** Named by its place in the list: a report may leave the machine, addresses do not. */
export function addressPage(address: string, index: number): RunPage {
  return { report: { name: `page-${index + 1}` }, expected: undefined, url: () => address };
}
