// @ts-check
// A seeded share of the mutants: drawn by what a mutant is, so that a run taken up again draws the same.
import { createHash } from 'node:crypto';

const SEED = 20_261_123;
/** Of a hash, enough to draw from. */
const DIGITS = 8;

/**
 * @param {{ fileName: string, location: unknown, mutatorName: string, replacement: string }} mutant
 * @param {number} share
 */
export function drawn({ fileName, location, mutatorName, replacement }, share) {
  const hash = createHash('sha256').update(JSON.stringify([SEED, fileName, location, mutatorName, replacement]));
  return Number.parseInt(hash.digest('hex').slice(0, DIGITS), 16) / 16 ** DIGITS < share;
}
