/** The JSON document of `tune --json`, member by member as the README documents it. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as v from 'valibot';
import { expect, test } from 'vitest';
import { type TuneFiles, tuneJson } from '../../../../src/cli/tune/json.ts';
import { writeResults } from '../../../../src/cli/tune/results.ts';
import type { Profile } from '../../../../src/core/profiles/profile.ts';
import { resolveProfiles } from '../../../../src/core/profiles/resolve-profiles.ts';
import { buildReport } from '../../../../src/core/report/build-report.ts';
import type { Report } from '../../../../src/core/report/report.ts';
import { sampleReport } from '../../../golden/sample-report.ts';

const FILES = {
  report: '/r/report.json',
  html: '/r/report.html',
  policies: '/r/policies.json',
  userJs: '/r/user.js',
  loads: '/r/loads.jsonl',
};

const contract = v.object({
  profiles: v.array(
    v.object({
      id: v.string(),
      carrier: v.picklist(['gateway', 'http2', 'legacy', 'none']),
      loads: v.number(),
      voidLoads: v.number(),
      efficiency: v.object({ estimate: v.number(), low: v.null(), high: v.null() }),
      loadTimeMs: v.object({ median: v.number() }),
      versusBaseline: v.object({ ratio: v.number(), low: v.number(), high: v.number(), verdict: v.string() }),
    }),
  ),
  scenarios: v.array(
    v.object({
      page: v.string(),
      link: v.string(),
      profiles: v.array(v.object({ id: v.string(), loads: v.number(), efficiencyMedian: v.number(), loadTimeMsMedian: v.number() })),
    }),
  ),
  links: v.array(
    v.object({
      name: v.string(),
      kind: v.picklist(['packet', 'relay', 'real']),
      asked: v.object({ rttMs: v.number(), downKbps: v.number(), upKbps: v.number() }),
      measured: v.object({ rttMs: v.number(), downKbps: v.number() }),
    }),
  ),
  recommendation: v.object({
    profileId: v.string(),
    state: v.string(),
    sentence: v.string(),
    gateway: v.nullable(v.object({ connections: v.number(), depth: v.number() })),
    settingsAlone: v.object({ profileId: v.nullable(v.string()), state: v.string(), sentence: v.string() }),
  }),
  files: v.object({ report: v.string(), html: v.string(), policies: v.string(), userJs: v.string(), loads: v.string() }),
  seed: v.number(),
  firefox: v.object({ version: v.string() }),
});

test('has every member of the contract', () => {
  const sample = sampleReport();
  // A link of the command always has an uplink; one of the sample's was written down without.
  const report = { ...sample, links: sample.links.filter(({ asked }) => asked?.upKbps !== undefined) };
  expect(report.links).not.toEqual([]);
  const json: unknown = JSON.parse(JSON.stringify(tuneJson(report, FILES)));
  expect(v.safeParse(contract, json).issues).toBeUndefined();
});

/** Names of all members, at any depth; of a list, those of its first element. */
function members(value: unknown): readonly string[] {
  if (Array.isArray(value)) return members(value[0]).map((name) => `[].${name}`);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => [name, ...members(inner).map((deeper) => `${name}.${deeper}`)]);
}

test('what is not known is null, never left out', () => {
  const sample = sampleReport();
  const known = members(tuneJson(sample, FILES));
  // The real network, no load made, nothing known of Firefox: every figure is missing.
  const { firefox: _, applier: __, ...provenance } = sample.provenance;
  const unmeasured = buildReport({
    ...sample,
    provenance,
    links: [{ name: 'real-network', kind: 'real', basis: 'estimated' }],
    loads: [],
    baseline: 'firefox-default',
  });
  const candidates = unmeasured.comparison.profiles.filter(({ role }) => role === 'candidate');
  const scenarios = [
    { page: 'wiki', link: 'real-network', profiles: [{ id: 'c8-d1', loads: 0, efficiencyMedian: undefined, loadTimeMsMedian: undefined }] },
  ];
  const comparison = { ...unmeasured.comparison, profiles: candidates, scenarios, control: undefined };
  const json = JSON.parse(JSON.stringify(tuneJson({ ...unmeasured, comparison }, FILES)));
  const below = (name: string) => /^(control|firefox|recommendation\.(gateway|gain)|links\.\[\]\.(asked|measured))\./.test(name);
  expect(members(json)).toEqual(known.filter((name) => !below(name)));
  expect(json.profiles[0]).toMatchObject({
    efficiency: { estimate: null, low: null, high: null },
    loadTimeMs: { median: null },
    versusBaseline: { ratio: null, low: null, high: null, loadsNeeded: null, loadsNeededAtMost: null },
  });
  expect(json.links).toEqual([{ name: 'real-network', kind: 'real', basis: 'estimated', asked: null, measured: null }]);
  expect(json).toMatchObject({ control: null, firefox: null, applier: null });
  expect(json.scenarios[0].profiles).toEqual([{ id: 'c8-d1', loads: 0, efficiencyMedian: null, loadTimeMsMedian: null }]);
});

interface WrittenOptions {
  readonly prepare?: (folder: string) => void;
  readonly profiles?: readonly Profile[];
}

