/** What the build keeps of Chart.js is there, and what is left is still JavaScript. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { transform } from 'esbuild';
import { parseAst } from 'rolldown/parseAst';
import { expect, it } from 'vitest';
// @ts-expect-error A build script, checked by its own comments.
import { METHODS, WANTED, withoutUnusedParts } from '../../../src/tools/chart-parts.mjs';

const DIST = join(import.meta.dirname, '../../../node_modules/chart.js/dist');
const [whole = '', helpers = ''] = ['chart.js', 'chunks/index.js'].map((name) => readFileSync(join(DIST, name), 'utf8'));

it('finds all that it keeps or makes shorter, so that another version of Chart.js is noticed', () => {
  const found = new Set<string>();
  withoutUnusedParts(whole, found);
  withoutUnusedParts(helpers, found);
  expect(WANTED.filter((name: string) => !found.has(name))).toEqual([]);
  expect(new Set(WANTED).size).toBe(WANTED.length);
});

it('leaves each class its listed methods and its id, and no other member', () => {
  const classes = [whole, helpers].flatMap((code) =>
    parseAst(withoutUnusedParts(code, new Set())).body.flatMap((statement) => (statement.type === 'ClassDeclaration' ? [statement] : [])),
  );
  for (const [name, methods] of Object.entries(METHODS)) {
    const members = classes.find(({ id }) => id?.name === name)?.body.body ?? [];
    const named = members.map((member) => ('key' in member && member.key.type === 'Identifier' ? member.key.name : ''));
    expect.soft(named.filter((member) => member !== 'id').toSorted(), name).toEqual(Object.keys(methods as object).toSorted());
  }
});

it('leaves both files as JavaScript that can be read', async () => {
  for (const code of [whole, helpers]) {
    await expect(transform(withoutUnusedParts(code, new Set()))).resolves.toMatchObject({ warnings: [] });
  }
});
