/** Adds to a stored load the timing entries that came after it was joined: of requests still under way when its observation ended. */
import { groupBy } from '../group-by.ts';
import { type JoinOptions, joinPageLoad } from './join-page-load.ts';
import { cutOff, withinMaxRequests } from './max-requests.ts';
import type { PageLoad, RequestRecord } from './page-load.ts';
import type { RawEntry, RawPageTiming } from './raw-observation.ts';

export interface LateEntries extends Pick<JoinOptions, 'originOf'> {
  readonly timing: RawPageTiming;
  /** The entries alone that the load does not have yet. */
  readonly late: readonly RawEntry[];
}

/** An entry whose channel is known gives it its timing; any other is a request of its own. */
export function addLateEntries(load: PageLoad, { timing, late, originOf }: LateEntries): PageLoad {
  const alone = joinPageLoad({ ...timing, resources: late }, [], { originOf });
  const requests = [...load.requests];
  const channels = channelsByUrl(load.requests);
  for (const record of alone.requests.slice(1)) {
    const at = channels.get(withoutFragment(record.url))?.shift();
    const channel = at === undefined ? undefined : requests[at];
    if (at === undefined || channel === undefined) requests.push(record);
    else requests[at] = { ...channel, ...timingOf(record) };
  }
  return withinMaxRequests({ ...(alone.observation.tooManyRequests ? cutOff(load) : load), requests });
}

/** Positions of the requests without an entry, by the URL that an entry has: Resource Timing names a redirected request by that of its first hop. */
function channelsByUrl(requests: readonly RequestRecord[]): Map<string | undefined, number[]> {
  const firstUrl = new Map<string | undefined, string>();
  for (const { requestId, url } of requests) if (!firstUrl.has(requestId)) firstUrl.set(requestId, url);
  const open = [...requests.keys()].filter((at) => {
    const request = requests[at];
    // A frame's own time, as webRequest saw it, carries no initiator.
    return (
      request?.requestId !== undefined &&
      request.type !== 'main_frame' &&
      request.outcome.state !== 'redirected' &&
      request.initiatorType === undefined
    );
  });
  return groupBy(open, (at) => withoutFragment(firstUrl.get(requests[at]?.requestId) ?? ''));
}

function timingOf({ timing, initiatorType, renderBlocking }: RequestRecord): Partial<RequestRecord> {
  return {
    ...(timing && { timing }),
    ...(initiatorType !== undefined && { initiatorType }),
    ...(renderBlocking !== undefined && { renderBlocking }),
  };
}

const withoutFragment = (url: string) => url.split('#', 1)[0];
