/** The corpus in test/corpus: whole, and of the pages and links as they are now. */
import { readFileSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { carrierFor } from '../../../../src/core/profiles/carrier.ts';
import { resolveProfiles } from '../../../../src/core/profiles/resolve-profiles.ts';
import { linkVerdict } from '../../../../src/lab/link/link-check.ts';
import { requestCount } from '../../../../src/lab/pages/page-recipe.ts';
import { findPage } from '../../../../src/lab/pages/pages.ts';
import { recipeGraph } from '../../../../src/lab/pages/recipe-graph.ts';
import { CORPUS_LINKS, CORPUS_PROFILES, CORPUS_SCENARIOS } from '../../../accuracy/corpus/capture-plan.ts';
import { readLoadsFile, readTimelinesFile } from '../../../accuracy/corpus/corpus-files.ts';

const pathOf = (name: string): string => fileURLToPath(new URL(`../../../corpus/${name}`, import.meta.url));
const textOf = (name: string): string => readFileSync(pathOf(name), 'utf8');
const corpus = readLoadsFile(textOf('loads.json'));
const timelines = readTimelinesFile(textOf('timelines.json'));

/** A proxy takes `Keep-Alive: timeout=120` and its line end away, so that Firefox counts so much less. */
const TAKEN_BY_GATEWAY = 25;
/** Three of the first 357 loads had one or two bytes less than the others like them, all of the front page through the gateway. */
const MISCOUNTED = 2;
const viaGateway = (name: string): boolean =>
  resolveProfiles([name]).some((profile) => carrierFor(profile, { gateway: true }) === 'gateway');

describe('the corpus that is committed', () => {
  test('has at least two loads of every profile in every scenario, and one timeline', () => {
    const cells = CORPUS_SCENARIOS.flatMap((scenario) => CORPUS_PROFILES.map((profile) => ({ ...scenario, profile })));
    const of = <T extends { page: string; link: string; profile: string }>(all: readonly T[], cell: (typeof cells)[number]) =>
      all.filter(({ page, link, profile }) => page === cell.page && link === cell.link && profile === cell.profile);
    expect(cells.filter((cell) => of(corpus.loads, cell).length < 2)).toEqual([]);
    expect(cells.filter((cell) => of(timelines, cell).length !== 1)).toEqual([]);
  });

  test('was captured over the links as they are described now, which were what was asked', () => {
    expect(corpus.links.map(({ measured: _measured, ...link }) => link)).toEqual(CORPUS_LINKS);
    for (const { measured, ...link } of corpus.links) {
      expect(measured.length).toBeGreaterThan(0);
      for (const each of measured) expect(linkVerdict(link, each)).toEqual({ ok: true });
    }
  });

  test('has the bytes of the pages as they are described now, but for a byte that Firefox now and then counts less', () => {
    const bytesOf = (page: string) => recipeGraph(findPage(page)).requests.reduce((sum, { bytes }) => sum + bytes, 0);
    const expected = new Map(CORPUS_SCENARIOS.map(({ page }) => [page, bytesOf(page)]));
    const off = corpus.loads.filter(({ page, profile, bytes }) => {
      const taken = viaGateway(profile) ? TAKEN_BY_GATEWAY * requestCount(findPage(page)) : 0;
      return Math.abs(bytes - ((expected.get(page) ?? 0) - taken)) > MISCOUNTED;
    });
    expect(off).toEqual([]);
  });

  test('has the times of every request, none of which ends before it begins or after the load', () => {
    for (const { page, link, profile, repeat, requests } of timelines) {
      expect(requests).toHaveLength(requestCount(findPage(page)));
      const load = corpus.loads.find(
        (each) => each.page === page && each.link === link && each.profile === profile && each.repeat === repeat,
      );
      const last = Math.max(...requests.map((times) => times.at(-1) ?? 0));
      expect(Math.abs(last - (load?.loadTimeMs ?? 0))).toBeLessThan(0.2);
      for (const times of requests) {
        const known = times.filter((time) => time !== null);
        expect(known).toEqual(known.toSorted((a, b) => a - b));
      }
    }
  });

  test('is small: below 300 kB and 1 MB', () => {
    expect(statSync(pathOf('loads.json')).size).toBeLessThan(300_000);
    expect(statSync(pathOf('timelines.json')).size).toBeLessThan(1_000_000);
  });
});
