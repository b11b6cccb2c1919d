/**
 * Turns a report into what Mozilla's Perfherder takes (`PERFHERDER_DATA` in a job's log): schemas/performance-artifact.json of mozilla/treeherder. A suite
 * is a page over a link under one profile, which stands among its options; so the profiles of one run can be compared with each other.
 */
import { addressKey } from '../field/address-key.ts';
import { groupBy } from '../group-by.ts';
import type { LoadMeasures } from '../measure/load-measures.ts';
import { printableJson } from '../text/text-table.ts';
import type { MeasuredLoad, Report } from './report.ts';

interface PerfherderSubtest {
  readonly name: string;
  /** Geometric mean of the replicates, as everywhere in a report. */
  readonly value: number;
  readonly unit: string;
  readonly lowerIsBetter: boolean;
  readonly replicates: readonly number[];
}

interface PerfherderSuite {
  readonly name: string;
  readonly extraOptions: readonly string[];
  readonly value: number;
  readonly unit: 'ms';
  readonly lowerIsBetter: true;
  readonly subtests: readonly PerfherderSubtest[];
}

export interface Perfherder {
  readonly framework: { readonly name: 'mozperftest' };
  readonly application: { readonly name: 'firefox'; readonly version?: string };
  readonly os?: { readonly name: string };
  readonly suites: readonly PerfherderSuite[];
}

/** The schema's bounds: characters of a version, and of an option or a system's name. */
const MAX_VERSION = 40;
const MAX_TEXT = 100;
/** The largest value, in its unit. */
const MAX_VALUE = 1e12;

interface Figure {
  readonly name: string;
  readonly unit: string;
  readonly lowerIsBetter: boolean;
  readonly of: (measures: LoadMeasures) => number | undefined;
}

const LOAD_TIME: Figure = { name: 'loadtime', unit: 'ms', lowerIsBetter: true, of: ({ loadTimeMs }) => loadTimeMs };
const FIGURES: readonly Figure[] = [
  LOAD_TIME,
  { name: 'fcp', unit: 'ms', lowerIsBetter: true, of: ({ firstContentfulPaintMs }) => firstContentfulPaintMs },
  { name: 'largestContentfulPaint', unit: 'ms', lowerIsBetter: true, of: ({ largestContentfulPaintMs }) => largestContentfulPaintMs },
  { name: 'efficiency', unit: 'ratio', lowerIsBetter: false, of: ({ efficiency }) => efficiency },
];

/** Only valid loads that were seen to their end are in it; a suite without one is left out. */
export function perfherder({ loads, provenance: { firefox, os } }: Report): Perfherder {
  const name = os.slice(0, MAX_TEXT);
  return {
    framework: { name: 'mozperftest' },
    application: { name: 'firefox', ...(firefox && { version: firefox.version.slice(0, MAX_VERSION) }) },
    ...(name !== '' && { os: { name } }),
    suites: [...groupBy(loads, ({ page, link, profileId }) => JSON.stringify([page, link, profileId])).values()].flatMap(suiteOf),
  };
}

/** The line of a log by which Perfherder finds it. */
export const perfherderLine = (report: Report): string => `PERFHERDER_DATA: ${printableJson(JSON.stringify(perfherder(report)))}\n`;

function suiteOf(loads: readonly MeasuredLoad[]): readonly PerfherderSuite[] {
  const [first] = loads;
  const measured = loads.flatMap(({ validity, measures }) =>
    validity.state === 'valid' && measures !== undefined && measures.cutShort === undefined ? [measures] : [],
  );
  const subtests = FIGURES.flatMap((figure) => subtestOf(figure, measured));
  const total = subtests.find(({ name }) => name === LOAD_TIME.name);
  if (first === undefined || total === undefined) return [];
  return [
    {
      name: `${first.page} ${first.link}`,
      extraOptions: [optionOf(first.profileId)],
      value: total.value,
      unit: 'ms',
      lowerIsBetter: true,
      subtests,
    },
  ];
}

function subtestOf({ name, unit, lowerIsBetter, of }: Figure, measured: readonly LoadMeasures[]): readonly PerfherderSubtest[] {
  // No time of a load is 0; a logarithm would have no end.
  const replicates = measured.flatMap((measures) => of(measures) ?? []).filter((value) => value > 0 && value <= MAX_VALUE);
  if (replicates.length === 0) return [];
  const value = Math.exp(replicates.reduce((sum, each) => sum + Math.log(each), 0) / replicates.length);
  return [{ name, value, unit, lowerIsBetter, replicates }];
}

/** A long expression keeps its beginning and a number of its own. */
const optionOf = (profileId: string): string =>
  profileId.length <= MAX_TEXT ? profileId : `${profileId.slice(0, MAX_TEXT - 13)}~${addressKey(profileId).toString(36)}`;
