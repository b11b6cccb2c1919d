/**
 * Real loads of the corpora as WebPageTest records a load of Firefox (www/har/HttpArchiveGenerator.php): the median load of Firefox's own settings, with
 * its times and bytes, and without a word of what asked for what. A page is then made of it as of anybody's HAR.
 */

import type { ContentClass } from '../../../src/core/graph/page-graph.ts';
import { linkFromHar, pageFromHar } from '../../../src/core/har/page-from-har.ts';
import { BASELINE_ID } from '../../../src/core/profiles/profile.ts';
import type { MeasuredRequest, MeasuredScenario } from './measured-scenario.ts';
import { CORPORA, isReported, ofScenario, type ProductScenario } from './product-scenarios.ts';
import { readCorpus } from './read-corpus.ts';

const STARTED = Date.parse('2026-03-02T08:30:10.000Z');
const TYPES: Partial<Record<ContentClass, readonly [string, string]>> = {
  document: ['Document', 'text/html'],
  stylesheet: ['Stylesheet', 'text/css'],
  script: ['Script', 'text/javascript'],
  font: ['Font', 'font/woff2'],
  fetch: ['Fetch', 'application/json'],
  image: ['Image', 'image/png'],
};

/** An initial window: of a longer document the corpus has no end, as Firefox's responseEnd is that of its first bytes (test/corpus/README.md). */
const MAX_DOCUMENT_BYTES = 14_480;

/** `undefined`: the corpus did not keep when the requests of that load were sent, or when its document ended. */
export function webPageTestHar({ graph, profiles }: Pick<MeasuredScenario, 'graph' | 'profiles'>): unknown {
  const requests = profiles.find(({ profileId }) => profileId === BASELINE_ID)?.requests ?? [];
  if (requests.length === 0 || (graph.requests[0]?.bytes ?? 0) > MAX_DOCUMENT_BYTES) return undefined;
  const entries = graph.requests.flatMap((request, at) => entryOf(request, requests[at]) ?? []);
  const page = { id: 'page_1_0_1', startedDateTime: new Date(STARTED).toISOString(), title: 'Run 1, First View', pageTimings: {} };
  return { log: { version: '1.1', creator: { name: 'WebPagetest', version: '21.07' }, pages: [page], entries } };
}

function entryOf(
  { id, bytes, requestBytes, origin = 'a', class: kind = 'image' }: MeasuredScenario['graph']['requests'][number],
  times?: MeasuredRequest,
) {
  const { askedMs, connectStartMs, connectEndMs, sentMs, firstByteMs, endMs } = times ?? {};
  if (sentMs === undefined || firstByteMs === undefined || endMs === undefined) return undefined;
  const [type, mimeType] = TYPES[kind] ?? ['Image', 'image/png'];
  const opened = connectStartMs !== undefined && connectEndMs !== undefined && connectEndMs > connectStartMs;
  return {
    pageref: 'page_1_0_1',
    startedDateTime: new Date(STARTED + Math.round(sentMs)).toISOString(),
    time: endMs - sentMs,
    request: { method: 'GET', url: `http://${origin}.test/${id}`, httpVersion: 'HTTP/1.1', headers: [], headersSize: -1, bodySize: -1 },
    response: { status: 200, httpVersion: 'HTTP/1.1', headers: [], headersSize: -1, bodySize: -1, content: { size: -1, mimeType } },
    cache: {},
    timings: {
      blocked: -1,
      dns: -1,
      connect: opened ? connectEndMs - connectStartMs : -1,
      send: 0,
      wait: firstByteMs - sentMs,
      receive: endMs - firstByteMs,
    },
    _request_type: type,
    ...(askedMs !== undefined && { _created: askedMs }),
    _connect_start: opened ? connectStartMs : -1,
    _connect_end: opened ? connectEndMs : -1,
    _load_start: sentMs,
    _ttfb_ms: firstByteMs - sentMs,
    _load_end: endMs,
    _bytesIn: bytes,
    ...(requestBytes !== undefined && { _bytesOut: requestBytes }),
    _protocol: 'HTTP/1.1',
  };
}

export interface HarScenarios {
  /** The scenario as its recipe and its link have it. */
  readonly recipe: ProductScenario;
  /** Its page from the HAR, over its link, and over the link that the HAR shows (absent: it shows none). */
  readonly har: ProductScenario;
  readonly harAlone: ProductScenario | undefined;
}

export const harScenarios = (): readonly HarScenarios[] =>
  CORPORA.flatMap((source) => {
    const { scenarios, firefox } = readCorpus(source);
    return scenarios
      .filter((each) => isReported(source, each))
      .flatMap((scenario): readonly HarScenarios[] => {
        const har = webPageTestHar(scenario);
        if (har === undefined) return [];
        const recipe = ofScenario(scenario, { source, firefox });
        const [{ page }, link] = [pageFromHar(har), linkFromHar(har)?.link];
        return [{ recipe, har: { ...recipe, page }, harAlone: link && { ...recipe, page, link } }];
      });
  });
