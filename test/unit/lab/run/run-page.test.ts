import * as v from 'valibot';
import { expect, test } from 'vitest';
import { predict } from '../../../../src/core/predict/predict.ts';
import { PAGES } from '../../../../src/lab/pages/pages.ts';
import { addressPage, recipePage } from '../../../../src/lab/run/run-page.ts';
import { pageSchema } from '../../../../src/protocol/report-parts-schema.ts';

test.each(PAGES)('$name goes into the report with what is on it, as it can be read and predicted again', (recipe) => {
  const { report } = recipePage(recipe, () => 'http://10.0.0.1/');
  const page = v.parse(pageSchema, JSON.parse(JSON.stringify(report)));
  expect(page).toEqual(report);
  expect(page.graph?.requests).toHaveLength(report.requests ?? 0);
  const bytes = page.graph?.requests.reduce((sum, request) => sum + request.bytes, 0) ?? 0;
  // Bodies, and headers of less than 400 bytes each.
  expect(bytes).toBeGreaterThan(report.bytes ?? 0);
  expect(bytes).toBeLessThan((report.bytes ?? 0) + 400 * (report.requests ?? 0));
  const [prediction] = page.graph ? predict({ page: page.graph, link: { rttMs: 50, downKbps: 10_000 }, profiles: ['c4-d6'] }) : [];
  expect(prediction?.bytes).toBe(bytes);
});

test('an address goes into the report by its number alone', () => {
  expect(addressPage('http://secret.test/', 2).report).toEqual({ name: 'page-3' });
});
