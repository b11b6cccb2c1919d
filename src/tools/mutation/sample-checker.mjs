// @ts-check
// A checker for Stryker that lets a seeded share of the mutants through: drawn by what a mutant is, so that a run taken up again draws the same.
import { createHash } from 'node:crypto';

const SEED = 20_261_123;
const SHARE = Number(process.env.PLUMBFOX_MUTATION_SHARE ?? 1);
/** Of a hash, enough to draw from. */
const DIGITS = 8;

/** @param {{ fileName: string, location: unknown, mutatorName: string, replacement: string }} mutant */
function drawn({ fileName, location, mutatorName, replacement }) {
  const name = fileName.slice(fileName.indexOf('/src/'));
  const hash = createHash('sha256').update(JSON.stringify([SEED, name, location, mutatorName, replacement]));
  return Number.parseInt(hash.digest('hex').slice(0, DIGITS), 16) / 16 ** DIGITS < SHARE;
}

class SampleChecker {
  async init() {}
  /** @param {readonly { id: string, fileName: string, location: unknown, mutatorName: string, replacement: string }[]} mutants */
  async check(mutants) {
    const left = { status: 'compileError', reason: 'not drawn' };
    return Object.fromEntries(mutants.map((mutant) => [mutant.id, drawn(mutant) ? { status: 'passed' } : left]));
  }
}

export const strykerPlugins = [{ kind: 'Checker', name: 'sample', injectableClass: SampleChecker }];
