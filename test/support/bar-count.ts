import { appendFileSync } from 'node:fs';
import { relative } from 'node:path';
import { expect } from 'vitest';

/**
 * Notes for `npm run bars` how often a bar held, and fails where it did not.
 * @param bar 1 to 30, as docs/reliability.md numbers them.
 * @param what What was counted, in the plural: "loads", "kills".
 */
export function countBar(bar: number, what: string, held: number, of: number): void {
  const file = process.env.PLUMBFOX_BAR_COUNTS;
  if (file !== undefined) appendFileSync(file, `${JSON.stringify({ file: ownFile(), bar, what, held, of })}\n`);
  expect({ what, held }, `bar ${bar}`).toEqual({ what, held: of });
}

/** Of the test that counts, from the root of the repository. */
const ownFile = (): string => relative(process.cwd(), expect.getState().testPath ?? '');
