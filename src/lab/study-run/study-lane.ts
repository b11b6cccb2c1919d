/** One lane of a study: its own browser, servers and link, which make one load after another. */

import type { PlannedLoad } from '../../core/compare/block-order.ts';
import { PlumbfoxError } from '../../core/errors.ts';
import type { PageLoad, RequestRecord } from '../../core/measure/page-load.ts';
import { connectionState } from '../../core/measure/requests.ts';
import { carrierFor, preferencesFor } from '../../core/profiles/carrier.ts';
import type { Profile } from '../../core/profiles/profile.ts';
import type { CongestionControlName } from '../../core/report/report.ts';
import type { LaneFacts } from '../lane/lane-protocol.ts';
import { type PacketLane, packetLane } from '../lane/packet-lane.ts';
import { checkLinkUntilAgreed, type LinkChecked } from '../link/link-check.ts';
import type { LinkCounters } from '../link/link-counters.ts';
import type { LinkSpec } from '../link/link-spec.ts';
import { weatherSeed } from '../link/weather.ts';
import { requestCount } from '../pages/page-recipe.ts';
import { TOKEN_LENGTH } from '../pages/recipe-graph.ts';
import { type ControlFailed, limitControl } from '../run/limit-control.ts';
import { measureOne } from '../run/measure-one.ts';
import { warmUp } from '../run/measure-run.ts';
import { LAB_NETWORK_IDLE_MS, networkIdleMs } from '../run/network-idle.ts';
import type { StudyLoad, StudyPage, StudyRequest } from '../studies/study.ts';
import { captureOf, isCaptured } from './study-captures.ts';
import type { StudyPlan } from './study-plan.ts';

/** Another program may disturb a check for a moment; a link that fails this often is not what was asked. */
const CHECK_ATTEMPTS = 4;
/** Pages loaded before the first that counts: what a browser pays once it pays with any. */
const WARM_UP_PAGES = 2;

export interface StudyLaneOptions {
  readonly number: number;
  readonly program: string;
  readonly prefix: readonly string[];
  readonly plan: StudyPlan;
  readonly timeoutMs: number;
  readonly now: () => number;
  /** Monotonic, ms. */
  readonly clock: () => number;
  /** Folder for the packets of the first load of each cell; absent: none are recorded. */
  readonly captures: string | undefined;
  /** Called before anything is started, so that an interrupt can end what is half there. */
  readonly onOpen: (close: () => Promise<void>) => void;
}

export interface StudyOrder {
  readonly page: StudyPage;
  readonly link: LinkSpec;
  readonly planned: PlannedLoad;
  readonly attempt: number;
  readonly lanes: number;
}

export interface MadeLoad {
  readonly load: StudyLoad;
  /** What it took besides its own load time, ms; absent: it has none. */
  readonly overheadMs: number | undefined;
  /** Why the capture that was wanted of it is not there. */
  readonly captureMissing?: string;
}

export interface StudyLane {
  readonly number: number;
  readonly facts: LaneFacts;
  /** The congestion control of links that name none. */
  readonly congestionControl: CongestionControlName | 'unknown';
  readonly versions: Readonly<Record<string, string>>;
  /** Puts the link in place, and measures it. */
  check(link: LinkSpec): Promise<LinkChecked>;
  use(link: LinkSpec): Promise<void>;
  /** Has a profile show its limit, and leaves another link in place. @returns what is wrong. @throws PlumbfoxError when the lane is broken. */
  control(order: { readonly profile: Profile; readonly token: string }): Promise<ControlFailed | undefined>;
  /** @throws PlumbfoxError `run-void` when this load came to no end, another kind when the lane is broken. */
  load(order: StudyOrder): Promise<MadeLoad>;
  close(): Promise<void>;
}

/**
 * Warmed up. What it opens is given to `onOpen`, for whoever closes it. @throws PlumbfoxError `environment` where something does not start.
 */
export async function openStudyLane(options: StudyLaneOptions): Promise<StudyLane> {
  const { number, plan, prefix, onOpen, timeoutMs } = options;
  const lane = await packetLane({ prefix });
  onOpen(() => lane.close());
  try {
    await lane.servePages(plan.pages.map(({ recipe }) => recipe));
    await lane.serve([...new Set(plan.pages.map(({ servedBy }) => servedBy))]);
    const facts = await lane.start({
      program: options.program,
      variant: 'lab',
      quietMs: LAB_NETWORK_IDLE_MS,
      gatewayVisit: plan.gatewayVisit,
    });
    const pages = plan.pages
      .slice(0, WARM_UP_PAGES)
      .map((page) => ({ ...runPage(page), url: (token: string) => address(lane, page, token) }));
    await warmUp({ lane, pages, gateway: plan.profiles.some(isCarried), timeoutMs });
    return {
      number,
      facts,
      congestionControl: lane.congestionControl ?? 'unknown',
      versions: lane.versions(),
      check: (link) => checkLinkUntilAgreed(lane, link, CHECK_ATTEMPTS),
      use: (link) => lane.useLink(link),
      control: (order) => limitControl({ ...order, lane, timeoutMs }),
      load: (order) => captured(options, lane, order),
      close: () => lane.close(),
    };
  } catch (error) {
    await lane.close();
    throw error;
  }
}

const isCarried = (profile: Profile): boolean => carrierFor(profile, { gateway: true }) === 'gateway';

const runPage = ({ name, recipe, servedBy }: StudyPage) => ({
  report: { name },
  servedBy,
  expected: { requests: requestCount(recipe) },
});

