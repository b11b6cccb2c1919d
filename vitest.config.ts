import { defineConfig } from 'vitest/config';
import { studiesForVite } from './src/tools/studies-module.mjs';

export default defineConfig({
  plugins: [studiesForVite],
  test: {
    env: { TZ: 'UTC', LC_ALL: 'C' },
    projects: [
      { extends: true, test: { name: 'unit', include: ['test/{unit,property,golden}/**/*.test.ts'] } },
      { extends: true, test: { name: 'calibration', include: ['test/calibration/**/*.test.ts'], testTimeout: 60_000 } },
      {
        extends: true,
        test: { name: 'contract', include: ['test/contract/**/*.test.ts'], globalSetup: ['test/support/servers-environment.ts'] },
      },
      { extends: true, test: { name: 'repo', include: ['test/repo/**/*.test.ts'], testTimeout: 60_000 } },
      {
        extends: true,
        test: {
          name: 'browser',
          include: ['test/browser/**/*.test.ts'],
          // One Firefox at a time: two browsers on two cores disturb each other's timing.
          fileParallelism: false,
          testTimeout: 180_000,
          hookTimeout: 180_000,
          globalSetup: ['test/support/browser-environment.ts'],
        },
      },
    ],
  },
});
