/** The popup's own prediction: what a report that is saved now waits for. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { wirePrediction } from '../../../src/controls/prediction.ts';
import { endedTrial, popupState } from './sample-state.ts';

const faked = vi.hoisted(() => ({
  held: undefined as unknown,
  ask: undefined as unknown as () => Promise<unknown>,
}));
vi.mock('../../../src/adapters/browser.ts', () => ({ browser: { runtime: { getManifest: () => ({ version: '0.1.0' }) } } }));
vi.mock('../../../src/adapters/field-storage.ts', () => ({
  readLastFieldPrediction: async () => faked.held,
  writeLastFieldPrediction: async () => undefined,
  onFieldPrediction: () => undefined,
}));
vi.mock('../../../src/views/page.ts', () => ({
  pageElement: () => ({ open: false, addEventListener: () => undefined }),
  reportOnPage: () => () => undefined,
  show: () => undefined,
}));
vi.mock('../../../src/views/prediction-view.ts', async (original) => ({
  ...(await original<object>()),
  renderPrediction: () => undefined,
}));
vi.mock('../../../src/views/prediction-client.ts', async (original) => ({
  ...(await original<object>()),
  createPredictionClient: () => ({ ask: () => faked.ask() }),
}));

const ANSWER = { state: 'link-not-known' } as const;
const state = popupState({ trial: endedTrial(undefined) });

describe('what the prediction has settled at', () => {
  beforeEach(() => {
    faked.held = undefined;
    vi.stubGlobal('document', { hidden: false });
    vi.stubGlobal('HTMLDetailsElement', Object);
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.unstubAllGlobals();
    vi.useRealTimers();
  });

  it('is the answer, once what is being worked out is there', async () => {
    let tell: (answer: unknown) => void = () => undefined;
    faked.ask = () => new Promise((done) => (tell = done));
    const prediction = await wirePrediction(() => undefined);
    prediction.follow(state);
    expect(prediction.standing()).toEqual({ state: 'working' });
    const settled = prediction.settled();
    tell(ANSWER);
    expect(await settled).toMatchObject(ANSWER);
  });

  it('is that it failed, where it failed', async () => {
    faked.ask = () => Promise.reject(new Error('no worker'));
    const prediction = await wirePrediction(() => undefined);
    prediction.follow(state);
    expect(await prediction.settled()).toEqual({ state: 'failed' });
  });

  it('is what was held of older loads, marked as such, where the newer takes too long', async () => {
    faked.ask = () => new Promise(() => undefined);
    faked.held = { of: 'older', loads: state.loads - 2, newestAt: 1, answer: ANSWER };
    const prediction = await wirePrediction(() => undefined);
    prediction.follow(state);
    const settled = prediction.settled();
    await vi.advanceTimersByTimeAsync(15_000);
    expect(await settled).toEqual({ ...ANSWER, loadsSince: 2 });
  });
});
