// @ts-check
// What Stryker runs: tests of one module in one project, without those that need a build or a browser.
import { defineConfig } from 'vitest/config';
import { studiesForVite } from '../studies-module.mjs';

export default defineConfig({
  plugins: [studiesForVite],
  test: {
    env: { TZ: 'UTC', LC_ALL: 'C' },
    setupFiles: ['test/support/property-seed.ts'],
    include: JSON.parse(process.env.PLUMBFOX_MUTATION_TESTS ?? '[]'),
    hookTimeout: 600_000,
    testTimeout: 600_000,
  },
});