const address = (lane: PacketLane, { recipe, servedBy }: StudyPage, token: string): string => lane.pageUrl(recipe.name, token, servedBy);

/** Attempts of loads that are captured, beyond any of those that count: no address is used twice. */
const CAPTURED_ATTEMPTS = 50;

/**
 * tcpdump takes time from what runs beside it: what it records is a separate load, made after the one that counts, in the same weather. One
 * of each cell is enough to look at: none of a reference load, or of a second turn of a profile. Whatever becomes of it, the load that counts
 * stays valid; whether the lane still works, the next one finds out.
 */
async function captured(options: StudyLaneOptions, lane: PacketLane, order: StudyOrder): Promise<MadeLoad> {
  const made = await makeLoad(options, lane, order);
  const isWanted = isCaptured(order.planned, options) && order.planned.order < options.plan.loads && made.load.validity.state === 'valid';
  if (options.captures === undefined || !isWanted) return made;
  const { startedAt } = made.load;
  const captureMissing = await captureOf(order.planned, {
    folder: options.captures,
    start: (path) => lane.capture(path),
    again: async () => {
      const again = { ...order, attempt: order.attempt + CAPTURED_ATTEMPTS };
      const { load } = await makeLoad(options, lane, again);
      return { validity: load.validity, note: { token: token(again, 0), startedAt } };
    },
  });
  return { ...made, ...(captureMissing !== undefined && { captureMissing }) };
}

async function makeLoad({ plan, timeoutMs, now, clock, number }: StudyLaneOptions, lane: PacketLane, order: StudyOrder): Promise<MadeLoad> {
  const { page, link, planned, lanes } = order;
  const profile = plan.profiles.find(({ id }) => id === planned.profileId);
  if (!profile) throw new PlumbfoxError('internal', `The plan names ${planned.profileId}, which is not there`);
  const warm = page.connections === 'warm';
  const begunMs = clock();
  const { measured, record, carried } = await measureOne({
    lane,
    planned,
    profile,
    page: runPage(page),
    link,
    url: address(lane, page, token(order, 0)),
    ...(warm && { warmUrl: address(lane, page, token(order, 1)) }),
    weather: weatherSeed(plan.seed, planned),
    timeoutMs,
    quietMs: networkIdleMs([page.recipe], [link]),
    now,
  });
  const tookMs = clock() - begunMs;
  const requests = record && measured.validity.state === 'valid' ? studyRequests(record) : undefined;
  const loadTimeMs = measured.measures?.loadTimeMs;
  return {
    load: {
      ...measured,
      lane: number,
      lanes,
      intended: intended(profile),
      ...(requests && { requests }),
      ...(carried && linkFacts(carried, page)),
    },
    // A warm load has another before it.
    overheadMs: loadTimeMs === undefined || warm ? undefined : Math.round(tookMs - loadTimeMs),
  };
}

/** The course of the delivery is kept only where there is more to it than a figure: of large objects. */
const LARGE_BYTES = 1_000_000;

function linkFacts({ down, up, deliveredBytes }: LinkCounters, { recipe }: StudyPage): Pick<StudyLoad, 'dropped' | 'deliveredBytes'> {
  const large = recipe.resources.some(({ bytes }) => bytes >= LARGE_BYTES);
  return { dropped: { down: down.dropped + down.lost, up: up.dropped + up.lost }, ...(large && { deliveredBytes }) };
}

/** The preferences that must be in effect for a profile where a gateway is available, as in every lane. */
export function intended(profile: Profile): StudyLoad['intended'] {
  const carrier = carrierFor(profile, { gateway: true });
  const { connections, depth } = profile;
  return { carrier, ...(connections !== undefined && { connections }), depth, preferences: preferencesFor(profile, carrier) };
}

/** All have one length, so that every load of a page has the same bytes, and every load of a browser has another. */
function token({ planned, attempt }: StudyOrder, use: 0 | 1): string {
  return ((planned.order * 100 + attempt) * 2 + use).toString(36).padStart(TOKEN_LENGTH, '0');
}

/** `undefined` where the record lacks the timing of a request: then its others prove nothing. */
function studyRequests({ requests }: Pick<PageLoad, 'requests'>): readonly StudyRequest[] | undefined {
  const start = requests[0]?.timing?.fetchStart;
  if (start === undefined) return undefined;
  const kept = requests.map((request, index) => studyRequest(request, { start, name: index === 0 ? '' : nameIn(request.url) }));
  return kept.every((each) => each !== undefined) ? kept : undefined;
}

function studyRequest(request: RequestRecord, { start, name }: { start: number; name: string }): StudyRequest | undefined {
  const { timing, wire } = request;
  if (!timing) return undefined;
  const after = (time: number | undefined) => (time === undefined ? undefined : hundredths(time - start));
  const cold = connectionState(request) === 'cold';
  const times = {
    connectStart: cold ? after(timing.connectStart) : undefined,
    connectEnd: cold ? after(timing.connectEnd) : undefined,
    requestStart: after(timing.requestStart),
    responseStart: after(timing.responseStart),
    bytes: wire?.responseBytes,
  };
  const known = Object.fromEntries(Object.entries(times).filter(([, time]) => time !== undefined));
  return { name, fetchStart: hundredths(timing.fetchStart - start), ...known, responseEnd: hundredths(timing.responseEnd - start) };
}

const nameIn = (url: string): string => url.slice(url.lastIndexOf('/') + 1);

/** Firefox's clock is finer, but nothing of a load is known better. */
const hundredths = (ms: number): number => Math.round(ms * 100) / 100;
