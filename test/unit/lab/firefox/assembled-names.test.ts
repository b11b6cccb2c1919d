import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { assembledNames } from '../../../../src/lab/firefox/assembled-names.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'plumbfox-names-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** What a template inserts, written so that this file holds no template by mistake. */
const GAP = ['$', '{name}'].join('');

/** Of the names those that the script may put together. */
async function assembled(script: string, ...names: readonly string[]): Promise<readonly string[]> {
  writeFileSync(join(folder, 'omni.ja'), script.replaceAll('GAP', GAP));
  return [...(await assembledNames(names, [folder]))];
}

it.each([
  ['a template with a gap', 'Services.prefs.getBoolPref(`extensions.ui.GAP.hidden`)'],
  ['a sum with a gap', 'getBoolPref("extensions.ui." + name + ".hidden")'],
  ['a template that ends with a gap', 'getBoolPref(`extensions.ui.GAP`)'],
  ['a sum that ends with a gap', "getBoolPref('extensions.ui.' + name)"],
  ['a template of two gaps', 'getBoolPref(`extensions.ui.GAP.GAP`)'],
  ['a distinctive end in quotation marks', 'branch.getBoolPref("dictionary.hidden")'],
])('%s is found', async (_, script) => {
  const names = ['extensions.ui.dictionary.hidden', 'other.ui.dictionary.shown', 'extensions.ui'];
  expect(await assembled(script, ...names)).toEqual(['extensions.ui.dictionary.hidden']);
});

it.each([
  ['one part in front of a gap says too little', '`extensions.GAP` + "extensions." + name'],
  ['another end', '`extensions.ui.GAP.shown`'],
  ['an empty gap', '`extensions.ui.dictionary.GAP.hidden`'],
])('%s', async (_, script) => {
  expect(await assembled(script, 'extensions.ui.dictionary.hidden')).toEqual([]);
});
