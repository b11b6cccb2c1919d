/** The main job to its end, as a person runs it: the document on stdout, the files, and nothing left behind. */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { hold } from '../../src/lab/pages/pages.ts';
import { parseReport } from '../../src/protocol/parse-report.ts';
import { eventually, type RunningCommand, startCommand } from '../support/command-run.ts';
import { FULL } from '../support/long-form.ts';

/** A page that the lab does not have, as a file. */
let page: string;
let folder: string;
let run: RunningCommand | undefined;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'plumbfox-tune-'));
  page = join(folder, 'mine.json');
  writeFileSync(page, JSON.stringify({ ...hold, name: 'mine' }));
});
afterEach(async () => {
  await run?.dispose();
  rmSync(folder, { recursive: true, force: true });
});

const tune = (...args: readonly string[]) => {
  run = startCommand(['tune', '--pages', page, '--links', 'rtt=20,down=4000', '--blocks', '2', '--out', join(folder, 'out'), ...args]);
  return run.ended;
};

/** tune-faults goes over the relay in every run. */
const LINK_KINDS = [{ kind: 'packet', args: [] }, ...(FULL ? [{ kind: 'relay', args: ['--relay'] }] : [])];

describe.each(LINK_KINDS)('tune over a $kind link', ({ kind, args }) => {
  test('ends with one JSON document of its contract, and the files it names', async () => {
    const { code, stdout, errors } = await tune('--profiles', 'c2-d1,c2-d4', '--seed', '7', '--json', ...args);
    expect(errors).toEqual([]);
    expect(code).toBe(0);
    const document = JSON.parse(stdout);
    expect(document).toMatchObject({
      seed: 7,
      links: [{ kind, asked: { rttMs: 20, downKbps: 4000, upKbps: 4000 } }],
      scenarios: [{ page: 'mine', link: 'rtt=20,down=4000' }],
      firefox: { version: expect.stringMatching(/^\d+\./) },
      recommendation: { sentence: expect.stringMatching(/./) },
    });
    expect(
      document.profiles.map(({ id, carrier, loads, voidLoads }: Record<string, unknown>) => ({ id, carrier, loads, voidLoads })),
    ).toEqual([
      { id: 'firefox-default', carrier: 'none', loads: 2, voidLoads: 0 },
      { id: 'c2-d1', carrier: 'none', loads: 2, voidLoads: 0 },
      { id: 'c2-d4', carrier: 'gateway', loads: 2, voidLoads: 0 },
      { id: 'control', carrier: 'gateway', loads: 2, voidLoads: 0 },
    ]);
    // Two connections are slower, and two blocks prove nothing: there is nothing to set.
    expect(document.files).toMatchObject({ policies: null, userJs: null });
    for (const path of Object.values<string | null>(document.files)) if (path !== null) expect(existsSync(path)).toBe(true);
    const report = parseReport(JSON.parse(readFileSync(document.files.report, 'utf8')));
    expect(report.loads.every(({ observed }) => observed !== undefined && observed.requests === 25)).toBe(true);
    expect(report.loads.filter(({ profileId }) => profileId === 'c2-d4').map(({ observed }) => observed?.peakDepth)).toEqual([4, 4]);
    // The held-back pictures come two at a time instead of six: nothing is plainer.
    const ratio = document.profiles[1].versusBaseline.ratio;
    expect(ratio).toBeLessThan(0.7);
    await eventually('every process gone', () => run?.processes().length === 0, 30_000);
  });
});

test.runIf(FULL)('the same profile under two names is not called better or worse', async () => {
  const { code, stdout } = await tune('--profiles', 'again=c2-d1,c2-d1', '--blocks', '4', '--json');
  expect(code).toBe(0);
  const { profiles } = JSON.parse(stdout);
  const [, again, plain] = profiles;
  expect([again.id, plain.id]).toEqual(['again', 'c2-d1']);
  // Both against the baseline: two intervals of the same thing overlap.
  expect(again.versusBaseline.low).toBeLessThan(plain.versusBaseline.high);
  expect(plain.versusBaseline.low).toBeLessThan(again.versusBaseline.high);
});
