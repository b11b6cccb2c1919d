/** A profile that does not show its limit: by one rule in `tune` and in studies, its loads of that block that come after do not count. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { blockOrder } from '../../../../src/core/compare/block-order.ts';
import { resolveProfiles } from '../../../../src/core/profiles/resolve-profiles.ts';
import type { MeasuredLoad } from '../../../../src/core/report/report.ts';
import type { Lane } from '../../../../src/lab/lane/lane.ts';
import { parseLink } from '../../../../src/lab/link/parse-link.ts';
import { wiki } from '../../../../src/lab/pages/wiki.ts';
import { measureRun } from '../../../../src/lab/run/measure-run.ts';
import { workSideBySide } from '../../../../src/lab/study-run/run-study.ts';
import { readStudyLog, standingLoads } from '../../../../src/lab/study-run/study-log.ts';
import { studyPlan } from '../../../../src/lab/study-run/study-plan.ts';
import { blockTimes } from '../../../../src/lab/study-run/work-left.ts';
import { stage } from './staged-lanes.ts';

const PROFILES = resolveProfiles(['c1-d1', 'c4-d1']);
// The far link is measured first: it takes longest. Of two groups the second has the second profile show its limit.
const LINKS = ['rtt=20,down=20000', 'rtt=300,down=2000'].map(parseLink);
const [NEAR, FAR] = LINKS.map(({ name }) => name) as [string, string];

const controlFailed = (loads: readonly Pick<MeasuredLoad, 'validity' | 'profileId' | 'link' | 'block'>[]) =>
  loads
    .flatMap(({ validity, profileId, link, block }) =>
      validity.state === 'void' && validity.cause === 'control-failed' ? [`${profileId} ${block} ${link}`] : [],
    )
    .sort();

test('in a study: over every link, and in no other block', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'plumbfox-controls-'));
  const logPath = join(folder, 'loads.jsonl');
  const said: string[] = [];
  const plan = studyPlan(
    {
      id: 'sample',
      question: 'Is it so?',
      source: 'nobody',
      pages: [{ name: 'wiki', recipe: wiki, servedBy: 'embedded', connections: 'cold' }],
      links: LINKS,
      profiles: PROFILES,
      baseline: 'c1-d1',
      repeats: 2,
      timeoutS: 60,
      cut: { pages: ['wiki'], links: [NEAR], profiles: ['c4-d1'], repeats: 1 },
      findings: () => ({ tables: [], answer: [], comparisonWithOriginal: [], pictures: [], figures: {} }),
    },
    { cut: {}, seed: 1 },
  );
  try {
    const staged = stage(plan);
    let controls = 0;
    const lane = staged.lane(0, {
      control: (profileId) =>
        profileId === 'c4-d1' && controls++ === 0 ? { cause: 'control-failed', profileId, seen: 2, wanted: 4 } : undefined,
    });
    const run = {
      ...{ plan, logPath, session: 0, now: staged.now, notify: (line: string) => void said.push(line), onProgress: () => {} },
      ...{ interrupted: () => false, reopen: async (number: number) => staged.lane(number), blockMs: blockTimes(plan) },
    };
    await staged.play(workSideBySide(run, [lane], undefined));
    const record = readStudyLog(logPath);
    const failed = controlFailed(record.loads.map(({ load }) => load));
    const [first = ''] = failed;
    const block = Number(first.split(' ')[1]);
    expect(failed).toEqual([`c4-d1 ${block} ${NEAR}`, `c4-d1 ${block} ${FAR}`].sort());
    expect(standingLoads(record).filter(({ validity }) => validity.state === 'valid')).toHaveLength(plan.loads - 2);
    expect(said).toEqual([
      `c4-d1 on the page of held pictures: 2 requests outstanding at once, 4 intended: its loads of block ${block + 1} from here on do not count`,
    ]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test('in a run of tune: the same', async () => {
  const loads: MeasuredLoad[] = [];
  let controls = 0;
  const outcome = (profileId: string, url: string) => ({
    applied: { profileId, mismatches: [], intended: {} },
    readBack: [],
    load: {
      format: 1,
      id: '1',
      url,
      startedAt: 0,
      observation: { ended: 'quiet', quietMs: 150 },
      requests: [{ url, origin: 'http://x', type: 'main_frame', outcome: { state: 'completed' } }],
    },
    gateway: undefined,
  });
  const lane = {
    kind: 'packet',
    useLink: async () => {},
    servePages: async () => {},
    pageUrl: (page: string, token: string) => `http://x/${page}/${token}`,
    load: async ({ url, profile: { id, connections } }: { url: string; profile: { id: string; connections: number } }) => {
      if (!url.includes('hold')) return outcome(id, url);
      // Two tries each: the first control of c1-d1, which the first group of two is for.
      const seen = id === 'c1-d1' && controls++ < 2 ? 99 : connections;
      return { ...outcome(id, url), origins: { x: { peakOutstanding: seen, peakConnections: seen, peakDepth: 1, requests: 8 } } };
    },
  } as unknown as Lane;
  await measureRun({
    lane,
    plan: blockOrder({
      profiles: PROFILES.map(({ id }) => id),
      scenarios: LINKS.map((link) => ({ page: 'wiki', link: link.name })),
      blocks: 2,
      seed: 1,
    }),
    profiles: PROFILES,
    pages: [{ report: { name: 'wiki' }, expected: undefined, url: () => 'http://x/wiki' }],
    links: LINKS,
    seed: 1,
    timeoutMs: 1,
    now: () => 0,
    onLoad: ({ measured }) => loads.push(measured),
    interrupted: () => false,
  });
  expect(controlFailed(loads)).toEqual([`c1-d1 0 ${NEAR}`, `c1-d1 0 ${FAR}`].sort());
});
