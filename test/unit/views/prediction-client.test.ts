import { expect, it } from 'vitest';
import type { ShownFieldPrediction } from '../../../src/protocol/prediction-answer.ts';
import { createPredictionAsker, type PredictionClient } from '../../../src/views/prediction-client.ts';

const ANSWER: ShownFieldPrediction = { state: 'no-loads' };

/** A worker that answers when it is told to; `asked`: with what. */
function heldClient() {
  const asked: (readonly string[])[] = [];
  const answers: { resolve: (answer: unknown) => void; reject: (error: Error) => void }[] = [];
  const client = {
    ask: ({ profiles }: { profiles: readonly string[] }) => {
      asked.push(profiles);
      return new Promise((resolve, reject) => answers.push({ resolve, reject }));
    },
  } as unknown as PredictionClient;
  return { client, asked, answers };
}

it('is computing until it is answered', async () => {
  const { client, answers } = heldClient();
  const states: unknown[] = [];
  const asker = createPredictionAsker(client, () => states.push(asker.state()?.state));
  expect(asker.state()).toBeUndefined();
  const answer = asker.predict(['c8-d1']);
  answers[0]?.resolve(ANSWER);
  expect(await answer).toBe(ANSWER);
  expect(states).toEqual(['computing', 'answered']);
  expect(asker.state()).toEqual({ state: 'answered', answer: ANSWER, again: false });
});

it('asked for while it is under way, it is asked for once more, with what is wanted then', async () => {
  const { client, asked, answers } = heldClient();
  const asker = createPredictionAsker(client, () => {});
  const first = asker.predict(['a']);
  const second = asker.predict(['b']);
  const third = asker.predict(['c']);
  answers[0]?.resolve({ state: 'link-not-known' });
  await expect.poll(() => asked.length).toBe(2);
  expect(asker.state()).toMatchObject({ state: 'answered', again: true });
  answers[1]?.resolve(ANSWER);
  expect(await Promise.all([first, second, third])).toEqual([ANSWER, ANSWER, ANSWER]);
  expect(asked).toEqual([['a'], ['c']]);
});

it('after a failure it can be asked for again', async () => {
  const { client, answers } = heldClient();
  const asker = createPredictionAsker(client, () => {});
  const failing = asker.predict(['a']);
  answers[0]?.reject(new Error('the worker ended'));
  await expect(failing).rejects.toThrow('the worker ended');
  expect(asker.state()).toEqual({ state: 'failed', message: 'the worker ended' });
  const again = asker.predict(['a']);
  expect(asker.state()).toEqual({ state: 'computing' });
  answers[1]?.resolve(ANSWER);
  expect(await again).toBe(ANSWER);
});
