/** Published tweak lists as facts (test/fixtures/tweak-lists): names and values, in their order, and as the user.js that they are. */
import { readFileSync } from 'node:fs';
import type { BuildFacts, BuildPlatform, NameState } from '../../src/core/audit/build-facts.ts';
import type { PreferenceValue } from '../../src/core/profiles/knob.ts';

/** The lists whose every verdict is held against real builds. */
export const ACCEPTANCE_LISTS = ['betterfox-130', 'betterfox-152', 'arkenfox-2026-08', 'folklore'] as const;

type Line = readonly [string, PreferenceValue];

export const tweakList = (name: string): readonly Line[] =>
  (JSON.parse(readFileSync(new URL(`../fixtures/tweak-lists/${name}.json`, import.meta.url), 'utf8')) as { preferences: Line[] })
    .preferences;

/** One line for each, so that the line of the n-th is n. */
export const userJsOf = (lines: readonly Line[]): string =>
  lines.map(([name, value]) => `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});\n`).join('');

interface BuildFixture {
  readonly version: string;
  readonly platform: BuildPlatform;
  readonly names: Readonly<Record<string, NameState>>;
}

/** The builds that `node src/tools/read-tweak-lists.mjs` read, older first. */
export const READ_BUILDS = ['140.12', '153.8'] as const;

/** What a build had of the names of every list. */
export const buildFixture = (version: (typeof READ_BUILDS)[number]): BuildFixture =>
  JSON.parse(readFileSync(new URL(`../fixtures/tweak-lists/builds/${version}.json`, import.meta.url), 'utf8')) as BuildFixture;

export const fixtureFacts = ({ version, platform, names }: BuildFixture): BuildFacts => ({
  source: 'build',
  version,
  platform,
  stateOf: (name) => names[name] ?? { state: 'unknown' },
  knownNames: Object.keys(names).filter((name) => names[name]?.state === 'default'),
});
