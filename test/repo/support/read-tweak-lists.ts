/** `node src/tools/read-tweak-lists.mjs --firefox OLDER --firefox NEWER`: what two builds have of the names of every tweak list, as fixtures. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import type { BuildFacts } from '../../../src/core/audit/build-facts.ts';
import { NETWORK_ROOTS } from '../../../src/core/audit/network-names.ts';
import type { PreferenceValue } from '../../../src/core/profiles/knob.ts';
import { defaultsUnder } from '../../../src/lab/firefox/build-preferences.ts';
import { chromeContext } from '../../../src/lab/firefox/chrome-context.ts';
import { textsUnder } from '../../../src/lab/firefox/joined-names.ts';
import { launchFirefox } from '../../../src/lab/firefox/launch-firefox.ts';
import { buildFacts } from '../../../src/lab/firefox/read-build-facts.ts';

const LISTS = 'test/fixtures/tweak-lists';
const GONE = 'src/lab/firefox/names-gone.ts';
const LINE = 150;

const { values } = parseArgs({ options: { firefox: { type: 'string', multiple: true } } });
const [older, newer, ...others] = values.firefox ?? [];
if (older === undefined || newer === undefined || others.length > 0) throw new Error('Which two? --firefox OLDER --firefox NEWER');
const names = [
  ...new Set(
    readdirSync(LISTS)
      .filter((file) => file.endsWith('.json'))
      .sort()
      .flatMap((file) => (JSON.parse(readFileSync(`${LISTS}/${file}`, 'utf8')) as { preferences: [string][] }).preferences)
      .map(([name]) => name),
  ),
].filter((name) => !name.startsWith('_'));

/** Of each build: names about the network, `null` without a default value. */
const network: Map<string, PreferenceValue | null>[] = [];

async function read(program: string, further: readonly string[]): Promise<BuildFacts> {
  const firefox = await launchFirefox({ program });
  try {
    const chrome = await chromeContext(firefox.browser);
    const underPolicy = await chrome.run<boolean>(`() => Services.policies?.status === Ci.nsIEnterprisePolicies?.ACTIVE`, null);
    if (underPolicy) throw new Error('An enterprise policy is in force, which may have changed default values');
    const files = await chrome.run<{ library: string; folders: string[] }>(
      `() => ({ library: Services.dirsvc.get('XpcomLib', Ci.nsIFile).path, folders: ['GreD', 'XCurProcD'].map((key) => Services.dirsvc.get(key, Ci.nsIFile).path) })`,
      null,
    );
    const held = new Map<string, PreferenceValue | null>();
    for (const text of await textsUnder(NETWORK_ROOTS, files)) held.set(text, null);
    for (const { name, value } of await defaultsUnder(chrome, NETWORK_ROOTS)) if (value !== undefined) held.set(name, value);
    network.push(held);
    return await buildFacts(chrome, [...names, ...further]);
  } finally {
    await firefox.close();
  }
}

function writeFixture({ version, platform, stateOf }: BuildFacts): void {
  const [major = '', minor = '0'] = version.split('.');
  const rows = names.map((name) => {
    const { state, ...rest } = stateOf(name);
    const members = Object.entries({ state, ...rest }).map(([member, value]) => `"${member}": ${JSON.stringify(value)}`);
    return `    ${JSON.stringify(name)}: { ${members.join(', ')} }`;
  });
  mkdirSync(`${LISTS}/builds`, { recursive: true });
  writeFileSync(
    `${LISTS}/builds/${major}.${minor}.json`,
    `{\n  "version": "${version}",\n  "platform": "${platform}",\n  "names": {\n${rows.join(',\n')}\n  }\n}\n`,
  );
}

const before = await read(older, []);
writeFixture(before);
const after = await read(newer, before.knownNames);
writeFixture(after);
const [from = '', by = ''] = [before.version, after.version].map((version) => version.split('.')[0]);
// A root that the newer build has no more is gone too.
const gone = before.knownNames.filter((name) => ['absent', 'foreign'].includes(after.stateOf(name).state)).sort();
const lines: string[] = [];
for (const name of gone) {
  const last = lines.at(-1);
  if (last === undefined || last.length + name.length > LINE - 6) lines.push(name);
  else lines[lines.length - 1] = `${last} ${name}`;
}
writeFileSync(
  GONE,
  `/**
 * Preferences that had a default value in Firefox ESR ${before.version} and of which ESR ${after.version} has no trace, both for Linux. Read out of the
 * two builds by \`node src/tools/read-tweak-lists.mjs\`: do not edit.
 */
const NAMES = \`
${lines.join('\n')}
\`;

const GONE: ReadonlySet<string> = new Set(NAMES.trim().split(/\\s+/));

/** The version of Firefox ESR that had a default value for it, if it is gone by the given major version. */
export const lastSeenIn = (name: string, major: number): string | undefined => (major >= ${by} && GONE.has(name) ? '${from}' : undefined);
`,
);
/** The package holds no address but its own. */
const cellText = (value: unknown): string => (typeof value === 'string' && value.includes('://') ? '?' : JSON.stringify(value));
const [held140, held153] = network;
const rows = [...new Set(network.flatMap((held) => [...held.keys()]))].sort().map((name) => {
  const cell = (held: typeof held140): string => (held?.has(name) ? cellText(held.get(name)) : '');
  return [name, cell(held140), cell(held153)].join(' ');
});
const MODULE = 'src/core/audit/network-names.ts';
const module = readFileSync(MODULE, 'utf8');
const [begin = '', end = ''] = ['const NAMES = String.raw`\n', '`;\n'];
writeFileSync(
  MODULE,
  module.slice(0, module.indexOf(begin) + begin.length) +
    rows.map((row) => `${row.replaceAll('`', "'")}\n`).join('') +
    module.slice(module.indexOf(end)),
);
process.stdout.write(`${rows.length} names about the network\n`);
process.stdout.write(`Firefox ${before.version} and ${after.version}: ${names.length} names of the lists; ${gone.length} names gone\n`);
