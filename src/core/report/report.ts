/**
 * The report: one JSON format, numbered, the same from the command line and from the extension.
 * Version history: 1, first; 2, the comparison says how it was made, how many pairs it rests on, what it could have found, and ranks the
 * profiles; 3, the ideal time counts no connection set-up (measures version 2), and a comparison holds all loads of a page over a link against one;
 * 4, the load time of a profile is a geometric mean, no median any more, under the name that it had.
 */

import * as v from 'valibot';
import { answerSchema } from '../answer/answer.ts';
import { comparisonSchema } from '../compare/comparison.ts';
import { GATEWAY_VISITS } from '../gateway-policy.ts';
import { inferenceSchema } from '../graph/inference.ts';
import { pageGraphSchema } from '../graph/page-graph.ts';
import { linkBasisSchema } from '../link.ts';
import { loadMeasuresSchema } from '../measure/load-measures.ts';
import { preferenceValueSchema } from '../profiles/knob.ts';
import { applierKindSchema, carrierSchema, preferenceReadbackSchema, roleSchema } from '../profiles/profile.ts';
import { count, finite, type Shape } from '../schema.ts';
import { searchRecordSchema } from '../search/search-record.ts';
import { validitySchema } from './validity.ts';

/**
 * The mark by which a report is known, and the version that is written; older ones are brought up to it (`parse-report.ts`), newer ones
 * refused.
 */
export const REPORT_FORMAT = 'plumbfox-report';
export const REPORT_VERSION = 4;
/**
 * Raised whenever a measure's definition changes: figures of different versions are never compared. 1: the ideal time counted the set-up of
 * the document's connection, where it could be seen; 2: it does not.
 */
export const METRIC_VERSION = 2;

/** How TCP's senders on an emulated link hold back: CUBIC (RFC 9438), Reno (RFC 5681) or BBR, by the names Linux has for them. */
export const CONGESTION_CONTROLS = ['reno', 'cubic', 'bbr'] as const;
export type CongestionControlName = (typeof CONGESTION_CONTROLS)[number];

const optionalFigure = v.exactOptional(finite);
const preferences = v.record(v.string(), preferenceValueSchema);

const linkFiguresSchema = v.object({
  rttMs: finite,
  downKbps: finite,
  upKbps: optionalFigure,
  /** Queue in packets. */
  queue: optionalFigure,
  /** Share of packets lost at random, by direction. Absent: none, as with all below. */
  lossDown: optionalFigure,
  lossUp: optionalFigure,
  /** Standard deviation of the one-way delay, ms. */
  jitterMs: optionalFigure,
  /** Name of the trace that the downlink follows; `downKbps` is then its mean. */
  downTrace: v.exactOptional(v.string()),
  /** Initial congestion window of the server's end, segments. */
  initialWindow: optionalFigure,
  /** Receive buffer of the client's end, fixed, bytes. */
  receiveBufferBytes: optionalFigure,
  /** Congestion control of the TCP senders at both ends. Absent: not known, or the run's own (`provenance.congestionControl`). */
  congestionControl: v.exactOptional(v.picklist(CONGESTION_CONTROLS)),
  /** Seed of losses and jitter. */
  seed: optionalFigure,
});
export type LinkFigures = Shape<typeof linkFiguresSchema>;

const measuredLinkFiguresSchema = v.object({
  rttMs: finite,
  downKbps: finite,
  upKbps: optionalFigure,
  /** Share of the packets counted that were lost at random, where such loss was asked. */
  lossDown: optionalFigure,
  lossUp: optionalFigure,
  /** Packets that loss was counted in. */
  packetsDown: v.exactOptional(count),
  packetsUp: v.exactOptional(count),
  /** Standard deviation of the one-way delays given, where jitter was asked, ms. */
  jitterMs: optionalFigure,
  /** What a traced downlink let through, as a share of what its trace has room for. */
  traceShare: optionalFigure,
});
/** The measured figures of a link. */
export type MeasuredLinkFigures = Shape<typeof measuredLinkFiguresSchema>;

