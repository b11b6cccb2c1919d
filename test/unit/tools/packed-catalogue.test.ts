/** The catalogue by columns, as the package has it: the rows that come of them are those of the sources. */
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { type Columns, packRows, unpackRows } from '../../../src/core/profiles/catalogue/packed-rows.ts';
import { CATALOGUE } from '../../../src/core/profiles/catalogue.ts';
import { EFFECTS } from '../../../src/core/profiles/reference/effects.ts';
// @ts-expect-error A build script, checked by its own comments.
import { catalogueByColumns, packedCatalogue } from '../../../src/tools/packed-catalogue.mjs';

const ROOT = join(import.meta.dirname, '../../..');

it('has a line of each name, each other value once, and for each row which', () => {
  const rows = [
    { name: 'a', bounds: { min: 0 }, kept: true },
    { name: 'b', kept: false },
    { name: 'c', bounds: { min: 0 } },
  ];
  const columns = packRows(rows, ['name']);
  expect(columns).toEqual({
    name: 'a\nb\nc',
    bounds: { values: [{ min: 0 }], which: ')()' },
    kept: { values: [true, false], which: ')*(' },
  });
  expect(unpackRows(columns)).toEqual(rows);
  expect(() => packRows([{ name: 'a\nb' }], ['name'])).toThrow('A line break would become two lines');
});

it('gives every entry again, with what the builds have, and its effect in the same place', async () => {
  const { rows, columns, subjects, effects } = await packedCatalogue(ROOT);
  const unpacked = unpackRows(columns as Columns);
  // Not by way of JSON, which has no `Infinity`. A member that is undefined is not there.
  expect(unpacked).toEqual(rows);
  expect(unpacked.map(({ preference }) => preference).toSorted()).toEqual(CATALOGUE.map(({ preference }) => preference).toSorted());
  expect(subjects.map(({ from }: { from: number }) => from)).toEqual([
    0,
    ...subjects.slice(0, -1).map(({ until }: { until: number }) => until),
  ]);
  for (const [at, { preference }] of unpacked.entries()) expect(effects[at]).toBe(EFFECTS[String(preference)]);
});

it('stands for the files of the catalogue, and for no other', async () => {
  const { transform } = await catalogueByColumns(ROOT);
  expect(transform('', '/a/src/core/profiles/catalogue/dns.ts')).toMatch(
    /^import \{ ROWS \} from '.\/packed-rows.ts';\nexport const DNS = /,
  );
  expect(transform('', '/a/src/core/profiles/catalogue/names.ts')).toBeUndefined();
});
