/** One load of the lab: the record must be of the page that was asked for. */

import * as v from 'valibot';
import { expect, test } from 'vitest';
import type { PageLoad } from '../../../../src/core/measure/page-load.ts';
import { predict } from '../../../../src/core/predict/predict.ts';
import { resolveProfiles } from '../../../../src/core/profiles/resolve-profiles.ts';
import { reportPageSchema } from '../../../../src/core/report/report.ts';
import type { LaneOutcome } from '../../../../src/lab/lane/lane.ts';
import { parseLink } from '../../../../src/lab/link/parse-link.ts';
import { PAGES } from '../../../../src/lab/pages/pages.ts';
import { addressPage, measureOne, recipePage } from '../../../../src/lab/run/measure-one.ts';
import { waterfall } from '../../../fixtures/waterfall.ts';

const [profile] = resolveProfiles(['c2-d1']);

async function measured(recorded: string, link: string | undefined) {
  const [document] = waterfall(`
    load event=300 ended=quiet
    lab.test/  main_frame fetch=0 connect=1-101 send=101 first=201 end=202 bytes=1000`).requests;
  if (!profile || !document) throw new Error('not there');
  const load: PageLoad = {
    ...waterfall(`
    load event=300 ended=quiet
    lab.test/  main_frame fetch=0 connect=1-101 send=101 first=201 end=202 bytes=1000`),
    requests: [{ ...document, url: recorded }],
  };
  const outcome: LaneOutcome = {
    applied: { profileId: 'c2-d1', applier: 'experiment-api', carrier: 'none', intended: {}, readBack: [], mismatches: [] },
    readBack: [],
    load,
    gateway: undefined,
  };
  return measureOne({
    lane: { load: async () => outcome },
    planned: { profileId: 'c2-d1', page: 'wiki', link: link ?? 'real', block: 0, order: 0 },
    profile,
    page: { expected: undefined },
    link: link === undefined ? undefined : parseLink(link),
    url: 'http://198.18.0.2/wiki/1-2/',
    timeoutMs: 1000,
    now: () => 0,
  });
}

test('the record of the page counts', async () => {
  const { measured: load, record } = await measured('http://198.18.0.2/wiki/1-2/', 'dsl-10m');
  expect([load.validity, record === undefined, load.measures === undefined]).toEqual([{ state: 'valid' }, false, false]);
});

test('the record of another load is void, and nothing is measured of it', async () => {
  const { measured: load, record } = await measured('http://198.18.0.2/wiki/1-1/', 'dsl-10m');
  expect(load.validity).toEqual({ state: 'void', cause: 'other-record', reason: 'the record is of another load' });
  expect([record, load.measures]).toEqual([undefined, undefined]);
});

test('on the real network a site may lead elsewhere', async () => {
  expect((await measured('https://www.real.test/', undefined)).measured.validity).toEqual({ state: 'valid' });
});

test.each(PAGES)('$name goes into the report with what is on it, as it can be read and predicted again', (recipe) => {
  const { report } = recipePage(recipe, () => 'http://10.0.0.1/');
  const page = v.parse(reportPageSchema, JSON.parse(JSON.stringify(report)));
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
