/** The simulator against the corpus, and against what it was once able to. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { BASELINE_FILE, baselineOf, parseBaseline, worseThan } from '../../accuracy/harness/baseline.ts';
import { ANY_MACHINE, evaluate, simulatorOnAnyMachine } from '../../accuracy/harness/evaluate.ts';
import { readCorpus } from '../../accuracy/harness/read-corpus.ts';
import { RESULTS_FILE, resultsRow } from '../../accuracy/harness/results-table.ts';

/** What to do when the figures are others, and no worse. */
const RENEW = 'npm run accuracy -- --write';

const corpus = readCorpus('test/corpus');
const halves = evaluate(corpus.scenarios, { others: new Map([[ANY_MACHINE, simulatorOnAnyMachine]]) });
const found = baselineOf(halves);
const reporting = halves.find(({ half }) => half === 'reporting');

describe('accuracy of predictions', () => {
  it('rests on at least 200 real loads', () => {
    expect(halves.reduce((sum, { loads }) => sum + loads, 0)).toBeGreaterThanOrEqual(200);
  });

  it('is no worse than the baseline', () => {
    const worse = worseThan(parseBaseline(readFileSync(BASELINE_FILE, 'utf8')), found);
    expect(worse.join('\n')).toBe('');
  });

  it('is what the documentation says', () => {
    const documented = readFileSync(RESULTS_FILE, 'utf8').split('\n');
    for (const predictor of reporting?.predictors ?? []) expect(documented, RENEW).toContain(resultsRow(predictor));
  });

  it('meets its bars where nothing was fitted', () => {
    const { errorP50, errorP90, spearman, bestFound } = found.reporting;
    expect(errorP50, 'median error').toBeLessThanOrEqual(0.05);
    expect(errorP90, 'error of nine in ten').toBeLessThanOrEqual(0.15);
    expect(spearman, 'order of the profiles').toBeGreaterThanOrEqual(0.93);
    expect(bestFound, 'best profile found').toBeGreaterThanOrEqual(0.9);
  });
});
