/** The small cut of every study, on a real Firefox: relations, never absolute times; and what is left when a run is killed. */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { bodyBytes } from '../../src/lab/pages/page-recipe.ts';
import { findStudy, STUDIES } from '../../src/lab/studies/all-studies.ts';
import type { Study } from '../../src/lab/studies/study.ts';
import { readStudyLog, standingLoads } from '../../src/lab/study-run/study-log.ts';
import { cellKey, studyPlan } from '../../src/lab/study-run/study-plan.ts';
import { type Ended, eventually, type RunningCommand, startCommand } from '../support/command-run.ts';
import { FULL } from '../support/long-form.ts';

const STUDY_MS = 150_000;

let folder: string;
let run: RunningCommand | undefined;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'plumbfox-lab-'));
});
afterEach(async () => {
  await run?.dispose();
  rmSync(folder, { recursive: true, force: true });
});

const lab = (...args: readonly string[]) => {
  run = startCommand(['lab', 'run', ...args, '--out', join(folder, 'out')]);
  return run;
};
const loadsSoFar = () => (existsSync(join(folder, 'out', 'loads.jsonl')) ? record().loads.length : 0);
const record = () => readStudyLog(join(folder, 'out', 'loads.jsonl'));

interface Document {
  readonly loads: { readonly planned: number; readonly valid: number };
  readonly ranking: readonly { readonly profileId: string; readonly meanEfficiency: number; readonly meanGain: number }[];
  readonly links: readonly { readonly asked: { readonly rttMs: number }; readonly measured: { readonly rttMs: number } }[];
}

const efficiencyOf = ({ ranking }: Document, id: string): number =>
  ranking.find(({ profileId }) => profileId === id)?.meanEfficiency ?? Number.NaN;

type Made = ReturnType<typeof standingLoads>;

/** The fastest load: a busy moment makes one longer, never shorter. */
const fastest = (loads: Made, where: Partial<Pick<Made[number], 'page' | 'link' | 'profileId'>>): number =>
  Math.min(
    ...loads
      .filter((load) => Object.entries(where).every(([key, value]) => load[key as 'page'] === value))
      .flatMap(({ measures }) => measures?.loadTimeMs ?? []),
  );

/** What must hold of a cut, on any machine; in brackets by how much it did in the published run. Of the others only `noneBeyondTheLink`. */
const RELATIONS: Readonly<Record<string, (document: Document, loads: Made) => void>> = {
  'fennec-2008': (document) => expect(efficiencyOf(document, 'c4-d2')).toBeGreaterThan(efficiencyOf(document, 'c1-d2')),
  // One connection of depth 2 against four of depth 6 over 150 ms (2.2 times).
  'fennec-2008-dispatch': (_document, loads) =>
    expect(fastest(loads, { profileId: 'c1-d2' })).toBeGreaterThan(fastest(loads, { profileId: 'c4-d6' })),
  // Two connections against six (1.6 times).
  'modern-defaults': (_document, loads) =>
    expect(fastest(loads, { page: 'h1-docs', profileId: 'c2-d1' })).toBeGreaterThan(
      fastest(loads, { page: 'h1-docs', profileId: 'firefox-default' }),
    ),
  // Six paced connections to each of six servers, against sixteen that are not (1.2 times).
  pacing: (_document, loads) =>
    expect(fastest(loads, { page: 'plain-shop', profileId: 'firefox-default' })).toBeGreaterThan(
      fastest(loads, { page: 'plain-shop', profileId: 'c16-pacing-off' }),
    ),
  // One connection against six cold ones that are shared by 60 requests.
  protocols: (_document, loads) =>
    expect(fastest(loads, { page: 'gallery', profileId: 'no-http2-no-http3' })).toBeGreaterThan(
      fastest(loads, { page: 'gallery', profileId: 'no-http3' }),
    ),
  // 64 kB through a receive buffer of 16 kB (2.7 times).
  'warm-up': (_document, loads) =>
    expect(fastest(loads, { page: 'sequence-64k-cold', link: 'near-20m-rmem16k' })).toBeGreaterThan(
      fastest(loads, { page: 'sequence-64k-cold', link: 'near-20m' }),
    ),
};

