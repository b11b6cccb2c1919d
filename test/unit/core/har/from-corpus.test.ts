/**
 * Loads of a real Firefox as the extension would have recorded them, made into pages and held against other real loads of the same page:
 * under other profiles, and over other links.
 */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { pageFromLoad } from '../../../../src/core/graph/page-from-load.ts';
import type { ContentClass, PageRequest } from '../../../../src/core/graph/page-graph.ts';
import type { PageLoad, RequestRecord, RequestType } from '../../../../src/core/measure/page-load.ts';
import { predict } from '../../../../src/core/predict/predict.ts';
import { bytes, milliseconds } from '../../../../src/core/units.ts';
import { findPage } from '../../../../src/lab/pages/pages.ts';
import { readTimelinesFile } from '../../../accuracy/corpus/corpus-files.ts';
import { TIMELINE_FIELDS, type TimelineRow } from '../../../accuracy/corpus/corpus-load.ts';
import { measuredMs } from '../../../accuracy/harness/measured-scenario.ts';
import { readCorpus } from '../../../accuracy/harness/read-corpus.ts';

const FOLDER = new URL('../../../corpus', import.meta.url).pathname;
const BASELINE = 'firefox-default';

const TYPES: Partial<Record<ContentClass, RequestType>> = {
  document: 'main_frame',
  stylesheet: 'stylesheet',
  script: 'script',
  font: 'font',
  fetch: 'xmlhttprequest',
};

function recordOf(request: PageRequest, row: TimelineRow, fromStylesheet: boolean): RequestRecord {
  const times = Object.fromEntries(
    TIMELINE_FIELDS.flatMap((field, at) => (typeof row[at] === 'number' ? [[field, milliseconds(row[at])]] : [])),
  );
  return {
    url: `http://${request.origin}/${request.id}`,
    origin: `http://${request.origin}`,
    type: TYPES[request.class ?? 'image'] ?? 'image',
    ...(fromStylesheet && { initiatorType: 'css' }),
    renderBlocking: request.blocking === true,
    timing: times as unknown as NonNullable<RequestRecord['timing']>,
    wire: {
      responseBytes: bytes(request.bytes),
      requestBytes: bytes(request.requestBytes ?? 0),
      fromCache: false,
      httpVersion: 'http/1.1',
    },
    outcome: { state: 'completed' },
  };
}

function loadOf(page: string, requests: readonly PageRequest[], rows: readonly TimelineRow[]): PageLoad {
  const ofSheets = new Set(
    findPage(page).resources.flatMap(({ name, from }) => (typeof from === 'object' && 'stylesheet' in from ? [name] : [])),
  );
  const [document, ...others] = requests.map((request, index) => recordOf(request, rows[index] ?? [], ofSheets.has(request.id)));
  const ends = rows.map((row) => row[TIMELINE_FIELDS.indexOf('responseEnd')] ?? 0);
  return {
    format: 1,
    id: page,
    url: '',
    startedAt: milliseconds(0),
    observation: { ended: 'quiet', quietMs: milliseconds(2000) },
    loadEventEnd: milliseconds(Math.max(...ends)),
    requests: [...(document ? [document] : []), ...others.sort((a, b) => (a.timing?.fetchStart ?? 0) - (b.timing?.fetchStart ?? 0))],
  };
}

const { scenarios } = readCorpus(FOLDER);
const timelines = readTimelinesFile(readFileSync(`${FOLDER}/timelines.json`, 'utf8'));
const recorded = timelines.flatMap(({ page, link, profile, requests }) => {
  const scenario = scenarios.find((each) => each.page === page && each.link === link);
  return profile === BASELINE && scenario !== undefined
    ? [{ page, link, graph: pageFromLoad(loadOf(page, scenario.graph.requests, requests)).page }]
    : [];
});

/** Absolute errors of load times, from the smallest. */
function errorsOver(over: 'the same link' | 'other links'): readonly number[] {
  const errors = recorded.flatMap(({ page, link, graph }) =>
    scenarios
      .filter((scenario) => scenario.page === page && (scenario.link === link) === (over === 'the same link'))
      .flatMap(({ simulated, profiles }) => {
        const predicted = predict({
          page: graph,
          link: simulated,
          profiles: profiles.map(({ profileId }) => profileId),
          model: { gatewayVisit: 'known-site' },
        });
        return profiles.map((profile, index) => Math.abs((predicted[index]?.loadTimeMs ?? 0) / measuredMs(profile) - 1));
      }),
  );
  return errors.sort((a, b) => a - b);
}

const at = (errors: readonly number[], share: number): number => errors[Math.floor(share * (errors.length - 1))] ?? Number.NaN;

describe('a page from a recorded load of a real Firefox', () => {
  it('loads as measured under every profile over its own link', () => {
    const errors = errorsOver('the same link');
    expect(errors.length).toBeGreaterThan(100);
    // Found: 0.039 and 0.17; the recipes themselves, whose graphs are exact, 0.035 and 0.15.
    expect(at(errors, 0.5)).toBeLessThan(0.08);
    expect(at(errors, 0.9)).toBeLessThan(0.28);
  });

  it('loads as measured over other links', () => {
    const errors = errorsOver('other links');
    expect(errors.length).toBeGreaterThan(200);
    // Found: 0.043 and 0.18. Worst from 240 kbit/s to 20 Mbit/s: what a slow link hides of servers' delays no rule finds again.
    expect(at(errors, 0.5)).toBeLessThan(0.09);
    expect(at(errors, 0.9)).toBeLessThan(0.4);
  });
});
