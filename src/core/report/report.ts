/**
 * The report: one JSON format, numbered, the same from the command line and from the extension.
 * Version history: 1, first; 2, the comparison says how it was made, how many pairs it rests on, what it could have found, and ranks the
 * profiles; 3, the ideal time counts no connection set-up (measures version 2), and a comparison holds all loads of a page over a link against one;
 * 4, the load time of a profile is a geometric mean, no median any more, under the name that it had.
 */

import type { Answer } from '../answer/answer.ts';
import type { Comparison } from '../compare/comparison.ts';
import type { Inference } from '../graph/inference.ts';
import type { PageGraph } from '../graph/page-graph.ts';
import type { LinkBasis } from '../link.ts';
import type { LoadMeasures } from '../measure/load-measures.ts';
import type { HttpVersion } from '../measure/page-load.ts';
import type { PreferenceValue } from '../profiles/knob.ts';
import type { ApplierKind, Carrier, PreferenceReadback } from '../profiles/profile.ts';
import type { Validity } from './validity.ts';

/**
 * The mark by which a report is known, and the version that is written; older ones are brought up to it (`report-upgrades.ts`), newer ones
 * refused.
 */
export const REPORT_FORMAT = 'plumbfox-report';
export const REPORT_VERSION = 4;
/**
 * Raised whenever a measure's definition changes: figures of different versions are never compared. 1: the ideal time counted the set-up of
 * the document's connection, where it could be seen; 2: it does not.
 */
export const METRIC_VERSION = 2;

/** `packet`: emulated per packet; `relay`: connect delay and rate only, no packet effects; `real`: no emulation. */
export type LinkKind = 'packet' | 'relay' | 'real';

/** How TCP's senders on an emulated link hold back: CUBIC (RFC 9438), Reno (RFC 5681) or BBR, by the names Linux has for them. */
export const CONGESTION_CONTROLS = ['reno', 'cubic', 'bbr'] as const;
export type CongestionControlName = (typeof CONGESTION_CONTROLS)[number];

export interface LinkFigures {
  readonly rttMs: number;
  readonly downKbps: number;
  readonly upKbps?: number;
  /** Queue in packets. */
  readonly queue?: number;
  /** Share of packets lost at random, by direction. Absent: none, as with all below. */
  readonly lossDown?: number;
  readonly lossUp?: number;
  /** Standard deviation of the one-way delay, ms. */
  readonly jitterMs?: number;
  /** Name of the trace that the downlink follows; `downKbps` is then its mean. */
  readonly downTrace?: string;
  /** Initial congestion window of the server's end, segments. */
  readonly initialWindow?: number;
  /** Receive buffer of the client's end, fixed, bytes. */
  readonly receiveBufferBytes?: number;
  /** Of the TCP senders at both ends. Absent: not known, or the run's own (`provenance.congestionControl`). */
  readonly congestionControl?: CongestionControlName;
  /** Of losses and jitter. */
  readonly seed?: number;
}

/** What was measured of a link. */
export interface MeasuredLinkFigures {
  readonly rttMs: number;
  readonly downKbps: number;
  readonly upKbps?: number;
  /** Share of the packets counted that were lost at random, where such loss was asked. */
  readonly lossDown?: number;
  readonly lossUp?: number;
  /** Packets that loss was counted in. */
  readonly packetsDown?: number;
  readonly packetsUp?: number;
  /** Standard deviation of the one-way delays given, where jitter was asked, ms. */
  readonly jitterMs?: number;
  /** Of a traced downlink: what it let through, as a share of what its trace has room for. */
  readonly traceShare?: number;
}

export interface ReportLink {
  readonly name: string;
  readonly kind: LinkKind;
  readonly basis: LinkBasis;
  /** What was asked for; absent on the real network. */
  readonly asked?: LinkFigures;
  /** What the check before the run measured. */
  readonly measured?: MeasuredLinkFigures;
}

/** How the lab served a page: every server of it alike. */
export interface PageService {
  readonly protocol: Exclude<HttpVersion, 'http/1.0'>;
  /** HTTP/3 is always 1.3. */
  readonly tls: 'none' | '1.2' | '1.3';
  /** `warm`: connections were open from the load before; `cold`: none was. */
  readonly connections: 'cold' | 'warm';
}

