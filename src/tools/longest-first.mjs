// @ts-check
// The order of test files: what takes longest begins first, so that no file is left to run alone at the end beside an idle worker.
import { relative } from 'node:path';
import { BaseSequencer } from 'vitest/node';
import { longFiles } from './test-turns.mjs';

/**
 * The longest first, as each took in its own run beside other work; of a project, those that take more than the others. Vitest goes by
 * size where it has not run before, as in a fresh clone, and some of these are short texts.
 */
export const LONGEST = [
  'test/calibration/verdicts.test.ts',
  'test/calibration/run-comparison.test.ts',
  'test/calibration/lanes-check.test.ts',
  'test/contract/npm-pack.test.ts',
  'test/contract/helper/replace-file-faults.test.ts',
  'test/contract/accuracy-command.test.ts',
  'test/contract/helper/profile-lock.test.ts',
  'test/contract/lab-origins.test.ts',
  'test/contract/cli/helper-command.test.ts',
  ...longFiles('browser'),
  ...longFiles('lab'),
];

/** For Vitest's configuration: only in place of its own order, so that `--sequence.shuffle.files` shuffles. */
export const longestFirst = {
  name: 'longest-first',
  /** @param {{ vitest: { config: { sequence: { sequencer: unknown } } } }} context */
  configureVitest({ vitest: { config } }) {
    if (config.sequence.sequencer === BaseSequencer) config.sequence.sequencer = LongestFirst;
  },
};

/** Projects keep their order; within one, the known long ones first, then as Vitest has it. */
export class LongestFirst extends BaseSequencer {
  /**
   * @param {import('vitest/node').TestSpecification[]} files
   * @returns {Promise<import('vitest/node').TestSpecification[]>}
   */
  async sort(files) {
    const place = (/** @type {import('vitest/node').TestSpecification} */ { moduleId }) => {
      const at = LONGEST.indexOf(relative(this.ctx.config.root, moduleId));
      return at < 0 ? LONGEST.length : at;
    };
    const sorted = await super.sort(files);
    const projects = [...new Set(sorted.map(({ project }) => project.name))];
    return projects.flatMap((name) => sorted.filter(({ project }) => project.name === name).sort((a, b) => place(a) - place(b)));
  }
}
