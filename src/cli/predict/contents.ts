/** The contents of a report or a HAR for a prediction: its pages as they were loaded, and the links it knows. */

import { PlumbfoxError } from '../../core/errors.ts';
import { DEFAULT_ORIGIN, type PageGraph } from '../../core/graph/page-graph.ts';
import { duplicatesFromHar, linkFromHar, pageFromHar, recordedLoadTimeMs } from '../../core/har/page-from-har.ts';
import type { NamedLink, NamedPage, PredictionResult } from '../../core/predict/predict-json.ts';
import type { RecordedLoads } from '../../core/predict/recorded-loads.ts';
import { BASELINE_ID } from '../../core/profiles/profile.ts';
import { protocolsOf } from '../../core/report/comparable-loads.ts';
import type { MeasuredLoad, PageService, Report, ReportLink, ReportPage } from '../../core/report/report.ts';
import { MIN_CELL_LOADS, OTHER_PAGES } from '../../core/report/small-cells.ts';
import { median } from '../../core/stats/quantile.ts';
import { PAGES } from '../../lab/pages/pages.ts';
import { canBeSimulated, simulatedFigures } from './link.ts';

/** The contents of the file of `plumbfox predict`: pages, and the links it knows. */
export interface PredictContents {
  /** At least one. */
  readonly pages: readonly NamedPage[];
  /** Empty: the file knows none whose figures could be used. */
  readonly links: readonly NamedLink[];
  /** Whether the lab loaded these pages, or a person on the real network: decides what measures them. */
  readonly loadedBy: 'lab' | 'real-network';
  /** Pages that `tune` can load, each with what `--pages` takes for it. */
  readonly labPages: readonly { readonly page: string; readonly asked: string; readonly protocol?: string }[];
  /**
   * Loads under Firefox's own settings, by the names of pages and links here. Of a HAR whatever loaded it, as browsers of its kind open as
   * many connections.
   */
  readonly recorded: readonly RecordedLoads[];
  readonly notes: readonly string[];
  /** What must be known of its links, where they are used. */
  readonly linkNotes: readonly string[];
}

/** The same, with what file it is of. */
export interface PredictSource extends PredictContents {
  readonly source: PredictionResult['source'];
}

const HOW = 'Measure again with npm run tune, or use a HAR saved by the network panel of the developer tools';

const MERGED = `pages with fewer than ${MIN_CELL_LOADS} loads are exported as one, ${OTHER_PAGES}, without their requests`;
const MORE = `Export again when a page has ${MIN_CELL_LOADS} loads, or use a HAR saved by the network panel of the developer tools`;

/** @throws PlumbfoxError `bad-input`, one line, when none of its pages can be predicted. */
export function reportContents(report: Report): PredictContents {
  const { pages, links } = report;
  const graphs = pages.flatMap((page) => asLoaded(page, report) ?? []).map((page) => ({ ...page, ...duplicatesOf(page.name, report) }));
  const without = pages.filter(({ graph }) => graph === undefined).map(({ name }) => name);
  const unclear = pages.map(({ name }) => name).filter((name) => !without.includes(name) && !graphs.some((each) => each.name === name));
  const warm = pages.flatMap(({ name, served }) => (served?.connections === 'warm' ? [name] : []));
  const merged = without.includes(OTHER_PAGES);
  const held = without.filter((name) => name !== OTHER_PAGES);
  if (graphs.length === 0) {
    if (merged) throw new PlumbfoxError('bad-input', `No page of this report can be predicted: ${MERGED}. ${MORE}`);
    const why = unclear.length === 0 ? '' : ': it does not say which protocol they used, or whether TLS';
    throw new PlumbfoxError('bad-input', `No page of this report can be predicted${why}. ${HOW}`);
  }
  const known = new Set(PAGES.map(({ name }) => name));
  const usual = report.provenance.congestionControl;
  const usable = links.flatMap((link) => reportLink(link, usual));
  const onRealNetwork = links.some(({ kind }) => kind === 'real');
  const relays = links.filter(({ kind }) => kind === 'relay').map(({ name }) => name);
  return {
    pages: graphs,
    links: usable,
    loadedBy: onRealNetwork ? 'real-network' : 'lab',
    labPages: onRealNetwork ? [] : graphs.flatMap(({ name }) => (known.has(name) ? [{ page: name, asked: name }] : [])),
    recorded: recordedLoads(report),
    notes: [
      ...(held.length === 0 ? [] : [`Excluded, because the report does not hold their requests: ${held.join(', ')}.`]),
      ...(merged ? [`Excluded: ${MERGED}.`] : []),
      ...(warm.length === 0
        ? []
        : [`Loaded over open connections but predicted over new ones, so not compared with its loads: ${warm.join(', ')}.`]),
      ...(unclear.length === 0
        ? []
        : [`Excluded, because the report does not say which protocol they used, or whether TLS: ${unclear.join(', ')}.`]),
    ],
    linkNotes: [
      ...(relays.length === 0
        ? []
        : [`Measured through the relay, which has no packets, but predicted by packets: link ${relays.join(', ')}.`]),
      ...links
        .filter((link) => reportLink(link, usual).length === 0)
        .map(({ name }) => `Excluded, because the report has no figures to simulate it from: link ${name}.`),
    ],
  };
}

/**
 * What the report measured of Firefox's own settings, to stand beside its simulation: page by page and link by link the median of loads that count
 * and were seen to their end. The simulation opens every connection, so loads over connections that were open are none of them.
 */