/** A round trip and the bodies down the line are the least that any load can take; the link may be 3 % off. */
function noneBeyondTheLink(loads: Made, { pages, links }: ReturnType<typeof studyPlan>): void {
  for (const { page, link, measures } of loads) {
    const recipe = pages.find(({ name }) => name === page)?.recipe;
    const { rttMs = Number.NaN, downKbps = Number.NaN } = links.find(({ name }) => name === link) ?? {};
    const leastMs = 0.97 * (rttMs + ((recipe ? bodyBytes(recipe) : Number.NaN) * 8) / downKbps);
    expect(measures?.loadTimeMs).toBeGreaterThanOrEqual(leastMs);
  }
}

/** A cut to its end: every load once and valid, and in each what was intended, read back and seen. */
function expectWhole(study: Study, { code, stdout, errors }: Ended): void {
  expect([errors, code]).toEqual([[], 0]);
  const document: Document = JSON.parse(stdout);
  const plan = studyPlan(study, { cut: study.cut, seed: 1 });
  expect(document.loads).toEqual({ planned: plan.loads, valid: plan.loads, atBound: 0 });
  const { loads, links } = record();
  const standing = standingLoads({ loads, interference: [] });
  expect(standing.map(cellKey).sort()).toEqual(plan.blocks.flatMap((block) => block.loads.map(cellKey)).sort());
  for (const { intended, readBack, observed, validity } of standing) {
    expect(validity).toEqual({ state: 'valid' });
    expect(observed?.requests).toBeGreaterThan(0);
    const read = Object.fromEntries(readBack.map(({ preference, value }) => [preference, value]));
    expect(read).toMatchObject(intended.preferences);
  }
  expect(links.filter(({ ok }) => !ok && !links.some((other) => other.ok))).toEqual([]);
  noneBeyondTheLink(standing, plan);
  RELATIONS[study.id]?.(document, standing);
}

/** Of this one the command is killed in the middle. */
const KILLED = 'fennec-2008';
const CUT = ['--cut', '--lanes', '1', '--seed', '1'];

/** Each takes half a minute: the long form makes all of them, the short one that with the most protocols. */
const MADE = STUDIES.filter(({ id }) => id !== KILLED && (FULL || id === 'modern-defaults'));

describe.each(MADE.map((study) => ({ id: study.id, study })))('the cut of $id', ({ id, study }) => {
  test('is measured whole, with what was intended, read back and seen in every load', { timeout: STUDY_MS }, async () => {
    expectWhole(study, await lab(id, ...CUT, '--json').ended);
    await eventually('every process gone', () => run?.processes().length === 0, 30_000);
  });
});

test(`the cut of ${KILLED}, killed, leaves nothing behind, and is taken up again with every cell once`, {
  timeout: 2 * STUDY_MS,
}, async () => {
  const first = lab(KILLED, ...CUT);
  await eventually('two loads', () => loadsSoFar() >= 2, STUDY_MS);
  process.kill(first.pid, 'SIGKILL');
  await first.ended;
  await eventually('every process gone', () => first.processes().length === 0, 30_000);
  await first.dispose();
  const before = record().loads;
  expectWhole(findStudy(KILLED), await lab(KILLED, '--resume', '--lanes', '1', '--json').ended);
  const { loads } = record();
  expect(loads.slice(0, before.length)).toEqual(before);
  const valid = loads.filter(({ load }) => load.validity.state === 'valid').map(({ load }) => `${cellKey(load)} ${load.lanes}`);
  expect(new Set(valid).size).toBe(valid.length);
  await eventually('every process gone', () => run?.processes().length === 0, 30_000);
  // All that is told follows from the log.
  const findings = join(folder, 'out', 'findings.md');
  const told = readFileSync(findings, 'utf8');
  rmSync(findings);
  await run?.dispose();
  run = startCommand(['lab', 'show', join(folder, 'out'), '--write']);
  expect((await run.ended).code).toBe(0);
  expect(readFileSync(findings, 'utf8')).toBe(told);
});
