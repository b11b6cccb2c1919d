import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { joinedNames } from '../../../../src/lab/firefox/joined-names.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'plumbfox-names-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** What a template inserts, written so that this file holds no template by mistake. */
const GAP = ['$', '{name}'].join('');

/** Of the names those that the script, or the library, may put together. */
async function assembled(script: string, ...names: readonly string[]): Promise<readonly string[]> {
  return joinedBy({ script, library: '' }, names);
}

async function joinedBy({ script, library }: { script: string; library: string }, names: readonly string[]): Promise<readonly string[]> {
  writeFileSync(join(folder, 'omni.ja'), script.replaceAll('GAP', GAP));
  writeFileSync(join(folder, 'libxul'), library);
  return [...(await joinedNames(names, { library: join(folder, 'libxul'), folders: [folder], known: new Set(['known.branch']) })).keys()];
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

it.each([
  ['a branch and what the library is asked for', { library: '\0network.protocol-handler.expose.\0', script: '' }],
  ['a branch that printf goes on with', { library: '\0network.protocol-handler.expose.%s\0', script: '' }],
  ['a constant', { library: '', script: 'const BRANCH = "network.protocol-handler.expose.";' }],
  ['a constant without its dot', { library: '', script: 'const BRANCH =\n  "network.protocol-handler.expose";' }],
  ['a branch that is opened', { library: '', script: 'Services.prefs.getBranch("network.protocol-handler.expose.")' }],
  [
    'a short list of branches',
    { library: '', script: 'for (const root of ["network.protocol-handler.expose.", "a.b."]) getChildList(root)' },
  ],
  ['a placeholder', { library: '', script: 'PREF = "network.protocol-handler.{0}"' }],
])('%s may read it', async (_, files) => {
  expect(await joinedBy(files, ['network.protocol-handler.expose.tel', 'other.expose.tel'])).toEqual([
    'network.protocol-handler.expose.tel',
  ]);
});

it('a branch of one part goes on with what stands in quotation marks', async () => {
  const files = { library: '', script: 'getBranch("services.").getBoolPref("debug")' };
  expect(await joinedBy(files, ['services.debug', 'services.other'])).toEqual(['services.debug']);
});

it.each([
  ['a branch that is only observed', { library: '\0network.http.\0', script: 'addObserver("network.http.pipelining.", this)' }],
  ['one that is only compared', { library: '', script: 'name.startsWith("network.http.pipelining.")' }],
  [
    'a long list of branches',
    { library: '', script: `[${Array.from({ length: 25 }, (_, at) => `"network.http.", "x${at}.y."`).join(', ')}]` },
  ],
  ['a preference by itself', { library: '', script: 'PREF = "known.branch";' }],
])('%s reads nothing', async (_, files) => {
  expect(await joinedBy(files, ['network.http.pipelining.ssl', 'known.branch.sub'])).toEqual([]);
});

it('a branch that is observed goes on with what the library has by itself', async () => {
  const files = { library: '\0network.http.\0pipelining\0', script: '' };
  expect(await joinedBy(files, ['network.http.pipelining', 'network.http.spdy'])).toEqual(['network.http.pipelining']);
});
