/** The part of the corpus that was sent with CUBIC: on a busy machine, so that it is held where the machine hardly shows. */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { readLoadsFile } from '../../accuracy/corpus/corpus-files.ts';
import { evaluate } from '../../accuracy/harness/evaluate.ts';
import { readCorpus } from '../../accuracy/harness/read-corpus.ts';

const FOLDER = 'test/corpus-cubic';
const { scenarios } = readCorpus(FOLDER);

it('is of CUBIC alone, and is simulated so', () => {
  const { sessions, loads } = readLoadsFile(readFileSync(`${FOLDER}/loads.json`, 'utf8'));
  expect(new Set(sessions.map(({ congestionControl }) => congestionControl))).toEqual(new Set(['cubic']));
  expect(loads).toHaveLength(577);
  expect(scenarios).toHaveLength(25);
  expect(scenarios.every(({ simulated }) => simulated.congestionControl === 'cubic')).toBe(true);
});

it('is predicted as docs/accuracy.md says', { timeout: 300_000 }, () => {
  const text = readFileSync('docs/accuracy.md', 'utf8');
  for (const { half, predictors } of evaluate(scenarios)) {
    const [ours, one] = [predictors[0], predictors.find(({ what }) => what === 'one real load')].map((each) => each?.score);
    const shares = [ours?.errorP50, ours?.errorP90, one?.errorP50, one?.errorP90].map((error) => `${(100 * (error ?? 0)).toFixed(1)} %`);
    expect(text).toContain(`| ${half} | ${ours?.pairs} | ${shares.join(' | ')} |`);
  }
});
