/** The report of everyday loads for whoever drives the extension by messages; the popup makes its own in its worker. */
import { browser } from '../adapters/browser.ts';
import { readFigures } from '../adapters/figures-store.ts';
import { readLinkNames } from '../adapters/link-names.ts';
import { newestLoads, REPORTED_LOADS } from '../adapters/load-store.ts';
import { fieldReport } from '../core/field/field-report.ts';
import type { Report } from '../core/report/report.ts';
import type { BrowserFacts } from '../protocol/messages.ts';

/** `createdAt`: wall clock, ms since the epoch. */
export async function reportField(facts: BrowserFacts, createdAt: number): Promise<Report> {
  const [loads, { figures, loads: total }, names] = await Promise.all([newestLoads(REPORTED_LOADS), readFigures(), readLinkNames()]);
  return fieldReport({
    loads: loads.toSorted((a, b) => a.startedAt - b.startedAt),
    figures,
    names,
    total,
    provenance: {
      plumbfox: browser.runtime.getManifest().version,
      firefox: { version: facts.version, buildId: facts.buildId },
      os: `${facts.os} ${facts.architecture}`,
    },
    createdAt: new Date(createdAt).toISOString(),
  });
}
