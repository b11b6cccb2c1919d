/** A search to its end, as a person runs it: found, written; out of reach; interrupted. */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { parseReport } from '../../src/protocol/parse-report.ts';
import { eventually, type RunningCommand, startCommand } from '../support/command-run.ts';

const PER_SERVER = 'network.http.max-persistent-connections-per-server';

let folder: string;
let run: RunningCommand | undefined;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'plumbfox-search-'));
});
afterEach(async () => {
  await run?.dispose();
  rmSync(folder, { recursive: true, force: true });
});

const out = () => join(folder, 'out');
/** Held-back pictures come so many at a time as there are connections: nothing is plainer. */
function search(...args: readonly string[]): RunningCommand {
  run = startCommand(['tune', '--search', '--pages', 'hold', '--links', 'rtt=20,down=4000', '--seed', '7', '--out', out(), ...args]);
  return run;
}
const reportOf = () => parseReport(JSON.parse(readFileSync(join(out(), 'report.json'), 'utf8')));
const logged = () =>
  existsSync(join(out(), 'loads.jsonl')) ? readFileSync(join(out(), 'loads.jsonl'), 'utf8').split('\n').filter(Boolean) : [];

test('finds the connections that held-back pictures want, and writes them', async () => {
  const started = search('--minutes', '2', '--knobs', `${PER_SERVER}=2|12`, '--json');
  const { code, stdout, errors } = await started.ended;
  expect(errors).toEqual([]);
  expect(code).toBe(0);
  const { search: found, files } = JSON.parse(stdout);
  expect(found).toMatchObject({
    state: 'faster',
    best: { profileId: 'c12-d1', settings: { [PER_SERVER]: 12 } },
    // c2-d1 is predicted to be slower, and never loaded.
    screening: { combinations: 3, shortlist: [{ profileId: 'c12-d1', why: 'predicted' }] },
  });
  expect(found.best.low).toBeGreaterThan(1);
  expect(found.steps.map(({ kind }: { kind: string }) => kind)).toEqual(['race']);
  const { loads, search: kept } = reportOf();
  expect(kept?.answer.state).toBe('faster');
  expect(logged()).toHaveLength(loads.length);
  expect(readFileSync(files.userJs, 'utf8')).toContain(`user_pref("${PER_SERVER}", 12);`);
  await eventually('every process gone', () => run?.processes().length === 0, 30_000);
});

test('says that nothing which was searched acts over HTTP/2, without a load', async () => {
  const { code, stdout, stderr } = await search('--protocol', 'http/2', '--knobs', PER_SERVER, '--json').ended;
  expect(code).toBe(0);
  expect(stderr).toContain('Connection settings have no effect here: every server uses HTTP/2 or HTTP/3.');
  const { search: found, files } = JSON.parse(stdout);
  expect(found).toMatchObject({ state: 'nothing-beats', because: 'out-of-reach', steps: [], screening: { outOfReach: [PER_SERVER] } });
  expect(files).toMatchObject({ policies: null, userJs: null });
  expect(logged()).toEqual([]);
});

test('Ctrl-C keeps what is finished, here of a search for the best protocol', async () => {
  const started = search('--minutes', '5', '--protocol', 'negotiated', '--knobs', 'network.http.http3.enable', '--json');
  await eventually('a load of both', () => new Set(logged().map((line) => JSON.parse(line).profileId)).size === 2, 120_000);
  process.kill(started.pid, 'SIGINT');
  const { code, stdout, errors } = await started.ended;
  expect(code).toBe(130);
  expect(errors).toEqual([expect.stringMatching(/^plumbfox: Interrupted after \d+ loads?, kept in /)]);
  expect(JSON.parse(stdout).search).toMatchObject({ state: 'interrupted', best: null });
  const { loads, search: kept } = reportOf();
  expect(loads).toHaveLength(logged().length);
  // The servers speak every version; no load came by one that its settings switch off.
  expect(kept?.screening.shortlist).toMatchObject([{ settings: { 'network.http.http3.enable': false }, why: 'predicted' }]);
  const without3 = loads.filter(({ profileId }) => profileId.endsWith('http3.enable=false'));
  expect(without3.map(({ measures }) => measures?.httpVersions)).toEqual(without3.map(() => ({ 'http/2': 1 })));
  await eventually('every process gone', () => run?.processes().length === 0, 30_000);
});
