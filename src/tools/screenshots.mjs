// @ts-check
// Photographs every page in a real Firefox, headless, on contact sheets in dist/screenshots: npm run screenshots. With -- --docs: docs/pictures.
import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { bundleAndRun } from './run-bundled.mjs';

const isForDocs = process.argv.includes('--docs');
if (!isForDocs) {
  // Tests reach each state of the card, and photograph it where this names a folder.
  const CARD_PICTURES = 'dist/screenshots/card';
  rmSync(CARD_PICTURES, { recursive: true, force: true });
  const inBrowser = (/** @type {string[]} */ ...names) => names.map((name) => `test/browser/${name}.test.ts`);
  const runs = [
    inBrowser('popup-card', 'extension-helper', 'extension-trial-verdict'),
    [...inBrowser('extension-record-loss'), '--testNamePattern', 'never remembers|does not let go'],
  ];
  for (const which of runs) {
    const args = ['node_modules/vitest/vitest.mjs', 'run', '--project', 'browser', '--project', 'lab', ...which];
    const { status } = spawnSync(process.execPath, args, { stdio: 'inherit', env: { ...process.env, CARD_PICTURES } });
    if (status !== 0) process.stderr.write('Not every state of the card was reached: its sheets have those that were.\n');
  }
}
await bundleAndRun('dist/screenshots-program', [`test/screenshots/${isForDocs ? 'screenshots' : 'sheets'}.ts`]);
