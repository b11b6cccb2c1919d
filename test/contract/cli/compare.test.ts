/** `plumbfox compare` as people run it: what it prints and writes, and one line with exit code 2 for whatever cannot be compared. */
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { tuneJson } from '../../../src/cli/tune/json.ts';
import type { Report } from '../../../src/core/report/report.ts';
import { sampleReport } from '../../golden/sample-report.ts';
import { buildOnce } from '../../support/build-once.ts';
import { COMMAND, type Ended, startCommand } from '../../support/command-run.ts';

const folder = mkdtempSync(join(tmpdir(), 'plumbfox-compare-'));
const at = (name: string) => join(folder, name);

const FIRST = sampleReport();
const second = sampleReport({ seed: 12 });
/** Another run, a day later. */
const SECOND: Report = { ...second, loads: second.loads.map((load) => ({ ...load, startedAt: load.startedAt + 86_400_000 })) };

const reports: Readonly<Record<string, object | string>> = {
  'first.json': FIRST,
  'second.json': SECOND,
  'other-link.json': {
    ...SECOND,
    links: SECOND.links.map((link) => (link.asked ? { ...link, asked: { ...link.asked, rttMs: 600 } } : link)),
  },
  'one-link.json': { ...SECOND, links: SECOND.links.filter(({ name }) => name === 'slow') },
  'real.json': { ...SECOND, links: [{ name: 'real-network', kind: 'real', basis: 'estimated' }] },
  'newer-measures.json': { ...SECOND, metricVersion: 3 },
  'other-preferences.json': {
    ...SECOND,
    profiles: SECOND.profiles.map((profile) => ({ ...profile, intended: { 'network.prefetch-next': true } })),
  },
  'other-baseline.json': { ...SECOND, comparison: { ...SECOND.comparison, baseline: 'c8-d1' } },
  'newer.json': { format: 'plumbfox-report', version: 99 },
  'foreign.json': { log: { version: '1.2' } },
  'damaged.json': { ...FIRST, loads: 'many' },
  'list.json': [],
  'half.json': '{"format": "plumbfox-report", "ver',
  'empty.json': '',
};

