/** What the build takes out of Chart.js is there, each method once, and what is left is still JavaScript. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { transform } from 'esbuild';
import { expect, it } from 'vitest';
// @ts-expect-error A build script, checked by its own comments.
import { UNUSED, WANTED, withoutUnusedParts } from '../../../src/tools/chart-parts.mjs';

const DIST = join(import.meta.dirname, '../../../node_modules/chart.js/dist');
const [whole = '', helpers = ''] = ['chart.js', 'chunks/index.js'].map((name) => readFileSync(join(DIST, name), 'utf8'));

it('finds all that it takes out, so that another version of Chart.js is noticed', () => {
  const found = new Set<string>();
  withoutUnusedParts(whole, found);
  withoutUnusedParts(helpers, found);
  expect(WANTED.filter((name: string) => !found.has(name))).toEqual([]);
  expect(new Set(WANTED).size).toBe(WANTED.length);
});

it('leaves nothing of a method that goes, and no call of its own class to it', () => {
  const left = withoutUnusedParts(whole, new Set());
  for (const [name, methods] of Object.entries<readonly string[]>(UNUSED)) {
    const body = new RegExp(`^class ${name}\\b[\\s\\S]*?^\\}\\n`, 'm').exec(left)?.[0] ?? '';
    expect(body).not.toBe('');
    for (const method of methods) expect.soft(body, `${name}.${method}`).not.toMatch(new RegExp(`^ {1,4}(?:static )?${method}\\(`, 'm'));
  }
  expect(left.length).toBeLessThan(whole.length - 30_000);
});

it('leaves both files as JavaScript that can be read', async () => {
  for (const code of [whole, helpers]) {
    await expect(transform(withoutUnusedParts(code, new Set()))).resolves.toMatchObject({ warnings: [] });
  }
});
