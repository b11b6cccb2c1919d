/**
 * Steps that lift a stored report from one version to the next, and the check of its version.
 * To raise REPORT_VERSION to n + 1: add the step for n below, keep a report of version n as a test fixture, and say in the
 * version history of `core/report/report.ts` what changed.
 */
import { PlumbfoxError } from '../core/errors.ts';
import { REPORT_FORMAT, REPORT_VERSION } from '../core/report/report.ts';
import { comparedAgain } from './compared-again.ts';
import { remeasured } from './remeasured.ts';

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
