// @ts-check
// Photographs every page in a real Firefox, headless, on contact sheets in dist/screenshots: npm run screenshots. With -- --docs: docs/pictures.
import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { bundleAndRun } from './run-bundled.mjs';

const isForDocs = process.argv.includes('--docs');
if (!isForDocs) {
  // The card's test reaches each of its states, and photographs it where this names a folder.
  const CARD_PICTURES = 'dist/screenshots/card';
  rmSync(CARD_PICTURES, { recursive: true, force: true });
  const args = ['node_modules/vitest/vitest.mjs', 'run', '--project', 'browser', 'test/browser/popup-card.test.ts'];
  const { status } = spawnSync(process.execPath, args, { stdio: 'inherit', env: { ...process.env, CARD_PICTURES } });
  if (status !== 0) process.stderr.write('Not every state of the card was reached: its sheet has those that were.\n');
}
await bundleAndRun('dist/screenshots-program', [`test/screenshots/${isForDocs ? 'screenshots' : 'sheets'}.ts`]);