function recordedLoads({ loads, pages, links }: Pick<Report, 'loads' | 'pages' | 'links'>): readonly RecordedLoads[] {
  const whole = loads.flatMap(({ profileId, page, link, validity, measures }) =>
    profileId === BASELINE_ID && validity.state === 'valid' && measures !== undefined && measures.cutShort === undefined
      ? [{ page, link, loadTimeMs: measures.loadTimeMs }]
      : [],
  );
  return pages
    .filter(({ served }) => served?.connections !== 'warm')
    .flatMap((page) =>
      links.flatMap((link) => {
        const times = whole.filter((load) => load.page === page.name && load.link === link.name).map(({ loadTimeMs }) => loadTimeMs);
        const loadTimeMs = median(times);
        return loadTimeMs === undefined
          ? []
          : [{ page: page.name, link: link.name, profileId: BASELINE_ID, loads: times.length, loadTimeMs }];
      }),
    );
}

/** The newest load that was recorded to its end; on the real network the content of the page comes from it too. */
function duplicatesOf(name: string, { loads }: Pick<Report, 'loads'>): Pick<NamedPage, 'duplicates'> {
  const whole = loads.filter(
    ({ page, validity, measures }) => page === name && validity.state === 'valid' && measures?.cutShort === undefined,
  );
  const newest = whole.reduce<MeasuredLoad | undefined>(
    (last, load) => (load.startedAt >= (last?.startedAt ?? 0) ? load : last),
    undefined,
  );
  return newest?.measures === undefined ? {} : { duplicates: newest.measures };
}

/** Both ends of a lane are Linux, which sends timestamps to its like: 12 bytes of every packet of 1,500 (RFC 7323). */
const LAB_SEGMENT_BYTES = 1448;

/** What was requested, as the lab held to it; on the real network what was estimated. */
function reportLink({ name, kind, basis, asked, measured }: ReportLink, usual: string | undefined): readonly NamedLink[] {
  const figures = asked ?? measured;
  if (figures === undefined || figures.rttMs <= 0 || figures.downKbps <= 0 || (asked && !canBeSimulated(asked))) return [];
  return [
    {
      name,
      basis: basis === 'estimated' ? 'estimated' : 'configured',
      link: {
        ...(usual === 'reno' && { congestionControl: usual }),
        ...simulatedFigures(figures),
        ...(kind === 'packet' && { segmentBytes: LAB_SEGMENT_BYTES }),
      },
    },
  ];
}

/** Until pages had `served`, reports held every page of the lab as HTTP/1.1 without TLS. `undefined`: how it was loaded is not known. */
function asLoaded(page: ReportPage, { loads, provenance }: Report): NamedPage | undefined {
  const { name, graph, inferred, served } = page;
  if (graph === undefined) return undefined;
  // What was inferred from loads has protocol and TLS of each server from them.
  if (inferred !== undefined) return { name, page: graph, inferred };
  if (served !== undefined) return { name, page: servedAs(graph, served), inferred: [] };
  const protocol = protocolsOf({ pages: [page], loads })(name);
  if (protocol === 'http/2' || protocol === 'http/3') {
    const rule = 'An older report, which does not say how pages were served: the protocol is that of its loads, with TLS 1.3';
    return {
      name,
      page: servedAs(graph, { protocol, tls: '1.3' }),
      inferred: [{ field: 'protocols', requests: graph.requests.length, rule }],
    };
  }
  if (protocol === 'mixed' || provenance.notes.some((note) => note.startsWith(SERVERS_IN_FRONT))) return undefined;
  return { name, page: graph, inferred: [] };
}

/** The note of a study with reverse proxies; it does not say which HTTP/1.1 pages were over TLS. */
const SERVERS_IN_FRONT = 'Servers: ';

function servedAs(graph: PageGraph, { protocol, tls }: Pick<PageService, 'protocol' | 'tls'>): PageGraph {
  const names = [...new Set(graph.requests.map(({ origin = DEFAULT_ORIGIN }) => origin))];
  return { ...graph, origins: Object.fromEntries(names.map((name) => [name, { ...graph.origins?.[name], protocol, tls }])) };
}

interface HarChoice {
  /** What its first page is called, where no page is named. */
  readonly name: string;
  readonly pageIds: readonly string[] | undefined;
}

const OWN_LINK = "the HAR's link";

/**
 * The contents of a HAR for a prediction: its pages, the link estimated from the first page, and how long the loads took.
 * @throws PlumbfoxError `bad-input`, one line.
 */
export function harContents(har: unknown, { name, pageIds }: HarChoice): PredictContents {
  const chosen = pageIds?.map((pageId) => ({ name: pageId, options: { pageId } })) ?? [{ name, options: {} }];
  const pages = chosen.map((page) => ({
    name: page.name,
    ...pageFromHar(har, page.options),
    duplicates: duplicatesFromHar(har, page.options),
  }));
  const estimated = linkFromHar(har, chosen[0]?.options);
  const link = estimated && OWN_LINK;
  return {
    pages,
    links: estimated === undefined ? [] : [{ name: OWN_LINK, basis: 'estimated', ...estimated }],
    loadedBy: 'real-network',
    labPages: [],
    recorded: chosen.flatMap((page) => {
      const loadTimeMs = recordedLoadTimeMs(har, page.options);
      return loadTimeMs === undefined ? [] : [{ page: page.name, link, profileId: BASELINE_ID, loads: 1, loadTimeMs }];
    }),
    notes: [],
    linkNotes: [],
  };
}
