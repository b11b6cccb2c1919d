import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findPage } from '../../../src/lab/pages/pages.ts';
import { loadsFile, timelinesFile } from '../../accuracy/corpus/corpus-files.ts';
import type { CorpusLoad } from '../../accuracy/corpus/corpus-load.ts';
import { measuredMs } from '../../accuracy/harness/measured-scenario.ts';
import { readCorpus } from '../../accuracy/harness/read-corpus.ts';
import { scenarioJson, scenarioText } from '../../accuracy/harness/scenario-table.ts';

const figures = { efficiency: 0.5, bytes: 1_000_000, peakConnections: 6, peakOutstanding: 6, peakDepth: 1, droppedDown: 3, droppedUp: 0 };
const resources = findPage('images').resources.length;

/** A load of the image page whose document is asked for at 0, connected from 1 to 51, sent at 52, begun at 112 and over at 113 ms. */
const load = (profile: string, repeat: number, loadTimeMs: number): CorpusLoad => ({
  page: 'images',
  link: 'dsl-10m',
  profile,
  repeat,
  startedAt: repeat,
  figures: { ...figures, loadTimeMs },
  timeline: [[0, 1, 51, 52, 112, 113], ...Array.from({ length: resources }, () => [114, null, null, null, 200, loadTimeMs])],
});

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'plumbfox-corpus-'));
  const session = { startedAt: '2026-11-21T08:00:00Z', firefox: '153.7.0', os: 'Linux', congestionControl: 'reno', links: [] };
  const lost: CorpusLoad = { page: 'images', link: 'dsl-10m', profile: 'c8-d1', repeat: 0, startedAt: 9, void: 'the link broke' };
  const record = {
    sessions: [session, session],
    loads: [load('c4-d6', 1, 1700), load('c4-d6', 0, 1500), load('firefox-default', 0, 1600), lost],
  };
  writeFileSync(join(folder, 'loads.json'), loadsFile(record));
  writeFileSync(join(folder, 'timelines.json'), timelinesFile(record));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('the corpus as scenarios', () => {
  it('has the loads that count, in their turns, with the link that was asked for', () => {
    const { scenarios, firefox } = readCorpus(folder);
    expect(firefox).toEqual(['153.7.0']);
    expect(scenarios).toHaveLength(1);
    const [scenario] = scenarios;
    expect(scenario).toMatchObject({
      name: 'images/dsl-10m',
      simulated: { rttMs: 50, downKbps: 10_000, upKbps: 1000, queuePackets: 1000, segmentBytes: 1448 },
    });
    expect(scenario?.graph.requests).toHaveLength(resources + 1);
    expect(
      scenario?.profiles.map((profile) => [profile.profileId, profile.loads.map(({ loadTimeMs }) => loadTimeMs), measuredMs(profile)]),
    ).toEqual([
      ['firefox-default', [1600], 1600],
      ['c4-d6', [1500, 1700], 1600],
    ]);
    expect(scenario?.profiles[1]?.requests[0]).toEqual({
      askedMs: 0,
      connectStartMs: 1,
      connectEndMs: 51,
      sentMs: 52,
      firstByteMs: 112,
      endMs: 113,
    });
    expect(scenario?.profiles[1]?.requests[1]?.sentMs).toBeUndefined();
  });

  it('is missed in one line where it is not', () => {
    expect(() => readCorpus(join(folder, 'nowhere'))).toThrow(/There is no corpus in .*nowhere: loads.json cannot be read/);
  });
});

describe('one scenario in full', () => {
  it('has every profile, and every request of one, measured beside predicted', () => {
    const [scenario] = readCorpus(folder).scenarios;
    if (scenario === undefined) throw new Error('The corpus has a scenario');
    const text = scenarioText(scenario, { profileId: 'c4-d6' });
    expect(text).toContain('images/dsl-10m: RTT 50 ms, 10000 kbit/s down, 1000 up, queue 1000 packets');
    expect(text).toMatch(/\nc4-d6 +1600 +\d+ +[+−][\d.]+ % +1500 1700 +6 6 +\d+ +3 3 +\d+ /);
    expect(text).toMatch(/\nfirefox-default +1600 /);
    expect(text).toContain('Requests of c4-d6');
    expect(text).toMatch(/\ndocument +document +origin-0 +\d+ +0 +0 +52 +\d+ +112 +\d+ +113 +\d+ +−?-?\d+ +0\n/);
    expect(text).toMatch(/\npicture-9\.png +image +origin-0 +\d+ +114 +\d+ +– +\d+ +200 /);
    expect(scenarioText(scenario)).toContain('Requests of firefox-default');
    expect(() => scenarioText(scenario, { profileId: 'c9-d9' })).toThrow(
      'images/dsl-10m has no profile "c9-d9". Profiles: firefox-default, c4-d6',
    );
    expect(JSON.parse(JSON.stringify(scenarioJson(scenario)))).toMatchObject({
      name: 'images/dsl-10m',
      profiles: [{ measuredMs: 1600 }, {}],
    });
  });
});
