/** When a page's prediction is made, and what is shown meanwhile. */
import { beforeEach, expect, it, vi } from 'vitest';
import { createFieldPredictor } from '../../../src/views/field-prediction.ts';
import { predictionView } from '../../../src/views/prediction-view.ts';
import { useBrowser } from '../../support/browser-global.ts';
import { fakeBrowser } from '../../support/fake-browser.ts';
import { endedTrial, PREDICTED, popupState } from '../controls/sample-state.ts';

let asked = 0;
const named: unknown[] = [];
vi.mock('../../../src/views/prediction-client.ts', async (original) => ({
  ...(await original<object>()),
  createPredictionClient: () => ({
    ask: async (request: { readonly named?: string }) => {
      named.push(request.named);
      asked += 1;
      return PREDICTED;
    },
  }),
}));

const state = popupState({ trial: endedTrial(undefined) });
const { trial: _, ...unreadable } = state;

beforeEach(() => {
  asked = 0;
  named.length = 0;
  useBrowser({ ...fakeBrowser(), runtime: { getManifest: () => ({ version: '0.1.0' }) } });
  vi.stubGlobal('document', { hidden: false });
  return () => vi.unstubAllGlobals();
});

async function predictor() {
  const states: Parameters<typeof predictionView>[0][] = [];
  const made = await createFieldPredictor({ onState: (one) => states.push(one), onChange: () => undefined, isShown: () => true });
  return { ...made, states, said: () => states.at(-1)?.state };
}

it('says that nothing can be read, until it can', async () => {
  const { follow, states, said } = await predictor();
  follow(unreadable);
  expect(states.map((one) => predictionView(one).status)).toEqual(['Plumbfox cannot read what it has stored, so it has no answer.']);
  follow(state);
  await expect.poll(said).toBe('answered');
  follow(unreadable);
  expect(said()).toBe('unreadable');
  follow(state);
  expect(said()).toBe('answered');
  expect(asked).toBe(1);
});

it('shows what another page has stored, predicts it no second time, and asks the next to keep what was named', async () => {
  const { follow, standing, said } = await predictor();
  const { browser } = globalThis as unknown as { browser: ReturnType<typeof fakeBrowser> };
  const notify = (held: object) => {
    for (const { event, listener } of browser.added)
      if (event === 'storage.local.onChanged') (listener as (changes: object) => void)({ fieldPrediction: { newValue: held } });
  };
  follow(state);
  await expect.poll(said).toBe('answered');
  const { fieldPrediction } = await browser.storage.local.get('fieldPrediction');
  const stored = fieldPrediction as { of: string; answer: object };
  notify({ ...stored, answer: { ...stored.answer, pages: 7 } });
  expect(standing()).toMatchObject({ state: 'predicted', pages: 7 });
  follow(state);
  expect(asked).toBe(1);
  expect(named).toEqual([undefined]);
  notify(stored);
  follow({ ...state, loads: state.loads + 1 });
  await expect.poll(() => asked).toBe(2);
  expect(named).toEqual([undefined, 'c8-d1']);
});

it('predicts again once a network was named, and keeps what was predicted until then', async () => {
  const { follow, renamed, standing, said } = await predictor();
  follow(state);
  await expect.poll(said).toBe('answered');
  follow(state);
  expect(asked).toBe(1);
  renamed();
  expect(standing()).toMatchObject({ state: 'predicted' });
  follow(state);
  await expect.poll(said).toBe('answered');
  expect(asked).toBe(2);
});
