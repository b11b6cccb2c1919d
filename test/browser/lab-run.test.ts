/** The small cut of every study, on a real Firefox: relations, never absolute times; and what is left when a run is killed. */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { STUDIES } from '../../src/lab/studies/all-studies.ts';
import { readStudyLog, standingLoads } from '../../src/lab/study-run/study-log.ts';
import { cellKey, studyPlan } from '../../src/lab/study-run/study-plan.ts';
import { eventually, type RunningCommand, startCommand } from '../support/command-run.ts';

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

/** What must hold of a cut, on any machine. */
const RELATIONS: Readonly<Record<string, (document: Document) => void>> = {
  'fennec-2008': (document) => expect(efficiencyOf(document, 'c4-d2')).toBeGreaterThan(efficiencyOf(document, 'c1-d2')),
};

describe.each(STUDIES.map((study) => ({ id: study.id, study })))('the cut of $id', ({ id, study }) => {
  test('is measured whole, with what was intended, read back and seen in every load', { timeout: STUDY_MS }, async () => {
    const { code, stdout, errors } = await lab(id, '--cut', '--lanes', '1', '--seed', '1', '--json').ended;
    expect([errors, code]).toEqual([[], 0]);
    const document: Document = JSON.parse(stdout);
    const plan = studyPlan(study, { cut: study.cut, seed: 1 });
    expect(document.loads).toEqual({ planned: plan.loads, valid: plan.loads });
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
    RELATIONS[id]?.(document);
    await eventually('every process gone', () => run?.processes().length === 0, 30_000);
  });
});

describe('a run that is killed', () => {
  test('leaves nothing behind, and is taken up again with every cell once', { timeout: 2 * STUDY_MS }, async () => {
    const part = ['fennec-2008', '--only', 'page=docs-2008,link=wimax-2008,profile=c4-d2', '--repeats', '2', '--lanes', '1', '--seed', '3'];
    const first = lab(...part);
    await eventually('two loads', () => loadsSoFar() >= 2, STUDY_MS);
    process.kill(first.pid, 'SIGKILL');
    await first.ended;
    await eventually('every process gone', () => first.processes().length === 0, 30_000);
    const before = record().loads;
    const { code, errors } = await lab('fennec-2008', '--resume', '--lanes', '1', '--json').ended;
    expect([errors, code]).toEqual([[], 0]);
    const { loads } = record();
    expect(loads.slice(0, before.length)).toEqual(before);
    const valid = loads.filter(({ load }) => load.validity.state === 'valid').map(({ load }) => `${cellKey(load)} ${load.lanes}`);
    expect(new Set(valid).size).toBe(valid.length);
    await eventually('every process gone', () => run?.processes().length === 0, 30_000);
    // All that is told follows from the log.
    const findings = join(folder, 'out', 'findings.md');
    const told = readFileSync(findings, 'utf8');
    rmSync(findings);
    run = startCommand(['lab', 'show', join(folder, 'out'), '--write']);
    expect((await run.ended).code).toBe(0);
    expect(readFileSync(findings, 'utf8')).toBe(told);
  });
});
