/**
 * Reads a report from a file or another program: steps that lift it from one version to the next, and the check against its schema.
 * To raise REPORT_VERSION to n + 1: add the step for n below, keep a report of version n as a test fixture, and say in the
 * version history of `core/report/report.ts` what changed.
 */
import * as v from 'valibot';
import { compareProfiles } from '../core/compare/compare-profiles.ts';
import type { Comparison } from '../core/compare/comparison.ts';
import { PlumbfoxError } from '../core/errors.ts';
import { efficiency, idealTime } from '../core/measure/efficiency.ts';
import { MAX_LOAD_MS } from '../core/measure/load-window.ts';
import { comparableReport } from '../core/report/comparable-loads.ts';
import {
  type MeasuredLoad,
  measuredLoadSchema,
  REPORT_FORMAT,
  REPORT_VERSION,
  type Report,
  type ReportLink,
  reportLinkSchema,
  reportPageSchema,
  reportProfileSchema,
  reportSchema,
} from '../core/report/report.ts';
import { REQUEST_TIMED_OUT } from '../core/report/validity.ts';
import { kilobitsPerSecond, milliseconds } from '../core/units.ts';

/**
 * A report read from a file or received: upgraded to the present version, then checked field by field.
 * @throws PlumbfoxError bad-input with one line: not a report, newer than this Plumbfox reads, or the first field that is wrong.
 */
export function parseReport(json: unknown): Report {
  const result = v.safeParse(reportSchema, upgradeReport(json), { abortEarly: true });
  if (result.success) return result.output;
  throw damagedReport(result.issues);
}

/** The message quotes what it found, which may be long. */
const MAX_CHARACTERS = 200;

/** Refuses a report in one line that names the first field that is wrong. */
export function damagedReport(issues: readonly [v.BaseIssue<unknown>, ...v.BaseIssue<unknown>[]]): PlumbfoxError {
  const [issue] = issues;
  const where = v.getDotPath(issue) ?? 'the whole';
  return new PlumbfoxError(
    'bad-input',
    `The report is damaged at ${where}: ${issue.message.replace(/\s+/g, ' ').slice(0, MAX_CHARACTERS)}`,
  );
}

/** A report of some version: its fields are unknown until the schema has seen them. */
export type UnparsedReport = Readonly<Record<string, unknown>>;
/** From version n (the key) to n + 1; the result's `version` is set by `upgradeReport`. */
export type ReportUpgrades = Readonly<Record<number, (old: UnparsedReport) => UnparsedReport>>;

const REPORT_UPGRADES: ReportUpgrades = {
  1: (old) => ({ ...old, comparison: comparedAgain(old) }),
  2: (old) => {
    const measured = { ...old, metricVersion: 2, loads: remeasured(old) };
    return { ...measured, comparison: comparedAgain(measured) };
  },
  3: (old) => ({ ...old, comparison: comparedAgain(old) }),
};

/**
 * The same report in the version this Plumbfox reads.
 * @throws PlumbfoxError bad-input when it is not a Plumbfox report, is newer, or has no version we know.
 */
export function upgradeReport(
  json: unknown,
  { current, upgrades }: { readonly current: number; readonly upgrades: ReportUpgrades } = {
    current: REPORT_VERSION,
    upgrades: REPORT_UPGRADES,
  },
): UnparsedReport {
  let report = asReport(json);
  const found = report.version;
  if (typeof found !== 'number' || !Number.isInteger(found) || found < 1) {
    throw new PlumbfoxError('bad-input', 'The report has no version number: it is damaged or was not written by Plumbfox');
  }
  if (found > current) {
    throw new PlumbfoxError('bad-input', `The report is version ${found}, this Plumbfox reads up to ${current}: update Plumbfox`);
  }
  for (let version = found; version < current; version++) {
    const step = upgrades[version];
    if (step === undefined) throw new PlumbfoxError('internal', `There is no step from report version ${version} to ${version + 1}`);
    report = { ...step(report), version: version + 1 };
  }
  return report;
}

function asReport(json: unknown): UnparsedReport {
  const isObject = typeof json === 'object' && json !== null && !Array.isArray(json);
  if (!isObject || !('format' in json) || json.format !== REPORT_FORMAT) {
    throw new PlumbfoxError('bad-input', `This is not a Plumbfox report: its "format" is not "${REPORT_FORMAT}"`);
  }
  return { ...json };
}

