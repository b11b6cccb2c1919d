/** The JSON document of `tune --json`, member by member as the README documents it. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as v from 'valibot';
import { expect, test } from 'vitest';
import { tuneJson } from '../../../src/cli/tune-json.ts';
import { writeResults } from '../../../src/cli/write-results.ts';
import { resolveProfiles } from '../../../src/core/profiles/resolve-profiles.ts';
import { buildReport } from '../../../src/core/report/build-report.ts';
import { sampleReport } from '../../golden/sample-report.ts';

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
      efficiency: v.object({ estimate: v.number(), low: v.number(), high: v.number() }),
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
  recommendation: v.object({ profileId: v.string(), state: v.string(), sentence: v.string() }),
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
  const below = (name: string) => /^(control|firefox|links\.\[\]\.(asked|measured))\./.test(name);
  expect(members(json)).toEqual(known.filter((name) => !below(name)));
  expect(json.profiles[0]).toMatchObject({
    efficiency: { estimate: null, low: null, high: null },
    loadTimeMs: { median: null },
    versusBaseline: { ratio: null, low: null, high: null, loadsNeeded: null },
  });
  expect(json.links).toEqual([{ name: 'real-network', kind: 'real', basis: 'estimated', asked: null, measured: null }]);
  expect(json).toMatchObject({ control: null, firefox: null, applier: null });
  expect(json.scenarios[0].profiles).toEqual([{ id: 'c8-d1', loads: 0, efficiencyMedian: null, loadTimeMsMedian: null }]);
});

test('the files of a profile that the gateway carried set what holds without it, and say so', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'plumbfox-write-'));
  try {
    const report = sampleReport();
    expect(report.comparison.recommendation.profileId).toBe('c4-d6');
    const loadsPath = join(folder, 'loads.jsonl');
    const files = await writeResults({ folder, report, profiles: resolveProfiles(['c4-d6']), loadsPath, onKept: () => {} });
    const { policies } = JSON.parse(readFileSync(files.policies, 'utf8'));
    // Not what only the gateway's presence excuses: 255 connections to a proxy, no pacing.
    expect(Object.keys(policies.Preferences)).toEqual(['network.http.max-persistent-connections-per-server']);
    expect(policies['3rdparty'].Extensions['plumbfox@plumbfox.org']).toMatchObject({
      profile: 'c4-d6',
      carrier: 'none',
      note: expect.stringContaining('Depth 6 has no effect'),
    });
    const userJs = readFileSync(files.userJs, 'utf8');
    expect(userJs).not.toMatch(/per-proxy|pacing/);
    expect(userJs).toContain("//   Without the gateway (the popup's, or plumbfox gateway), the depth of c4-d6 has no effect");
    expect(readFileSync(files.html, 'utf8')).toContain('Best of those measured without it: c8-d1');
    expect(tuneJson(report, files)).toMatchObject({ notes: [expect.stringContaining('Without the gateway'), ...report.provenance.notes] });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test('what was in the folder before is kept under another name, and told', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'plumbfox-write-'));
  try {
    writeFileSync(join(folder, 'user.js'), 'mine');
    writeFileSync(join(folder, 'else.txt'), 'mine too');
    const told: string[][] = [];
    await writeResults({
      folder,
      report: sampleReport(),
      profiles: resolveProfiles(['c4-d6']),
      loadsPath: join(folder, 'loads.jsonl'),
      onKept: (...names) => told.push(names),
    });
    expect(readdirSync(folder).sort()).toEqual(['else.txt', 'policies.json', 'report.html', 'report.json', 'user.js', 'user.js.before-1']);
    expect(readFileSync(join(folder, 'user.js.before-1'), 'utf8')).toBe('mine');
    expect(readFileSync(join(folder, 'else.txt'), 'utf8')).toBe('mine too');
    expect(told).toEqual([[join(folder, 'user.js'), join(folder, 'user.js.before-1')]]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
