/** `npm run read-preferences -- --firefox PATH`: reads a build of Firefox into a fixture, and writes the catalogue's `builds.ts` from all of them. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { CATALOGUE } from '../../../src/core/profiles/catalogue.ts';
import { READ_VERSIONS } from '../../../src/core/profiles/knob.ts';
import { buildNames, defaultsUnder } from '../../../src/lab/firefox/build-preferences.ts';
import { chromeContext } from '../../../src/lab/firefox/chrome-context.ts';
import { launchFirefox } from '../../../src/lab/firefox/launch-firefox.ts';
import { BUILDS_MODULE, type BuildFixture, buildFixtures, buildsModule, FIXTURES, majorOf } from './builds-module.ts';

/** What decides about requests; the whole default branch has twice as many. */
const PREFIXES = ['network.', 'security.'];

const { values } = parseArgs({ options: { firefox: { type: 'string' } } });
if (values.firefox === undefined) throw new Error('Which Firefox? npm run read-preferences -- --firefox PATH');
const names = CATALOGUE.map(({ preference }) => preference);
const firefox = await launchFirefox({ program: values.firefox });
try {
  const chrome = await chromeContext(firefox.browser);
  const build = await buildNames(chrome, names);
  if (build.underPolicy) throw new Error('An enterprise policy is in force, which may have changed default values');
  const fixture: BuildFixture = {
    version: build.version,
    buildId: build.buildId,
    catalogue: Object.fromEntries(
      build.names.map(({ name, value, occurs }) => [name, { ...(value !== undefined && { default: value }), occurs }]),
    ),
    defaults: Object.fromEntries(
      (await defaultsUnder(chrome, PREFIXES)).flatMap(({ name, value }) => (value === undefined ? [] : [[name, value]])),
    ),
  };
  mkdirSync(FIXTURES, { recursive: true });
  const [major = '', minor = '0'] = build.version.split('.');
  writeFileSync(`${FIXTURES}/${major}.${minor}.json`, fixtureText(fixture));
  process.stdout.write(
    `Firefox ${build.version}: ${names.length} names of the catalogue and ${Object.keys(fixture.defaults).length} default values\n`,
  );
} finally {
  await firefox.close();
}
const fixtures = buildFixtures();
const missing = READ_VERSIONS.filter((version) => !fixtures.some((each) => majorOf(each.version) === version));
const stale = fixtures.filter(({ catalogue }) => names.some((name) => !Object.hasOwn(catalogue, name)));
if (missing.length + stale.length === 0) writeFileSync(BUILDS_MODULE, buildsModule(names, fixtures));
else
  process.stdout.write(
    `${BUILDS_MODULE} is written once these are read: ${[...missing, ...stale.map(({ version }) => version)].join(', ')}\n`,
  );

/** One preference a line. */
function fixtureText({ catalogue, defaults, ...build }: BuildFixture): string {
  const lines = (entries: object) =>
    Object.entries(entries)
      .map(([name, value]) => `    ${JSON.stringify(name)}: ${spaced(value)}`)
      .join(',\n');
  const head = JSON.stringify(build, undefined, 2).slice(0, -2);
  return `${head},\n  "catalogue": {\n${lines(catalogue)}\n  },\n  "defaults": {\n${lines(defaults)}\n  }\n}\n`;
}

/** As the formatter writes it. */
function spaced(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).map(([name, member]) => `${JSON.stringify(name)}: ${JSON.stringify(member)}`);
  return `{ ${members.join(', ')} }`;
}
