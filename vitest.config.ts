import { readdirSync, readFileSync } from 'node:fs';
import { defineConfig } from 'vitest/config';
import { longestFirst } from './src/tools/longest-first.mjs';
import { studiesForVite } from './src/tools/studies-module.mjs';

/** Tests that drive Firefox. */
const IN_FIREFOX = {
  expect: { poll: { timeout: 60_000 } },
  globalSetup: ['test/support/browser-environment.ts'],
};
/** Those that measure over emulated links, and compare what they measured; and one that takes a processor away from everything else. */
const MEASURED = [
  'test/contract/prompt-relay.test.ts',
  'test/browser/{extension-field-links,extension-trial-verdict,lab-far-link,lab-link,lab-run,lab-switch,tune,tune-search,tune-writes}.test.ts',
];

/** Long files that wait for another run of `npm test` (src/tools/test-turns.mjs). Vitest's own `--exclude` does not reach a project that excludes. */
const WAITING = (process.env.PLUMBFOX_WAITING ?? '').split(',').filter((path) => path !== '');

/** A stand-in for Firefox's own global, which modules of the extension look for as they are loaded. */
const SIMPLE = { setupFiles: ['test/support/browser-global.ts'] };
const UNIT = ['test/unit', 'test/golden'];
/** Files that put something in the place of a module or a global: each has a world of its own. The others share one, which takes half the time. */
const ISOLATED = UNIT.flatMap((folder) => readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((path) => `${folder}/${path}`))
  .filter((path) => path.endsWith('.test.ts'))
  .filter((path) =>
    /\b(?:useBrowser|speakGerman)\(|\bvi\.(mock|doMock|stub\w+|spyOn|useFakeTimers|resetModules)\(/.test(readFileSync(path, 'utf8')),
  );

export default defineConfig({
  plugins: [studiesForVite, longestFirst],
  resolve: { alias: { 'webextension-polyfill': new URL('test/support/polyfill-stand-in.ts', import.meta.url).pathname } },
  test: {
    env: { TZ: 'UTC', LC_ALL: 'C' },
    // What is waited for has an event behind it, which a busy machine may bring late; Vitest's own second has failed for that.
    expect: { poll: { timeout: 30_000 } },
    // What hangs is ended by these, and nothing else: some files work for 10 s, and others may have the processors meanwhile.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    setupFiles: ['test/support/property-seed.ts'],
    // Vitest leaves one core free for whoever watches; on two cores that is half of what there is.
    maxWorkers: '100%',
    projects: [
      {
        extends: true,
        test: { ...SIMPLE, name: 'unit', include: UNIT.map((folder) => `${folder}/**/*.test.ts`), exclude: ISOLATED, isolate: false },
      },
      { extends: true, test: { ...SIMPLE, name: 'isolated', include: ISOLATED } },
      { extends: true, test: { ...SIMPLE, name: 'property', include: ['test/property/**/*.test.ts'] } },
      { extends: true, test: { name: 'calibration', include: ['test/calibration/**/*.test.ts'] } },
      {
        extends: true,
        test: {
          name: 'contract',
          include: ['test/contract/**/*.test.ts'],
          exclude: MEASURED,
          globalSetup: ['test/support/contract-environment.ts'],
        },
      },
      { extends: true, test: { name: 'repo', include: ['test/repo/**/*.test.ts'] } },
      {
        extends: true,
        test: {
          ...IN_FIREFOX,
          name: 'browser',
          include: ['test/browser/**/*.test.ts'],
          exclude: [...MEASURED, ...WAITING],
          // They wait more than they work; more than two browsers on two cores would keep each other from starting in time.
          maxWorkers: 2,
          sequence: { groupOrder: 1 },
        },
      },
      {
        extends: true,
        test: {
          ...IN_FIREFOX,
          name: 'lab',
          include: MEASURED,
          exclude: WAITING,
          // One at a time: two browsers on two cores disturb each other's timing.
          maxWorkers: 1,
          sequence: { groupOrder: 2 },
        },
      },
    ],
  },
});
