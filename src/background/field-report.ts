/** The report of everyday loads: what the popup compares and what it exports. */
import { browser } from '../adapters/browser.ts';
import { newestLoads } from '../adapters/load-store.ts';
import { estimateLink } from '../core/measure/estimate-link.ts';
import type { Link } from '../core/measure/link.ts';
import type { PageLoad } from '../core/measure/page-load.ts';
import { BASELINE_ID } from '../core/profiles/presets.ts';
import { buildReport } from '../core/report/build-report.ts';
import type { Report } from '../core/report/report.ts';
import type { BrowserFacts } from '../protocol/messages.ts';
import { FIELD_LINK, fieldLoads } from './field-loads.ts';
import { fieldProfiles } from './field-profiles.ts';

/** Loads that are compared, newest first: about 20 MB of records, measured in well under a second. Our own choice. */
const COMPARED_LOADS = 1_000;

export interface Field {
  readonly loads: readonly PageLoad[];
  readonly link: Link | undefined;
}

export async function readField(): Promise<Field> {
  const loads = await newestLoads(COMPARED_LOADS);
  return { loads, link: estimateLink(loads) };
}

export interface FieldReportFacts {
  readonly field: Field;
  /** Loads recorded in all. */
  readonly total: number;
  readonly facts: BrowserFacts;
  /** Wall clock, ms since the epoch. */
  readonly createdAt: number;
}

/** No URL and no host is in it. */
export function fieldReport({ field, total, facts, createdAt }: FieldReportFacts): Report {
  const { loads, link } = field;
  const measured = fieldLoads(loads, link);
  const applier = loads.findLast((load) => load.applied)?.applied?.applier;
  return buildReport({
    createdAt: new Date(createdAt).toISOString(),
    provenance: {
      plumbfox: browser.runtime.getManifest().version,
      firefox: { version: facts.version, buildId: facts.buildId },
      os: `${facts.os} ${facts.architecture}`,
      ...(applier && { applier }),
      // Nothing is drawn at random in everyday loads.
      seed: 0,
      notes: [
        'Everyday loads on the real network: the profiles did not take turns at random, and the figures of the link are estimated.',
        ...(total > loads.length ? [`The newest ${loads.length} of ${total} loads.`] : []),
      ],
    },
    links: [
      {
        name: FIELD_LINK,
        kind: 'real',
        basis: 'estimated',
        ...(link && { measured: { rttMs: link.rttMs, downKbps: link.downKbps } }),
      },
    ],
    pages: [...new Set(measured.map((load) => load.page))].map((name) => ({ name })),
    profiles: fieldProfiles(loads),
    loads: measured,
    baseline: BASELINE_ID,
  });
}
