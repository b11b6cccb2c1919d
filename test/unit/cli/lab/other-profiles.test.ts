/** `lab run --profiles` from its arguments to what `lab show` says, without a browser. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type LabRunArguments, parseLabArguments } from '../../../../src/cli/lab/arguments.ts';
import { type LabPlan, labPlan } from '../../../../src/cli/lab/plan.ts';
import { declared, labResults } from '../../../../src/cli/lab/results.ts';
import { findStudy } from '../../../../src/lab/studies/all-studies.ts';
import { appendStudyLine, readStudyLog } from '../../../../src/lab/study-run/study-log.ts';
import { planFingerprint } from '../../../../src/lab/study-run/study-plan.ts';
import { madeLoad } from '../../lab/studies/made-load.ts';

const asked = (...args: readonly string[]): LabRunArguments => {
  const parsed = parseLabArguments(['run', ...args]);
  if (parsed.command !== 'run') throw new Error('no run');
  return parsed;
};
const planned = (...args: readonly string[]): LabPlan => labPlan(asked('modern-defaults', '--seed', '1', ...args));
const idsOf = ({ plan }: LabPlan) => plan.profiles.map(({ id }) => id);

test('a part of the study: its baseline and what is named', () => {
  const { otherProfiles, ...part } = planned('--profiles', 'betterfox', '--profiles', 'betterfox');
  expect(idsOf({ otherProfiles, ...part })).toEqual(['firefox-default', 'betterfox']);
  expect(otherProfiles).toBeUndefined();
  expect(part.study).toBe(findStudy('modern-defaults'));
  expect(planFingerprint(part.plan)).toBe(planFingerprint(planned('--only', 'profile=betterfox').plan));
});

test('others than those of the study, beside its baseline', () => {
  const others = planned('--profiles', 'c9-d1,betterfox,again=c9-d1');
  expect(idsOf(others)).toEqual(['firefox-default', 'c9-d1', 'betterfox', 'again']);
  expect(others.otherProfiles).toEqual(['c9-d1', 'betterfox', 'again=c9-d1']);
  expect(idsOf(planned('--profiles', 'c9-d1', '--cut'))).toEqual(['firefox-default', 'c9-d1']);
});

test.each<[readonly string[], RegExp]>([
  [['--profiles', 'betterfux'], /^--profiles: There is no profile "betterfux"\. .* modern-defaults has .*betterfox/],
  [['--profiles', ','], /^--profiles needs a value$/],
  [['--profiles', 'c8-d1', '--only', 'profile=betterfox'], /^--profiles and --only profile= both choose the profiles: give one of them$/],
  [['--profiles', 'c8-d1', '--resume'], /^--resume continues a run with its own settings: it takes no --profiles$/],
])('%j is refused', (args, says) => {
  expect(() => planned(...args)).toThrow(expect.objectContaining({ kind: 'bad-input', message: expect.stringMatching(says) }));
});

test('the log gives others back, and the findings are those of a comparison', () => {
  const folder = mkdtempSync(join(tmpdir(), 'plumbfox-other-profiles-'));
  try {
    const { plan, otherProfiles = [] } = planned('--profiles', 'c9-d1', '--only', 'page=h1-docs,link=dsl-25m', '--repeats', '1');
    const [pages, links] = [plan.pages, plan.links].map((all) => all.map(({ name }) => name));
    const settings = { format: 1 as const, id: 'modern-defaults', seed: 1, repeats: 1, fingerprint: planFingerprint(plan) };
    const path = join(folder, 'loads.jsonl');
    const profiles = plan.profiles.map(({ id }) => id);
    appendStudyLine(path, { study: { ...settings, pages: pages ?? [], links: links ?? [], profiles, otherProfiles: [...otherProfiles] } });
    const versions = { plumbfox: '0', firefox: { version: '1', buildId: '2' }, applier: 'driver' as const, os: 'o', node: 'n' };
    appendStudyLine(path, {
      session: { number: 0, startedAt: '2026-01-01T00:00:00.000Z', ...versions, congestionControl: 'c', servers: {} },
    });
    for (const load of plan.blocks.flatMap(({ loads }) => loads))
      appendStudyLine(path, { load: madeLoad({ ...load, loadTimeMs: 500 }), session: 0, attempt: 0 });
    expect(planFingerprint(declared(readStudyLog(path), folder).plan)).toBe(settings.fingerprint);
    const { findings, report } = labResults(folder);
    expect(report.provenance.notes[0]).toBe('Profiles instead of those of modern-defaults: c9-d1.');
    expect(findings.answer[0]).toBe('Profiles instead of those of modern-defaults: c9-d1.');
    expect(findings.answer).toContain(
      'What modern-defaults asks, and the figures it was prompted by, are about its own profiles; nothing is said of them here. This compares the profiles that were measured, as plumbfox tune does.',
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
});
