import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { shellWord } from '../../../../src/cli/output/shell-word.ts';

it.each(['plain/path-1.x', 'a b', `it's "$HOME" \`id\` \\ !`, 'two\nlines', 'é', ''])('a shell takes %j as it is', (word) => {
  expect(spawnSync('sh', ['-c', `printf %s ${shellWord(word, 'linux')}`], { encoding: 'utf8' }).stdout).toBe(word);
});

it('Windows keeps its separators', () => {
  expect(shellWord('C:\\Users\\Ann Lee', 'win32')).toBe('"C:\\Users\\Ann Lee"');
});
