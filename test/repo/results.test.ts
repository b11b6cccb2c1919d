/** What is said about the published runs, against their reports. */
import { existsSync, readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { STUDIES } from '../../src/lab/studies/all-studies.ts';
import { parseReport } from '../../src/protocol/report-schema.ts';

const MS_PER_MINUTE = 60_000;

const published = (id: string): string => `docs/results/${id}/report.json.gz`;

describe.each(STUDIES)('$id', ({ id, tookMinutes }) => {
  it.runIf(existsSync(published(id)))('took as long as its published report covers, to the minute', () => {
    const { createdAt, loads } = parseReport(JSON.parse(gunzipSync(readFileSync(published(id))).toString()));
    const last = Math.max(...loads.map(({ startedAt }) => startedAt));
    // The last load may take a while itself.
    const minutes = (last - Date.parse(createdAt)) / MS_PER_MINUTE;
    expect(tookMinutes).toBeGreaterThanOrEqual(Math.round(minutes));
    expect(tookMinutes).toBeLessThanOrEqual(Math.ceil(minutes) + 1);
  });

  it('is published where it says how long it took', () => {
    expect(existsSync(published(id))).toBe(tookMinutes !== undefined);
  });
});