export interface ReportPage {
  readonly name: string;
  /** Absent: on the real network, where each server has its own way, and in reports from before it was noted; see `protocolOfPage`. */
  readonly served?: PageService;
  readonly requests?: number;
  readonly origins?: number;
  readonly bytes?: number;
  /** What is on it, for the simulator: sizes, servers by number, and what asks for what; no address. Absent: not known. */
  readonly graph?: PageGraph;
  /** What had to be assumed for the graph. */
  readonly inferred?: readonly Inference[];
}

export interface ReportProfile {
  readonly id: string;
  readonly title: string;
  readonly carrier: Carrier;
  readonly connections?: number;
  readonly depth: number;
  readonly intended: Readonly<Record<string, PreferenceValue>>;
  /** `candidate`, or `control`: c6-d1 through the gateway, which shows the gateway's own cost. */
  readonly role: 'baseline' | 'candidate' | 'control';
}

/** What the servers and the gateway counted during one load. */
export interface Observed {
  /** Most connections of one origin with at least one request, as the origin counted them. */
  readonly peakConnections: number;
  /** Most requests outstanding at one origin, as the origin counted them. */
  readonly peakOutstanding: number;
  /**
   * Most requests outstanding on one connection, as the gateway (or, without one, the origin) counted them. Absent: nobody could see it, as
   * behind a server that stands in front of the one that counts.
   */
  readonly peakDepth?: number;
  readonly requests: number;
}

export interface MeasuredLoad {
  readonly profileId: string;
  readonly page: string;
  readonly link: string;
  /** From 0; every profile has its turn once in a block of one page on one link. */
  readonly block: number;
  /** Position in the whole run, from 0. */
  readonly order: number;
  readonly startedAt: number;
  readonly validity: Validity;
  readonly readBack: readonly PreferenceReadback[];
  readonly observed?: Observed;
  readonly measures?: LoadMeasures;
}

export interface Provenance {
  readonly plumbfox: string;
  readonly firefox?: { readonly version: string; readonly buildId?: string; readonly channel?: string };
  readonly os: string;
  readonly node?: string;
  readonly applier?: ApplierKind;
  readonly seed: number;
  /** How the profiles came to their loads; absent: by randomised blocks. */
  readonly turns?: 'as-they-came';
  /** Of the TCP senders on emulated links, as Linux names it; several, where the links have different ones: separated by commas. */
  readonly congestionControl?: string;
  /**
   * How losses, jitter and traces were drawn: `by-block`, anew before every load from seed, page, link and block, the same for all profiles of a
   * block. Absent: the links have none, or, in older reports, from one sequence that began anew with every block.
   */
  readonly weather?: 'by-block';
  /** Blocks of every page over every link that the run was to make; its comparison keeps most of alpha for them. Absent: not known before its loads. */
  readonly plannedBlocks?: number;
  /** Preferences set for a quiet measurement, the same for every profile. */
  readonly labPreferences?: Readonly<Record<string, PreferenceValue>>;
  readonly notes: readonly string[];
}

/** A report of measured loads and what they show. */
export interface Report {
  readonly format: typeof REPORT_FORMAT;
  readonly version: typeof REPORT_VERSION;
  readonly metricVersion: number;
  readonly createdAt: string;
  readonly provenance: Provenance;
  readonly links: readonly ReportLink[];
  readonly pages: readonly ReportPage[];
  readonly profiles: readonly ReportProfile[];
  readonly loads: readonly MeasuredLoad[];
  readonly comparison: Comparison;
  /** Of everyday loads: the one answer, as the popup shows it; absent: elsewhere. */
  readonly answer?: ReportAnswer;
}

/** The answer in words and as data. */
export interface ReportAnswer {
  readonly sentence: string;
  readonly finding: Answer;
}

/**
 * A report as the text of its file. It is to be read by people as well, but for its loads: one on each line. Indented they take two thirds more, and what is read has at most 64 MB: the 16,800
 * loads of `lab run fennec-2008 --repeats 15` took 58.3 MB and take 35.0, the 20,000 of `tune --blocks 1000` 30.9 and 19.5 (loads of the published
 * runs, as often as it takes).
 */
export function reportText(report: Report): string {
  const rest = JSON.stringify({ ...report, loads: [] }, null, 2);
  const lines = report.loads.map((load) => `    ${JSON.stringify(load)}`).join(',\n');
  if (lines === '') return `${rest}\n`;
  // Two spaces: a member of the report itself. No text holds a line break within JSON.
  return `${rest.replace('\n  "loads": []', () => `\n  "loads": [\n${lines}\n  ]`)}\n`;
}