beforeAll(() => {
  buildOnce();
  for (const [name, content] of Object.entries(reports))
    writeFileSync(at(name), typeof content === 'string' ? content : JSON.stringify(content));
  mkdirSync(at('folder'));
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function compare(...args: readonly string[]): Promise<Ended> {
  const run = startCommand(['compare', ...args]);
  try {
    return await run.ended;
  } finally {
    await run.dispose();
  }
}

const BAD_INPUT: Readonly<Record<string, { readonly args: readonly string[]; readonly says: RegExp }>> = {
  'no report': { args: [], says: /Name at least one report: .*plumbfox\.mjs compare REPORT\.\.\./ },
  'only options': { args: ['--json'], says: /Name at least one report/ },
  'an unknown option': { args: [at('first.json'), '--fast'], says: /Unknown option '--fast'.*See plumbfox compare --help/ },
  'an option without its value': { args: [at('first.json'), '--html'], says: /'--html <value>' argument missing/ },
  'a value for a switch': { args: [at('first.json'), '--json=yes'], says: /'--json' does not take an argument/ },
  'an empty baseline': { args: [at('first.json'), '--baseline', ''], says: /--baseline needs a value/ },
  'an empty --html': { args: [at('first.json'), '--html', ' '], says: /--html needs a value/ },
  'a report that is not there': {
    args: [at('first.json'), at('none.json')],
    says: /none\.json cannot be read: there is no such file or folder \(ENOENT\)/,
  },
  'a folder': { args: [at('folder')], says: /folder is a folder without report\.json or report\.json\.gz/ },
  'an empty file': { args: [at('empty.json')], says: /empty\.json is not JSON/ },
  'half a report': { args: [at('half.json'), at('first.json')], says: /half\.json is not JSON/ },
  'a foreign file': { args: [at('first.json'), at('foreign.json')], says: /foreign\.json: This is not a Plumbfox report/ },
  'a list': { args: [at('list.json')], says: /list\.json: This is not a Plumbfox report/ },
  'a damaged report': { args: [at('damaged.json')], says: /damaged\.json: The report is damaged at loads/ },
  'a report of a newer version': { args: [at('newer.json')], says: /newer\.json: .*version 99.*update Plumbfox/ },
  'a report twice': { args: [at('first.json'), at('first.json')], says: /hold the same loads \(60 loads\)/ },
  'measures of two versions': {
    args: [at('first.json'), at('newer-measures.json')],
    says: /first\.json has measures version 2, .*newer-measures\.json version 3/,
  },
  'another link': { args: [at('first.json'), at('other-link.json')], says: /Link slow is RTT 300 ms, .*other-link\.json: .*--mixed-links/ },
  'another kind of link': {
    args: [at('first.json'), at('one-link.json')],
    says: /are of kind packet and relay, those of .*one-link\.json packet/,
  },
  'the real network': { args: [at('first.json'), at('real.json'), '--mixed-links'], says: /real\.json real: compare them separately/ },
  'other preferences': {
    args: [at('first.json'), at('other-preferences.json')],
    says: /firefox-default is not the same profile in .*network\.prefetch-next/,
  },
  'two baselines': {
    args: [at('first.json'), at('other-baseline.json')],
    says: /compares with firefox-default, .* with c8-d1: .*--baseline/,
  },
  'a baseline that is not there': {
    args: [at('first.json'), '--baseline', 'c9-d9'],
    says: /has no profile c9-d9 to compare with\. Its profiles: firefox-default, /,
  },
  'a name of several lines': { args: [`${at('first')}\n\u001b[31mb`], says: /first .\[31mb cannot be read/ },
  'an --html that is there': { args: [at('first.json'), '--html', at('second.json')], says: /--html: .*second\.json is there already/ },
  'an --html that cannot be written': {
    args: [at('first.json'), '--html', at('none/out.html')],
    says: /--html: .*out\.html cannot be written: there is no such file or folder \(ENOENT\)/,
  },
};

test.concurrent.each(Object.entries(BAD_INPUT))('exit code 2: %s', async (_name, { args, says }) => {
  const before = readdirSync(folder);
  const ended = await compare(...args);
  expect(ended.stderr).toMatch(says);
  expect(ended.stderr).toMatch(/^plumbfox: [^\n]*\n$/);
  expect([ended.stdout, ended.code]).toEqual(['', 2]);
  expect(readdirSync(folder)).toEqual(before);
});

test('two reports: the table, the ranking and where the loads come from', async () => {
  // As it is installed: the shell finds it by its name.
  symlinkSync(COMMAND, at('plumbfox'));
  const command = startCommand(['compare', at('first.json'), at('second.json')], { env: { PATH: `${folder}:${process.env.PATH}` } });
  const ended = await command.ended.finally(() => command.dispose());
  expect([ended.stderr, ended.code]).toEqual(['', 0]);
  await expect(ended.stdout).toMatchFileSnapshot('../../golden/compare-two-reports.txt');
});

test('one report: what tune said of it', async () => {
  const ended = await compare('--json', at('first.json'));
  expect([ended.stderr, ended.code]).toEqual(['', 0]);
  const files = { report: null, html: null, policies: null, userJs: null, loads: null };
  expect(JSON.parse(ended.stdout)).toEqual(JSON.parse(JSON.stringify(tuneJson(FIRST, files))));
});

test('--json and --html: one document on stdout, and the file it names', async () => {
  const html = at('compared.html');
  const ended = await compare(at('first.json'), at('other-link.json'), '--mixed-links', '--baseline', 'c8-d1', '--json', '--html', html);
  expect([ended.stderr, ended.code]).toEqual(['', 0]);
  const document = JSON.parse(ended.stdout);
  expect(document.links.map(({ name }: { name: string }) => name)).toEqual(['slow', 'dsl', 'slow (2)', 'dsl (2)']);
  expect(document.profiles[0]).toMatchObject({ id: 'c8-d1', role: 'baseline', loads: 23, voidLoads: 1 });
  expect(document.files).toEqual({ report: null, html, policies: null, userJs: null, loads: null });
  expect(existsSync(html)).toBe(true);
  expect(readFileSync(html, 'utf8')).toContain('Merged from 2 reports.');
  rmSync(html);
});

test('help is on stdout, with exit code 0', async () => {
  const ended = await compare('--help');
  expect([ended.stderr, ended.code]).toEqual(['', 0]);
  expect(ended.stdout).toMatch(/plumbfox compare REPORT\.\.\./);
});
