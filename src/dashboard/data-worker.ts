/** Makes files of the records, and reads reports, in a thread of its own: a page with a thousand loads in its hands would not answer. */
import * as v from 'valibot';
import { readFigures } from '../adapters/figures-store.ts';
import { loadById, newestLoads, REPORTED_LOADS } from '../adapters/load-store.ts';
import { withRecords } from '../adapters/record-database.ts';
import { siteName } from '../adapters/site-shares.ts';
import { newestTrial } from '../adapters/trial-store.ts';
import { assertNever, PlumbfoxError } from '../core/errors.ts';
import { type FieldLink, linksOfLoads } from '../core/field/field-links.ts';
import { fieldExport } from '../core/field/field-report.ts';
import { firstBytes } from '../core/field/first-bytes.ts';
import { loadSummary } from '../core/field/load-summary.ts';
import { loadsCsv } from '../core/field/loads-csv.ts';
import { trialLog } from '../core/field/trial-log.ts';
import { writeHar } from '../core/har/write-har.ts';
import { BASELINE_ID } from '../core/profiles/profile.ts';
import { mergeReports } from '../core/report/merge/merge-reports.ts';
import { type Report, reportText } from '../core/report/report.ts';
import { reportSummary } from '../core/report/shown-report.ts';
import type { MarkedPageLoad } from '../core/trial/trial-mark.ts';
import { type DataReply, type DataRequest, dataRequestSchema, type OwnReportRequest } from '../protocol/data-request.ts';
import { parseReport } from '../protocol/parse-report.ts';

/** A worker's global posts and receives as a window's does, which is the one that the compiler knows. */
const post = (reply: DataReply): void => globalThis.postMessage(reply);

globalThis.onmessage = async ({ data }: MessageEvent<unknown>) => {
  try {
    post(await replyTo(v.parse(dataRequestSchema, data)));
  } catch (error) {
    post({ kind: 'failed', message: error instanceof Error ? error.message : String(error) });
  }
};

/** A HAR of more is hard to look at: 50 requests of 1 kB each make 5 MB. */
const MAX_HAR_LOADS = 100;

async function replyTo(request: DataRequest): Promise<DataReply> {
  switch (request.kind) {
    case 'sites':
      return { kind: 'sites', sites: await sites() };
    case 'report':
      return report(request);
    case 'csv':
      return csv(request);
    case 'har': {
      const loads = await harLoads(request);
      const har = writeHar(loads, { plumbfox: request.plumbfox, firefox: request.firefox });
      return { kind: 'file', text: `${JSON.stringify(har, null, 1)}\n`, loads: loads.length };
    }
    case 'first-bytes':
      return firstBytesOf(request);
    case 'read-report':
      return { kind: 'shown', report: shownReport(await readReport(request)) };
    case 'trial-log': {
      const trial = await newestTrial();
      if (trial === undefined) return { kind: 'trial-log' };
      const { figures } = await readFigures();
      return { kind: 'trial-log', log: trialLog(trial.plan, trial.progress, figures) as SentLog };
    }
    default:
      return assertNever(request);
  }
}

/** The log and the answer in the types that the page parses, whose lists are mutable. */
type SentLog = NonNullable<Extract<DataReply, { kind: 'trial-log' }>['log']>;
type SentAnswer = NonNullable<Extract<DataReply, { kind: 'shown' }>['report']['answer']>;

async function harLoads({ site, id }: Extract<DataRequest, { kind: 'har' }>): Promise<readonly MarkedPageLoad[]> {
  if (id === undefined) return newestLoads(MAX_HAR_LOADS, ofSite(site));
  const load = await loadById(id);
  return load === undefined ? [] : [load];
}

const ofSite =
  (site: string | undefined) =>
  ({ url }: { readonly url: string }): boolean =>
    site === undefined || siteName(url) === site;

const sites = async () => sitesOf(await withRecords(async (db) => (await db.getAll('loads')).map(({ url }) => url)));

