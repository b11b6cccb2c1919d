/** What is said about the published runs, against their reports. */
import { existsSync, readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { METRIC_VERSION, REPORT_VERSION } from '../../src/core/report/report.ts';
import { STUDIES } from '../../src/lab/studies/all-studies.ts';
import { parseReport } from '../../src/protocol/report-schema.ts';

const MS_PER_MINUTE = 60_000;

const published = (id: string): string => `docs/results/${id}/report.json.gz`;

const stored = (id: string): { version: number; metricVersion: number } => JSON.parse(gunzipSync(readFileSync(published(id))).toString());

it('pipelining-10x150k does not take for a gain that a proxy hides its connections', () => {
  // With measures of version 1: "Use c6-d4: 33 % more efficient", and "the gateway by itself is 20 % more efficient".
  const { comparison } = parseReport(stored('pipelining-10x150k'));
  expect(comparison.control).toMatchObject({ used: false, ratio: expect.closeTo(1, 1) });
  const { versusBaseline } = comparison.profiles.find(({ id }) => id === 'c6-d4') ?? {};
  expect(versusBaseline?.ratio).toBeLessThan(1.13);
});

describe.each(STUDIES)('$id', ({ id, tookMinutes }) => {
  it.runIf(existsSync(published(id)))('took as long as its published report covers, to the minute', () => {
    const { createdAt, loads } = parseReport(JSON.parse(gunzipSync(readFileSync(published(id))).toString()));
    const last = Math.max(...loads.map(({ startedAt }) => startedAt));
    // The last load may take a while itself.
    const minutes = (last - Date.parse(createdAt)) / MS_PER_MINUTE;
    expect(tookMinutes).toBeGreaterThanOrEqual(Math.round(minutes));
    expect(tookMinutes).toBeLessThanOrEqual(Math.ceil(minutes) + 1);
  });

  it.runIf(existsSync(published(id)))('has its measures as they are defined now (repair: node src/tools/recompute-results.mjs)', () => {
    expect(stored(id)).toMatchObject({ version: REPORT_VERSION, metricVersion: METRIC_VERSION });
  });

  it.runIf(existsSync(published(id)))('was measured with Reno, and says so', () => {
    expect(parseReport(stored(id)).provenance.congestionControl).toBe('reno');
  });

  it('is published where it says how long it took', () => {
    expect(existsSync(published(id))).toBe(tookMinutes !== undefined);
  });
});
