/** Adds to a stored load the timing entries that came after it was joined: of requests still under way when its observation ended. */
import { type JoinOptions, joinPageLoad } from './join-page-load.ts';
import type { PageLoad, RequestRecord } from './page-load.ts';
import type { RawEntry, RawPageTiming } from './raw-observation.ts';

export interface LateEntries extends Pick<JoinOptions, 'originOf'> {
  readonly timing: RawPageTiming;
  /** The entries alone that the load does not have yet. */
  readonly late: readonly RawEntry[];
}

/** An entry whose channel is known gives it its timing; any other is a request of its own. */
export function addLateEntries(load: PageLoad, { timing, late, originOf }: LateEntries): PageLoad {
  const alone = joinPageLoad({ ...timing, resources: late }, [], { originOf }).requests.slice(1);
  const requests = [...load.requests];
  for (const record of alone) {
    const at = requests.findIndex((candidate) => isChannelOf(candidate, record, load.requests));
    const channel = requests[at];
    if (channel === undefined) requests.push(record);
    else requests[at] = { ...channel, ...timingOf(record) };
  }
  return { ...load, requests };
}

/** Resource Timing names a redirected request by the URL first asked for: that of its first hop. */
function isChannelOf(candidate: RequestRecord, record: RequestRecord, all: readonly RequestRecord[]): boolean {
  if (candidate.requestId === undefined || candidate.type === 'main_frame' || candidate.outcome.state === 'redirected') return false;
  // A frame's own time, as webRequest saw it, carries no initiator.
  if (candidate.initiatorType !== undefined) return false;
  const first = all.find(({ requestId }) => requestId === candidate.requestId) ?? candidate;
  return withoutFragment(first.url) === withoutFragment(record.url);
}

function timingOf({ timing, initiatorType, renderBlocking }: RequestRecord): Partial<RequestRecord> {
  return {
    ...(timing && { timing }),
    ...(initiatorType !== undefined && { initiatorType }),
    ...(renderBlocking !== undefined && { renderBlocking }),
  };
}

const withoutFragment = (url: string) => url.split('#', 1)[0];
