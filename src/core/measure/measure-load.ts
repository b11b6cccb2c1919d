/** All measures of one load. */
import { PlumbfoxError } from '../errors.ts';
import type { Link } from '../link.ts';
import { milliseconds } from '../units.ts';
import { duplicateFetches, duplicateMeasures } from './duplicate-fetches.ts';
import { efficiency, idealTime, utilisation } from './efficiency.ts';
import type { LoadMeasures } from './load-measures.ts';
import { type LoadWindow, loadWindow } from './load-window.ts';
import type { PageLoad } from './page-load.ts';
import { connectionUse, httpVersionShares, loadBytes, networkRequests, peakOutstanding, queueWait, renderBlockingEnd } from './requests.ts';

/**
 * Everything but paint is over the requests that belong to the load (`load-window.ts`). Without a link, what needs one is absent; where the
 * load was cut short, what needs its end is.
 * @throws PlumbfoxError `bad-input` when the document's own timing is unknown; ask `isMeasurable` first.
 */
export function measureLoad(load: PageLoad, { link }: { readonly link?: Link | undefined }): LoadMeasures {
  const window = loadWindow(load);
  if (window === undefined) throw new PlumbfoxError('bad-input', `Load ${load.id} cannot be measured: its document has no timing`);
  const connections = connectionUse(window.requests);
  const outstanding = peakOutstanding(window.requests);
  const sent = networkRequests(window.requests);
  return {
    ...againstLink(window, link),
    ...definedOnly({
      firstContentfulPaintMs: load.firstContentfulPaint,
      largestContentfulPaintMs: load.largestContentfulPaint,
      queueWait: queueWait(window.requests),
      renderBlockingEndMs: renderBlockingEnd(window.requests),
    }),
    peakOutstanding: outstanding.peak,
    peakOutstandingByOrigin: outstanding.byOrigin,
    requests: sent.length,
    failedRequests: sent.filter(({ outcome }) => outcome.state === 'failed').length,
    ...(connections && { coldConnections: connections.cold, reusedConnections: connections.reused }),
    ...duplicateMeasures(duplicateFetches(window)),
    httpVersions: httpVersionShares(window.requests),
  };
}

/** Whether `measureLoad` has what it needs. */
export const isMeasurable = (load: PageLoad): boolean => loadWindow(load) !== undefined;

type AgainstLink = Pick<LoadMeasures, 'loadTimeMs' | 'cutShort' | 'bytes' | 'idealTimeMs' | 'efficiency' | 'utilisation'>;

function againstLink({ start, end, requests, cutShort }: LoadWindow, link: Link | undefined): AgainstLink {
  const loadTimeMs = milliseconds(end - start);
  const bytes = loadBytes(requests);
  if (cutShort !== undefined) return { loadTimeMs, cutShort, ...definedOnly({ bytes }) };
  const idealTimeMs = idealTime({ bytes, link });
  return {
    loadTimeMs,
    ...definedOnly({
      bytes,
      idealTimeMs,
      efficiency: efficiency({ idealTime: idealTimeMs, loadTime: loadTimeMs }),
      utilisation: utilisation({ bytes, loadTime: loadTimeMs, link }),
    }),
  };
}

type Defined<T> = { readonly [K in keyof T]?: Exclude<T[K], undefined> };

/** Unknown is absent: leaves out what is `undefined`. */
const definedOnly = <T extends Readonly<Record<string, unknown>>>(values: T): Defined<T> =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Defined<T>;
