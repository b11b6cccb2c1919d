/** The commands that messages name are commands that work where they are pasted, and never what a registry would look up. */

import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ownCommand, rootCommand, runnable, shellWord } from '../../../../src/cli/output/own-command.ts';

let folder: string;
let program: string;
let node: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'plumbfox-own-command-'));
  program = join(folder, 'clone', 'plumbfox.mjs');
  node = join(folder, 'node-24', 'node');
  for (const name of ['clone', 'node-24', 'bin', 'other', 'clone/node_modules/.bin']) mkdirSync(join(folder, name), { recursive: true });
  for (const path of [program, node]) writeFileSync(path, '');
  chmodSync(node, 0o755);
  symlinkSync(program, join(folder, 'bin', 'plumbfox'));
  symlinkSync(program, join(folder, 'clone/node_modules/.bin/plumbfox'));
  writeFileSync(join(folder, 'other', 'plumbfox'), 'of a stranger');
});
afterAll(() => rmSync(folder, { recursive: true }));

const from = (...path: readonly string[]) => ({ program, node, path: path.map((name) => join(folder, name)).join(delimiter) });

describe('the own command', () => {
  it('is the name where the shell finds this very program by it', () => expect(ownCommand(from('bin'))).toBe('plumbfox'));
  it('is the file where the name is somebody else’s', () => expect(ownCommand(from('other', 'bin'))).toBe(`${node} ${program}`));
  it('is the file where there is no such name', () => expect(ownCommand(from('node-24'))).toBe(`node ${program}`));
  it('is the file where npm alone finds the name, while it runs', () =>
    expect(ownCommand(from('clone/node_modules/.bin', 'node-24'))).toBe(`node ${program}`));
  it('is the file behind a link', () =>
    expect(ownCommand({ ...from(), program: join(folder, 'bin', 'plumbfox') })).toBe(`${node} ${program}`));
  it('quotes what a shell would take apart', () =>
    expect(ownCommand({ program: '/home/a b/plumbfox.mjs', node: '/usr/bin/node', path: '' })).toBe(
      "/usr/bin/node '/home/a b/plumbfox.mjs'",
    ));
  it('names Node and the file to root, whose shell finds neither', () =>
    expect(rootCommand(['policy', '--uninstall'], from('bin', 'node-24'))).toBe(`sudo ${node} ${program} policy --uninstall`));
});

describe('a message', () => {
  it('has each command as it can be pasted', () => {
    expect(runnable('Undo    plumbfox revert, or “plumbfox helper doctor”', 'node /a.mjs')).toBe(
      'Undo    node /a.mjs revert, or “node /a.mjs helper doctor”',
    );
  });
  it.each(['See plumbfox tune --help', 'plumbfox 0.1.0', 'plumbfox: no', '/opt/plumbfox apply', 'the plumbfox tuned'])(
    'keeps %s',
    (text) => {
      expect(runnable(text, 'node /a.mjs')).toBe(text);
    },
  );
});

it.each(['plain/path-1.x', 'a b', `it's "$HOME" \`id\` \\ !`, 'two\nlines', 'é', ''])('a shell takes %j as it is', (word) => {
  expect(spawnSync('sh', ['-c', `printf %s ${shellWord(word, 'linux')}`], { encoding: 'utf8' }).stdout).toBe(word);
});

it('Windows keeps its separators', () => {
  expect(shellWord('C:\\Users\\Ann Lee', 'win32')).toBe('"C:\\Users\\Ann Lee"');
});
