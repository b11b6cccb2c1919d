/** The report of everyday loads for whoever drives the extension with messages; the popup makes its own in its worker. */

import type { NetworkPreferences } from '../adapters/applier-experiment-api.ts';
import { browser } from '../adapters/browser.ts';
import { readLastFieldPrediction, readLinkNames } from '../adapters/field-storage.ts';
import { REPORTED_LOADS } from '../adapters/load-store.ts';
import { fieldExport } from '../core/field/field-report.ts';
import { isMeasurable } from '../core/measure/measure-load.ts';
import type { Report } from '../core/report/report.ts';
import type { BrowserFacts } from '../protocol/messages.ts';
import { heldStanding, keptAnswer, shownAnswer } from '../protocol/prediction-answer.ts';
import type { RecordStores } from './record-stores.ts';
import type { TrialStatus } from './trial-status.ts';

interface FieldReportDeps {
  readonly stores: Pick<RecordStores, 'readFigures' | 'newestLoads'>;
  readonly networkPreferences: () => NetworkPreferences | undefined;
  readonly trialStatus: Pick<TrialStatus, 'trialFacts'>;
}

export type FieldReport = ReturnType<typeof createFieldReport>;

export function createFieldReport({
  stores: { readFigures, newestLoads },
  networkPreferences,
  trialStatus: { trialFacts },
}: FieldReportDeps) {
  /** `createdAt`: wall clock, ms since the epoch. */
  async function reportField(facts: BrowserFacts, createdAt: number): Promise<Report> {
    const [loads, { figures, loads: total }, names] = await Promise.all([newestLoads(REPORTED_LOADS), readFigures(), readLinkNames()]);
    // Predictions are the popup's: its last one is what it shows.
    const [trial, held] = await Promise.all([trialFacts(createdAt), readLastFieldPrediction()]);
    const ordered = loads.toSorted((a, b) => a.startedAt - b.startedAt);
    const newestAt = ordered.findLast(isMeasurable)?.startedAt;
    return fieldExport({
      loads: ordered,
      figures,
      names,
      total,
      provenance: {
        plumbfox: browser.runtime.getManifest().version,
        firefox: { version: facts.version, buildId: facts.buildId },
        os: `${facts.os} ${facts.architecture}`,
      },
      createdAt: new Date(createdAt).toISOString(),
      answer: keptAnswer(shownAnswer({ loads: total, trial }, heldStanding(held, { loads: total, newestAt }))),
    });
  }

  /** Facts about this Firefox, from the Experiment API or else as far as every extension may know them. */
  async function browserFacts(): Promise<BrowserFacts> {
    const preferences = networkPreferences();
    if (preferences) return { ...(await preferences.browserFacts()), experimentApi: true };
    const [info, platform] = await Promise.all([browser.runtime.getBrowserInfo(), browser.runtime.getPlatformInfo()]);
    return {
      name: info.name,
      version: info.version,
      buildId: info.buildID,
      os: platform.os,
      architecture: platform.arch,
      experimentApi: false,
      policies: 'unknown',
    };
  }

  return { reportField, browserFacts };
}
