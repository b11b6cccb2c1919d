/** The simulator against the corpus, and against what it was once able to. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { errorOfRegimes, MODEL_ERROR, REGIME_ERRORS } from '../../../src/core/simulate/model-error.ts';
import { BASELINE_FILE, baselineOf, parseBaseline, worseThan } from '../../accuracy/harness/baseline.ts';
import { ANY_MACHINE, evaluate, simulatorOnAnyMachine } from '../../accuracy/harness/evaluate.ts';
import { basisText, shownScore } from '../../accuracy/harness/model-error-source.ts';
import { readCorpus } from '../../accuracy/harness/read-corpus.ts';
import { regimeErrors } from '../../accuracy/harness/regime-errors.ts';
import { RESULTS_FILE, regimeRow, resultsRow } from '../../accuracy/harness/results-table.ts';
import { madePrediction } from '../../support/predictions.ts';

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

  it('is what every prediction is shown with', () => {
    const shown = reporting && shownScore(reporting);
    expect(MODEL_ERROR, RENEW).toEqual({
      errorP50: Number(shown?.errorP50.toFixed(4)),
      errorP90: Number(shown?.errorP90.toFixed(4)),
      basis: reporting && basisText(reporting, corpus.firefox),
    });
  });

  it('is by regime what every prediction is shown with, and the documentation says', () => {
    const regimes = regimeErrors(corpus.scenarios);
    expect(REGIME_ERRORS, RENEW).toEqual(regimes);
    const documented = readFileSync(RESULTS_FILE, 'utf8').split('\n');
    for (const row of regimes) expect(documented, RENEW).toContain(regimeRow(row));
  });

  it('shows the error of the worst regime among the predictions, and of all where none was measured', () => {
    const errorOf = (profileId: string, retransmissions: number) =>
      errorOfRegimes([{ ...madePrediction(profileId, 1000), retransmissions }]);
    const row = (carrier: string, loss: string) =>
      REGIME_ERRORS.find((each) => each.machine === 'unknown' && each.carrier === carrier && each.loss === loss)?.errorP90;
    expect(errorOf('c8-d1', 0)?.errorP90).toBe(row('none', 'none'));
    expect(errorOf('c8-d1', 3)?.errorP90).toBe(row('none', 'some'));
    expect(errorOf('c4-d6', 0)?.errorP90).toBe(row('gateway', 'none'));
    expect(errorOf('c4-d6', 0)?.basis).toMatch(/^HTTP\/1.1 through the gateway, no packet lost: \d+ pairs/);
    expect(errorOfRegimes([])).toBe(MODEL_ERROR);
  });

  it('meets its bars where nothing was fitted', () => {
    const { errorP50, errorP90, spearman, bestFound } = found.reporting;
    expect(errorP50, 'median error').toBeLessThanOrEqual(0.05);
    expect(errorP90, 'error of nine in ten').toBeLessThanOrEqual(0.15);
    expect(spearman, 'order of the profiles').toBeGreaterThanOrEqual(0.93);
    expect(bestFound, 'best profile found').toBeGreaterThanOrEqual(0.9);
  });
});