/** The loads of a report with measures of version 1, measured again from what is stored of them. */
const measuredParts = v.object({ links: v.array(reportLinkSchema), loads: v.array(measuredLoadSchema) });

/**
 * The change of version 2 follows from the load time and the bytes, which are stored, and the figures of the link. A load whose link
 * has none has no ideal and no efficiency any more.
 *
 * @throws PlumbfoxError bad-input when the report's links or loads are damaged, or no load can have been so.
 */
export function remeasured(report: unknown): readonly MeasuredLoad[] {
  const result = v.safeParse(measuredParts, report, { abortEarly: true });
  if (!result.success) throw damagedReport(result.issues);
  const { links, loads } = result.output;
  const byName = new Map(links.map((link) => [link.name, link]));
  return loads.map((load, at) => {
    try {
      return withBound(measuredAgain(load, byName.get(load.link)));
    } catch (error) {
      // Finite one by one, as the schema wants them, figures may be none together: a rate below 0, or a quotient without bound.
      if (!(error instanceof RangeError)) throw error;
      throw new PlumbfoxError('bad-input', `The report is damaged at loads.${at}: ${error.message}`, { cause: error });
    }
  });
}

function measuredAgain(load: MeasuredLoad, link: ReportLink | undefined): MeasuredLoad {
  if (load.measures === undefined) return load;
  const { idealTimeMs: _, efficiency: __, ...rest } = load.measures;
  const { loadTimeMs, bytes, cutShort } = rest;
  // Before, a load that ran out of time was said to last until its last response.
  if (cutShort === 'time-limit') return { ...load, measures: { ...rest, loadTimeMs: MAX_LOAD_MS } };
  if (cutShort !== undefined) return { ...load, measures: rest };
  const ideal = idealTime({ bytes, link: link && measuresLink(link) });
  const share = efficiency({ idealTime: ideal, loadTime: loadTimeMs });
  return {
    ...load,
    measures: { ...rest, ...(ideal !== undefined && { idealTimeMs: ideal }), ...(share !== undefined && { efficiency: share }) },
  };
}

/** How the reason began of a load that was still loading when recording ended, in every version that named it. */
const TIME_LIMIT_REASONS = [
  'the page takes longer than the ',
  'the page was not finished within the time ',
  'the page was not finished when the time was up',
];

/**
 * Before version 3 a report held no causes. A load that ran out of time has its bound. One in which a request timed out has none: its stored
 * load time ends with the last response, and nothing says how much later the request failed.
 */
function withBound(load: MeasuredLoad): MeasuredLoad {
  const { validity } = load;
  if (validity.state !== 'void' || validity.cause !== undefined) return load;
  if (TIME_LIMIT_REASONS.some((reason) => validity.reason.startsWith(reason)))
    return { ...load, validity: { ...validity, cause: 'time-limit', atLeastMs: MAX_LOAD_MS } };
  if (!validity.reason.startsWith(`a request failed: ${REQUEST_TIMED_OUT}`)) return load;
  return { ...load, validity: { ...validity, cause: 'request-failed' } };
}

/** The figures that loads over this link are measured with: those requested, and on the real network those estimated. */
function measuresLink({ asked, measured }: ReportLink) {
  const figures = asked ?? measured;
  return figures && { rttMs: milliseconds(figures.rttMs), downKbps: kilobitsPerSecond(figures.downKbps) };
}

/** The comparison of a report whose own is of an older form: computed again from its loads, as it was when the report was written. */
const comparedParts = v.object({
  pages: v.array(reportPageSchema),
  profiles: v.array(reportProfileSchema),
  loads: v.array(measuredLoadSchema),
  provenance: v.object({ turns: v.exactOptional(v.literal('as-they-came')), plannedBlocks: v.exactOptional(v.number()) }),
});

/** @throws PlumbfoxError bad-input when the report's profiles or loads are damaged. */
export function comparedAgain(report: unknown): Comparison {
  const result = v.safeParse(comparedParts, report, { abortEarly: true });
  if (!result.success) throw damagedReport(result.issues);
  const { pages, profiles, loads, provenance } = result.output;
  const baseline = profiles.find(({ role }) => role === 'baseline')?.id;
  if (baseline === undefined) throw new PlumbfoxError('bad-input', 'The report is damaged at profiles: none of them is the baseline');
  const { turns, plannedBlocks } = provenance;
  return compareProfiles(comparableReport({ loads, pages }), { baseline, profiles, turns, plannedBlocks });
}
