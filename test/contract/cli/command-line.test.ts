/** The command's contract for what cannot be done: one line on stderr, the documented exit code, nothing on stdout, nothing left behind. */
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buildOnce } from '../../support/build-once.ts';
import { COMMAND, startCommand } from '../../support/command-run.ts';

const root = process.getuid?.() === 0;
const folder = mkdtempSync(join(tmpdir(), 'plumbfox-contract-'));
const at = (...names: string[]) => join(folder, ...names);
/** Before any command has run. */
let there: readonly string[] = [];

beforeAll(() => {
  buildOnce();
  writeFileSync(at('bad-line'), '# mine\nhttps://example.org/\n\nnot an address\n');
  writeFileSync(at('ftp'), 'ftp://example.org/\n');
  writeFileSync(at('empty'), '\n# nothing\n');
  writeFileSync(at('file'), '');
  writeFileSync(at('newer.json'), JSON.stringify({ format: 'plumbfox-report', version: 99 }));
  writeFileSync(at('foreign.json'), '{"log": {"version": "1.2"}}');
  writeFileSync(at('damaged.json'), JSON.stringify({ format: 'plumbfox-report', version: 1, loads: 'many' }));
  writeFileSync(at('half.json'), '{"format": "plumbfox-report", "ver');
  writeFileSync(at('not-firefox'), '#!/bin/sh\necho Something 1.0\n');
  writeFileSync(at('fails'), '#!/bin/sh\necho Mozilla Firefox 1.0\nexit 1\n');
  for (const name of ['not-firefox', 'fails']) chmodSync(at(name), 0o755);
  mkdirSync(at('bin'));
  symlinkSync(process.execPath, at('bin', 'node'));
  symlinkSync('/bin/sh', at('bin', 'sh'));
  mkdirSync(at('apt'));
  for (const [name, path] of Object.entries({ sh: '/bin/sh', env: '/usr/bin/env', node: process.execPath }))
    symlinkSync(path, at('apt', name));
  const apt = `#!/bin/sh\necho "$*" >> ${at('apt', 'called')}\n[ "$1" = update ] && exit\necho 'E: no such package' >&2\nexit 100\n`;
  writeFileSync(at('apt', 'apt-get'), apt);
  chmodSync(at('apt', 'apt-get'), 0o755);
  there = readdirSync(folder);
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Case {
  readonly args: readonly string[];
  readonly says: RegExp;
  readonly env?: NodeJS.ProcessEnv;
}

const urls = (name: string) => ['tune', '--real-network', '--urls', at(name)];

const BAD_INPUT: Readonly<Record<string, Case>> = {
  'an unknown command': { args: ['tuen'], says: /There is no command "tuen"\. Did you mean tune\? Commands: tune, / },
  'help for an unknown command': { args: ['help', 'tuen'], says: /There is no command "tuen"\. Did you mean tune\?/ },
  'a command that every object has': { args: ['constructor'], says: /There is no command "constructor"/ },
  'report without a file': { args: ['report'], says: /Name one report: .*plumbfox\.mjs report FILE/ },
  'a report that is not there': {
    args: ['report', at('none.json')],
    says: /none\.json cannot be read: there is no such file or folder \(ENOENT\)/,
  },
  'a report of a newer version': { args: ['report', at('newer.json')], says: /version 99.*update Plumbfox/ },
  'a foreign file as a report': { args: ['report', at('foreign.json')], says: /foreign\.json: / },
  'a damaged report': { args: ['report', at('damaged.json')], says: /damaged\.json: The report is damaged at / },
  'half a report': { args: ['report', at('half.json')], says: /half\.json is not JSON/ },
  'an unknown option': { args: ['tune', '--fast'], says: /Unknown option '--fast'\. See plumbfox tune --help/ },
  'a slip in an option': { args: ['tune', '--profile', 'c4-d6'], says: /Unknown option '--profile'\. Did you mean --profiles\? See/ },
  'a stray word': { args: ['tune', 'wiki'], says: /Unexpected argument 'wiki'/ },
  'an option without its value': { args: ['tune', '--blocks'], says: /'--blocks <value>' argument missing/ },
  'a value for a switch': { args: ['tune', '--json=yes'], says: /'--json' does not take an argument/ },
  'an unknown profile': { args: ['tune', '--profiles', 'c4-d66,c99'], says: /There is no profile "c4-d66"/ },
  'an unknown profile, much too long': {
    args: ['tune', '--profiles', 'x'.repeat(100_000)],
    says: /expression has at most 16384 characters, and this one 100000/,
  },
  'two profiles of one name': { args: ['tune', '--profiles', 'a=c1-d1,a=c2-d1'], says: /"a" is given to two profiles/ },
  'no profile': { args: ['tune', '--profiles', ','], says: /--profiles needs a value/ },
  'an unknown page': {
    args: ['tune', '--pages', 'wiki,wikki'],
    says: /There is no page "wikki"\. Did you mean wiki\? Pages: wiki, images, news, gallery, shop, docs, app, hold/,
  },
  'an unknown link': { args: ['tune', '--links', 'far'], says: /There is no link "far"\. Did you mean far-2m\? Links: far-2m, dsl-10m/ },
  'a link that is no number': { args: ['tune', '--links', 'rtt=fast,down=2000'], says: /rtt must be a number, not "fast"/ },
  'a link without a rate': { args: ['tune', '--links', 'rtt=300'], says: /needs rtt \(ms\) and down \(kbit\/s\)/ },
  'a link out of bounds': { args: ['tune', '--links', 'rtt=300,down=0'], says: /down must lie between 10 and 50000/ },
  'a link that is a pattern': { args: ['tune', '--links', 'rtt=1,(=2'], says: /"\(" is not one of rtt, down, up, queue/ },
  'blocks 0': { args: ['tune', '--blocks', '0'], says: /--blocks must lie between 1 and 1000/ },
  'blocks that are no number': { args: ['tune', '--blocks', 'many'], says: /--blocks must be a whole number, not "many"/ },
  'negative blocks': { args: ['tune', '--blocks', '-1'], says: /--blocks needs a value; write one that begins with a dash as/ },
  'a seed that is no number': { args: ['tune', '--seed', '1e3'], says: /--seed must be a whole number, not "1e3"/ },
  'a timeout of no time': { args: ['tune', '--timeout', '0'], says: /--timeout must lie between 1 and 600/ },
  'a name of several lines': { args: ['tune', '--pages', 'a\n\u001b[31mb'], says: /There is no page "a .\[31mb"/ },
  '--real-network alone': { args: ['tune', '--real-network'], says: /--real-network needs --urls FILE/ },
  '--urls alone': { args: ['tune', '--urls', at('empty')], says: /--urls goes with --real-network/ },
  '--real-network with links': {
    args: [...urls('empty'), '--links', 'far-2m'],
    says: /--pages, --links and --relay are for the emulated network/,
  },
  'a file of addresses that is not there': {
    args: urls('none'),
    says: /--urls: .*none cannot be read: there is no such file or folder \(ENOENT\)/,
  },
  'a file of addresses that is a folder': { args: urls('bin'), says: /--urls: .*bin cannot be read: it is a folder \(EISDIR\)/ },
  'a file of addresses with a bad line': { args: urls('bad-line'), says: /bad-line, line 4: "not an address" is not an address/ },
  'a file of addresses with another scheme': { args: urls('ftp'), says: /ftp, line 1: only http and https/ },
  'a file without addresses': { args: urls('empty'), says: /empty holds no address/ },
  'an --out that is a file': {
    args: ['tune', '--out', at('file')],
    says: /--out: .*file is not a folder, or a parent of it is a file; choose another path/,
  },
  'an --out below a file': {
    args: ['tune', '--out', at('file', 'deeper')],
    says: /--out: .*deeper is not a folder, or a parent of it is a file/,
  },
  'an --out that nobody may write': { args: ['tune', '--out', '/proc/plumbfox'], says: /--out: \/proc\/plumbfox cannot be written/ },
  'an --out without a name': { args: ['tune', '--out', ''], says: /--out needs the name of a folder/ },
};

const ENVIRONMENT: Readonly<Record<string, Case>> = {
  'a Firefox that is not there': {
    args: ['tune', '--out', at('out', 'deep')],
    env: { PLUMBFOX_FIREFOX: '/nowhere/firefox' },
    says: /PLUMBFOX_FIREFOX names \/nowhere\/firefox, which does not run as Firefox/,
  },
  'a Firefox that is something else': {
    args: ['tune'],
    env: { PLUMBFOX_FIREFOX: at('not-firefox') },
    says: /which does not run as Firefox/,
  },
  'a Firefox that fails': { args: ['tune'], env: { PLUMBFOX_FIREFOX: at('fails') }, says: /which does not run as Firefox/ },
  'a Firefox that is a folder': { args: ['tune'], env: { PLUMBFOX_FIREFOX: folder }, says: /which does not run as Firefox/ },
};

async function failsWith({ args, env, says }: Case, code: number): Promise<void> {
  const run = startCommand(args, env ? { env } : {});
  try {
    const ended = await run.ended;
    expect(ended.stderr).toMatch(says);
    expect(ended.stderr).toMatch(/^plumbfox: [^\n]*\n$/);
    expect(ended.stderr.length).toBeLessThan(1100);
    expect(ended.stdout).toBe('');
    expect(ended.code).toBe(code);
    expect(readdirSync(run.temporary)).toEqual([]);
    expect(run.processes()).toEqual([]);
  } finally {
    await run.dispose();
  }
}

test.concurrent.each(Object.entries(BAD_INPUT))('exit code 2: %s', async (_name, each) => failsWith(each, 2));

test.concurrent.each(Object.entries(ENVIRONMENT))('exit code 3: %s', async (_name, each) => failsWith(each, 3));

// Without root there is nothing to miss: no namespaces, no programs for them.
test.runIf(root)('exit code 3: programs are missing and may not be installed', async () => {
  await failsWith(
    {
      args: ['tune', '--no-install', '--out', at('out')],
      env: { PATH: [at('bin')].join(delimiter), PLUMBFOX_FIREFOX: undefined },
      says: /Missing, and installing was not allowed \(--no-install\): .*socat.*\. Install with: sudo apt-get install .*socat/,
    },
    3,
  );
});

test.runIf(root)('exit code 3: programs are missing, and there is no terminal to ask at', async () => {
  await failsWith(
    {
      args: ['tune', '--out', at('out')],
      env: { PATH: at('apt'), PLUMBFOX_FIREFOX: undefined },
      says: /Missing, and there is no terminal to ask .* \(to allow it: \S+ \S+plumbfox\.mjs tune --out \S+ --yes\): .*socat.*\. Install with: sudo apt-get/,
    },
    3,
  );
  expect(existsSync(at('apt', 'called'))).toBe(false);
});

test.runIf(root)('exit code 3: programs are installed where that was said, and apt-get cannot', async () => {
  const run = startCommand(['tune', '--yes', '--out', at('out')], { env: { PATH: at('apt'), PLUMBFOX_FIREFOX: undefined } });
  const { code, stderr } = await run.ended.finally(() => run.dispose());
  expect([code, stderr]).toEqual([
    3,
    expect.stringMatching(/^Installing .*socat.* \.\.\.\nplumbfox: apt-get could not install them \(E: no such package\): .*socat.*\n$/),
  ]);
  expect(readFileSync(at('apt', 'called'), 'utf8')).toMatch(/^update -qq\n-o .* install .*socat.*\n$/);
});

test.runIf(root)('exit code 3: programs of the emulated links are missing; no Firefox is asked for, as none is started', async () => {
  await failsWith(
    {
      args: ['lab', 'check', '--no-install'],
      env: { PATH: [at('bin')].join(delimiter), PLUMBFOX_FIREFOX: undefined },
      says: /Missing, and installing was not allowed \(--no-install\): (?!.*firefox).*socat.*\. Install with: sudo apt-get install .*socat/,
    },
    3,
  );
});

// When all of them have ended: while they run side by side, one may see the folder that another makes for a moment.
test('whatever fails leaves no file', () => {
  expect(readdirSync(folder)).toEqual(there);
});

describe('help', () => {
  test.each([[[]], [['--help']], [['help']], [['tune', '--help']], [['tune', '-h']], [['help', 'tune']]])(
    '%s: on stdout, exit code 0',
    async (args) => {
      const run = startCommand(args);
      const ended = await run.ended;
      expect([ended.code, ended.stderr]).toEqual([0, '']);
      expect(ended.stdout).toMatch(/plumbfox tune/);
      await run.dispose();
    },
  );

  test('the command alone names tune first', async () => {
    const run = startCommand([]);
    const commands = (await run.ended).stdout.match(/^ {2}plumbfox \S+/gm);
    expect(commands?.[0]).toBe('  plumbfox tune');
    await run.dispose();
  });

  test('--version: the version of package.json', async () => {
    const run = startCommand(['--version']);
    const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
    expect((await run.ended).stdout).toBe(`plumbfox ${version}\n`);
    await run.dispose();
  });

  test('a reader that stops reading is no fault', async () => {
    const run = startCommand(['tune', '--help']);
    run.child.stdout?.destroy();
    const ended = await run.ended;
    expect([ended.code, ended.stderr]).toEqual([0, '']);
    await run.dispose();
  });
});

test.runIf(existsSync('/dev/full'))('an output that cannot be written is told, with exit code 3', () => {
  const { status, stderr } = spawnSync('/bin/sh', ['-c', 'exec "$0" "$1" tune --help >/dev/full', process.execPath, COMMAND], {
    encoding: 'utf8',
  });
  expect([status, stderr]).toEqual([3, 'plumbfox: the output cannot be written (ENOSPC)\n']);
});