/** The folder of a run that ended in this report. */
async function written(
  report: Report,
  check: (folder: string, files: TuneFiles) => void,
  { prepare = () => {}, profiles = resolveProfiles(['c4-d6', 'c8-d1']) }: WrittenOptions = {},
) {
  const folder = mkdtempSync(join(tmpdir(), 'plumbfox-write-'));
  const told: string[][] = [];
  try {
    prepare(folder);
    const files = await writeResults({
      folder,
      report,
      profiles,
      loadsPath: join(folder, 'loads.jsonl'),
      onKept: (...names) => told.push(names),
    });
    check(folder, files);
    return told;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** c4-d6 by the gateway; by settings alone c8-d1, 10 % ahead of what Firefox ships. */
const withEight = () => sampleReport({ eightEfficiency: 0.55 });

test('the files hold what is best by settings alone, never what only the gateway carries', async () => {
  const report = withEight();
  expect(report.comparison.recommendation).toMatchObject({ profileId: 'c4-d6', settingsAlone: { profileId: 'c8-d1' } });
  await written(report, (_folder, files) => {
    const { policies } = JSON.parse(readFileSync(files.policies ?? '', 'utf8'));
    expect(policies.Preferences).toEqual({
      'network.http.max-persistent-connections-per-server': { Value: 8, Status: 'default', Type: 'number' },
    });
    expect(policies['3rdparty'].Extensions['plumbfox@plumbfox.org']).toMatchObject({ profile: 'c8-d1', carrier: 'none', depth: 1 });
    const userJs = readFileSync(files.userJs ?? '', 'utf8');
    expect(userJs).toContain('user_pref("network.http.max-persistent-connections-per-server", 8);');
    expect(userJs).toContain('//   By settings alone: 8 connections (c8-d1) are faster');
    expect(tuneJson(report, files)).toMatchObject({
      recommendation: { profileId: 'c4-d6', gateway: { connections: 4, depth: 6 }, settingsAlone: { profileId: 'c8-d1' } },
      notes: [expect.stringContaining('plumbfox gateway --connections 4 --depth 6 SITE'), ...report.provenance.notes],
    });
  });
});

test('where nothing is proven by settings alone neither file is written, and those of a former run are kept aside', async () => {
  const report = sampleReport();
  // 0.51 against 0.5.
  expect(report.comparison.recommendation).toMatchObject({
    profileId: 'c4-d6',
    settingsAlone: { state: expect.not.stringMatching('recommended') },
  });
  const told = await written(
    report,
    (folder, files) => {
      expect(files).toMatchObject({ policies: null, userJs: null });
      expect(readdirSync(folder).sort()).toEqual(['report.html', 'report.json', 'user.js.before-1']);
      expect(readFileSync(files.html, 'utf8')).toContain('By settings alone: ');
      expect(tuneJson(report, files)).toMatchObject({ files: { policies: null, userJs: null } });
    },
    { prepare: (folder) => writeFileSync(join(folder, 'user.js'), 'of a former run') },
  );
  expect(told.map(([, aside]) => aside?.slice(-16))).toEqual(['user.js.before-1']);
});

test('what was in the folder before is kept under another name, and told', async () => {
  const told = await written(
    withEight(),
    (folder) => {
      const names = ['else.txt', 'policies.json', 'report.html', 'report.json', 'user.js', 'user.js.before-1'];
      expect(readdirSync(folder).sort()).toEqual(names);
      expect(readFileSync(join(folder, 'user.js.before-1'), 'utf8')).toBe('mine');
      expect(readFileSync(join(folder, 'else.txt'), 'utf8')).toBe('mine too');
    },
    {
      prepare: (folder) => {
        writeFileSync(join(folder, 'user.js'), 'mine');
        writeFileSync(join(folder, 'else.txt'), 'mine too');
      },
    },
  );
  expect(told).toHaveLength(1);
});

/** The run of `withEight`, in which `c8-d1` set this as well. */
async function withEightAnd(preferences: Profile['preferences'], check: (folder: string, files: TuneFiles) => void) {
  const report = withEight();
  const profiles = resolveProfiles(['c4-d6', 'c8-d1']).map((profile) =>
    profile.id === 'c8-d1' ? { ...profile, preferences: { ...profile.preferences, ...preferences } } : profile,
  );
  const reported = report.profiles.map((profile) =>
    profile.id === 'c8-d1' ? { ...profile, intended: { ...profile.intended, ...preferences } } : profile,
  );
  await written({ ...report, profiles: reported }, check, { profiles });
}

test('what costs privacy or security is written to no file, whatever the run', async () => {
  await withEightAnd({ 'network.dns.echconfig.enabled': false }, (folder, files) => {
    expect(files).toMatchObject({ policies: null, userJs: null });
    expect(readdirSync(folder).sort()).toEqual(['report.html', 'report.json']);
  });
});

test('where the policy engine ignores a preference there is no policy, and everything else is written', async () => {
  await withEightAnd({ 'security.ssl.enable_false_start': false }, (folder, files) => {
    expect(files).toMatchObject({ policies: null, userJs: join(folder, 'user.js') });
    expect(readdirSync(folder).sort()).toEqual(['report.html', 'report.json', 'user.js']);
    expect(readFileSync(files.userJs ?? '', 'utf8')).toContain('user_pref("security.ssl.enable_false_start", false);');
  });
});