export const reportLinkSchema = v.object({
  name: v.string(),
  /** `packet`: emulated per packet; `relay`: connect delay and rate only, no packet effects; `real`: no emulation. */
  kind: v.picklist(['packet', 'relay', 'real']),
  basis: linkBasisSchema,
  /** What was requested; absent on the real network. */
  asked: v.exactOptional(linkFiguresSchema),
  /** What the check before the run measured. */
  measured: v.exactOptional(measuredLinkFiguresSchema),
});
/** A link, as it was requested and as it was measured. */
export type ReportLink = Shape<typeof reportLinkSchema>;
export type LinkKind = ReportLink['kind'];

const pageServiceSchema = v.object({
  protocol: v.picklist(['http/1.1', 'http/2', 'http/3']),
  /** HTTP/3 is always 1.3. */
  tls: v.picklist(['none', '1.2', '1.3']),
  /** `warm`: connections were open from the load before; `cold`: none was. */
  connections: v.picklist(['cold', 'warm']),
});
/** How the lab served a page: every server of it alike. */
export type PageService = Shape<typeof pageServiceSchema>;

export const reportPageSchema = v.object({
  name: v.string(),
  /** Absent: on the real network, where each server has its own way, and in reports from before it was noted; see `protocolOfPage`. */
  served: v.exactOptional(pageServiceSchema),
  requests: v.exactOptional(count),
  origins: v.exactOptional(count),
  bytes: v.exactOptional(count),
  /** What is on it, for the simulator: sizes, servers by number, and what asks for what; no address. Absent: not known. */
  graph: v.exactOptional(pageGraphSchema),
  /** What had to be assumed for the graph. */
  inferred: v.exactOptional(v.array(inferenceSchema)),
});
/** A page: what the lab served, or what everyday loads show of it. */
export type ReportPage = Shape<typeof reportPageSchema>;

export const reportProfileSchema = v.object({
  id: v.string(),
  title: v.string(),
  carrier: carrierSchema,
  /** Absent: as Firefox ships them. */
  connections: v.exactOptional(count),
  depth: count,
  intended: preferences,
  role: roleSchema,
});
/** A profile as it was compared. */
export type ReportProfile = Shape<typeof reportProfileSchema>;

const observedSchema = v.object({
  /** Most connections of one origin with at least one request, as the origin counted them. */
  peakConnections: count,
  /** Most requests outstanding at one origin, as the origin counted them. */
  peakOutstanding: count,
  /**
   * Most requests outstanding on one connection, as the gateway (or, without one, the origin) counted them. Absent: it could not be seen, as
   * behind a server that stands in front of the one that counts.
   */
  peakDepth: v.exactOptional(count),
  requests: count,
});
/** The counts of the servers and the gateway during one load. */
export type Observed = Shape<typeof observedSchema>;

export const measuredLoadSchema = v.object({
  profileId: v.string(),
  page: v.string(),
  link: v.string(),
  /** From 0; every profile has its turn once in a block of one page on one link. */
  block: count,
  /** Position in the whole run, from 0. */
  order: count,
  startedAt: finite,
  validity: validitySchema,
  readBack: v.array(v.object({ ...preferenceReadbackSchema.entries, value: v.optional(preferenceValueSchema, () => undefined) })),
  observed: v.exactOptional(observedSchema),
  measures: v.exactOptional(loadMeasuresSchema),
});
/** One load, valid or void; a void one keeps what is known of it. */
export type MeasuredLoad = Shape<typeof measuredLoadSchema>;

/** A word that every shell takes as it is: what a report holds must not become another command. */
export const COMMAND_WORD = /^[\w@%+=:,./-]+$/;

