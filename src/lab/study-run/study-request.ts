/** The requests of a recorded load, as a study keeps them. Pure. */
import { connectionState } from '../../core/measure/connection-use.ts';
import type { PageLoad, RequestRecord } from '../../core/measure/page-load.ts';
import type { StudyRequest } from '../studies/study-load.ts';

/** `undefined` where the record lacks the timing of a request: then nothing may be told from its others. */
export function studyRequests({ requests }: Pick<PageLoad, 'requests'>): readonly StudyRequest[] | undefined {
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