function sitesOf(urls: readonly string[]): { site: string; loads: number }[] {
  const counts = new Map<string, number>();
  for (const url of urls) {
    const site = siteName(url);
    if (site !== '') counts.set(site, (counts.get(site) ?? 0) + 1);
  }
  return [...counts].map(([site, loads]) => ({ site, loads })).sort((a, b) => b.loads - a.loads || (a.site < b.site ? -1 : 1));
}

/** Rests on the newest loads that have their requests. */
async function firstBytesOf({ names, site, network }: Extract<DataRequest, { kind: 'first-bytes' }>): Promise<DataReply> {
  const [loads, { figures }] = await Promise.all([newestLoads(REPORTED_LOADS), readFigures()]);
  const { linkOf } = linksOfLoads(loads, { figures, names });
  const counts = new Map<FieldLink, number>();
  for (const load of loads) {
    const link = linkOf(load);
    if (link !== undefined) counts.set(link, (counts.get(link) ?? 0) + 1);
  }
  const wanted = loads.filter((load) => ofSite(site)(load) && (network === undefined || linkOf(load)?.id === network));
  return {
    kind: 'first-bytes',
    answer: firstBytes(wanted),
    sites: sitesOf(loads.map(({ url }) => url)),
    networks: [...counts].map(([link, own]) => ({ link, loads: own })).sort((a, b) => b.loads - a.loads),
  };
}

async function report(request: Extract<DataRequest, { kind: 'report' }>): Promise<DataReply> {
  const made = await ownReport(request);
  return { kind: 'file', text: reportText(made), loads: made.loads.length };
}

async function ownReport({ names, provenance, createdAt, answer }: OwnReportRequest & { readonly answer?: SentAnswer }): Promise<Report> {
  const [loads, { figures, loads: total }] = await Promise.all([newestLoads(REPORTED_LOADS), readFigures()]);
  const ordered = loads.toSorted((a, b) => a.startedAt - b.startedAt);
  return fieldExport({ loads: ordered, figures, names, total, provenance, createdAt, answer });
}

async function csv({ names, site }: Extract<DataRequest, { kind: 'csv' }>): Promise<DataReply> {
  const [{ figures }, loads] = await Promise.all([readFigures(), newestLoads(Number.POSITIVE_INFINITY, ofSite(site))]);
  const addresses = new Map(loads.map((load) => [loadSummary(load).page, load.url]));
  const text = loadsCsv({ figures, names, addresses, onlyAddressed: site !== undefined });
  return { kind: 'file', text, loads: text.split('\r\n').length - 2 };
}

/** What messages call the two that are joined. */
const JOINED = ['your records', 'the file'];

/** @throws PlumbfoxError `bad-input`, one line: it is no report, or cannot be joined with the loads of this Firefox. */
async function readReport({ text, own }: Extract<DataRequest, { kind: 'read-report' }>): Promise<Report> {
  const read = parsedReport(text);
  if (own === undefined) return read;
  const ours = await ownReport(own);
  if (ours.loads.length === 0) throw new PlumbfoxError('bad-input', 'There are no loads of this Firefox yet to compare it with');
  // The networks of two people are hardly ever the same: each is kept apart.
  return mergeReports([ours, read], { names: JOINED, baseline: BASELINE_ID, mixedLinks: true });
}

function parsedReport(text: string): Report {
  let json: unknown;
  try {
    json = JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (error) {
    throw new PlumbfoxError('bad-input', 'The file is not JSON, so it is no report of Plumbfox', { cause: error });
  }
  return parseReport(json);
}

function shownReport(report: Report) {
  const { lines, answer, facts, groups, notes } = reportSummary(report);
  return {
    lines: [...lines],
    ...(answer && { answer: answer as SentAnswer }),
    facts: [...facts],
    groups: groups.map(({ heading, rows }) => ({ ...(heading && { heading }), rows: [...rows] })),
    notes: [...notes],
  };
}