const provenanceSchema = v.object({
  plumbfox: v.string(),
  firefox: v.exactOptional(v.object({ version: v.string(), buildId: v.exactOptional(v.string()), channel: v.exactOptional(v.string()) })),
  os: v.string(),
  node: v.exactOptional(v.string()),
  applier: v.exactOptional(applierKindSchema),
  seed: finite,
  /** How the profiles came to their loads; absent: by randomised blocks. */
  turns: v.exactOptional(v.literal('as-they-came')),
  /**
   * Blocks of every page over every link that the run was to make; its comparison keeps most of alpha for them. Absent: not known before its loads.
   */
  plannedBlocks: v.exactOptional(v.pipe(v.number(), v.integer(), v.minValue(1))),
  /** Congestion control of the TCP senders on emulated links, as Linux names it; several, where the links have different ones: separated by commas. */
  congestionControl: v.exactOptional(v.string()),
  /**
   * How losses, jitter and traces were drawn: `by-block`, again before every load from seed, page, link and block, the same for all profiles of a
   * block. Absent: the links have none, or, in older reports, from one sequence that restarted with every block.
   */
  weather: v.exactOptional(v.literal('by-block')),
  /** How far the gateway knew the sites of a load; absent: nothing went through it, or, in older reports, it knew them. */
  gateway: v.exactOptional(v.picklist(GATEWAY_VISITS)),
  /** Preferences set for a quiet measurement, the same for every profile. */
  labPreferences: v.exactOptional(preferences),
  /** The arguments of `tune` that measure the same again, without its number of blocks. Absent: something else made the report, or a shell would change them. */
  command: v.exactOptional(v.array(v.pipe(v.string(), v.regex(COMMAND_WORD)))),
  /** How busy the machine was: averages of a minute of the programs that wanted a processor. Absent: not recorded. */
  machineLoad: v.exactOptional(v.object({ atStart: finite, most: finite, processors: count })),
  notes: v.array(v.string()),
});
/** Where the figures come from; absent: it does not apply, or is unknown. */
export type Provenance = Shape<typeof provenanceSchema>;

/** `assets/report.schema.json` is made from it. */
export const reportSchema = v.object({
  format: v.literal(REPORT_FORMAT),
  version: v.literal(REPORT_VERSION),
  metricVersion: v.pipe(v.number(), v.integer(), v.minValue(1)),
  createdAt: v.pipe(v.string(), v.isoTimestamp()),
  provenance: provenanceSchema,
  links: v.array(reportLinkSchema),
  pages: v.array(reportPageSchema),
  profiles: v.array(reportProfileSchema),
  loads: v.array(measuredLoadSchema),
  comparison: comparisonSchema,
  /** The one answer for everyday loads, as the popup shows it, in words and as data; absent elsewhere. */
  answer: v.exactOptional(v.object({ sentence: v.string(), finding: answerSchema })),
  /** How `tune --search` came to these profiles, and its answer; the loads are then those that the answer rests on. Absent: nothing was searched. */
  search: v.exactOptional(searchRecordSchema),
});
/** A report of measured loads and what they show. */
export type Report = Shape<typeof reportSchema>;

/**
 * A report as the text of its file. It is to be read by people as well, except for its loads: one on each line. Indented they take two thirds more,
 * and what is read has at most 64 MB: the 16,800 loads of `lab run fennec-2008 --repeats 15` took 58.3 MB and take 35.0, the 20,000 of `tune --blocks
 * 1000` 30.9 and 19.5 (loads of the published runs, as often as it takes).
 */
export function reportText(report: Report): string {
  const rest = JSON.stringify({ ...report, loads: [] }, null, 2);
  const lines = report.loads.map((load) => `    ${JSON.stringify(load)}`).join(',\n');
  if (lines === '') return `${rest}\n`;
  // Two spaces: a member of the report itself. No text holds a line break within JSON.
  return `${rest.replace('\n  "loads": []', () => `\n  "loads": [\n${lines}\n  ]`)}\n`;
}
