/** Which recorded requests belong to the load: by the rule of `load-window.ts`, brought to what was observed. */
import { LONGEST_LOAD_MS, loadWindow, QUIET_MS } from '../measure/load-window.ts';
import type { PageLoad, RequestRecord } from '../measure/page-load.ts';
import { milliseconds } from '../units.ts';
import type { PlacedRequest } from './infer-placed.ts';

export interface WindowOptions {
  /** End of the load event, ms after the document was asked for; `undefined`: everything belongs to the load. */
  readonly loadEventMs: number | undefined;
  readonly quietMs: number | undefined;
}

/** Those that began before the network had been quiet for long enough after the load event, and within 60 s. The document comes first. */
export function withinWindow(
  placed: readonly PlacedRequest[],
  { loadEventMs, quietMs = QUIET_MS }: WindowOptions,
): readonly PlacedRequest[] {
  const records = placed.map(recordOf);
  const load: PageLoad = {
    format: 1,
    id: '',
    url: '',
    startedAt: milliseconds(0),
    observation: { ended: 'quiet', quietMs: milliseconds(quietMs) },
    ...(loadEventMs !== undefined && { loadEventEnd: milliseconds(loadEventMs) }),
    requests: records,
  };
  const within = new Set(loadWindow(load)?.requests);
  return placed.filter(({ startMs }, index) => within.has(records[index] as RequestRecord) && startMs <= LONGEST_LOAD_MS);
}

/** What of a request the measures of `core/measure` need; a response of unknown end counts as if it had ended at once. */
export function recordOf({ observed, startMs, firstByteMs, endMs }: PlacedRequest): RequestRecord {
  return {
    url: '',
    origin: observed.origin,
    type: 'other',
    timing: {
      fetchStart: milliseconds(startMs),
      ...(firstByteMs !== undefined && { responseStart: milliseconds(firstByteMs) }),
      responseEnd: milliseconds(endMs ?? startMs),
    },
    outcome: { state: 'completed' },
  };
}
