/** A page's client of the prediction worker, which is started with the first request. */
import * as v from 'valibot';
import { readLinkNames } from '../adapters/field-storage.ts';
import { PlumbfoxError } from '../core/errors.ts';
import {
  type PredictionAnswers,
  type PredictionRequest,
  predictionReplySchema,
  type ShownFieldPrediction,
} from '../protocol/prediction-answer.ts';
import type { PredictionState } from './prediction-view.ts';
import { text } from './text.ts';

/** A request without the members that the client adds. */
type Question<K> = Omit<Extract<PredictionRequest, { kind: K }>, 'number' | 'names'>;

export interface PredictionClient {
  /** @throws PlumbfoxError `internal` when the worker cannot be started, or fails. */
  ask<K extends PredictionRequest['kind']>(question: Question<K> & { readonly kind: K }): Promise<PredictionAnswers[K]>;
}

interface Waiting {
  readonly kind: PredictionRequest['kind'];
  readonly resolve: (answer: never) => void;
  readonly reject: (reason: PlumbfoxError) => void;
}

/** The path is the same from every page of the extension: each is in its own folder. */
const WORKER = '../views/prediction-worker.js';

/** Creates a client without starting the worker. */
export function createPredictionClient(): PredictionClient {
  const waiting = new Map<number, Waiting>();
  let worker: Worker | undefined;
  let asked = 0;

  /** Fails all open requests; the next one starts another worker. */
  const giveUp = (message: string) => {
    worker?.terminate();
    worker = undefined;
    for (const { reject } of waiting.values()) reject(new PlumbfoxError('internal', message));
    waiting.clear();
  };
  const onMessage = (data: unknown) => {
    const parsed = v.safeParse(predictionReplySchema, data);
    if (!parsed.success) return giveUp(text('prediction.badReply'));
    const reply = parsed.output;
    const one = waiting.get(reply.number);
    waiting.delete(reply.number);
    if (one === undefined) return;
    if (reply.kind === one.kind) one.resolve(reply.answer as never);
    else one.reject(new PlumbfoxError('internal', reply.kind === 'failed' ? reply.message : text('prediction.badReply')));
  };
  const start = () => {
    const started = new Worker(WORKER, { type: 'module' });
    started.addEventListener('message', ({ data }) => onMessage(data));
    started.addEventListener('error', (event) => giveUp(event.message || text('prediction.notStarted')));
    return started;
  };
  return {
    ask: async (question) => {
      const names = await readLinkNames();
      return new Promise((resolve, reject) => {
        asked += 1;
        waiting.set(asked, { kind: question.kind, resolve, reject });
        worker ??= start();
        worker.postMessage({ ...question, names, number: asked });
      });
    },
  };
}

/** The prediction for the newest loads, requested when it is wanted, and once more when something has changed since. */
interface PredictionAsker {
  /** `undefined`: never requested. */
  readonly state: () => PredictionState | undefined;
  /** Predicts again; while a prediction is in progress, once more after it. @returns the last answer. @throws as the client does. */
  readonly predict: (profiles: readonly string[]) => Promise<ShownFieldPrediction>;
}

/** Combines requests that come while a prediction is in progress into one. */
export function createPredictionAsker(client: PredictionClient, onChange: () => void): PredictionAsker {
  let state: PredictionState | undefined;
  let last: ShownFieldPrediction | undefined;
  let underWay: Promise<ShownFieldPrediction> | undefined;
  let wanted: readonly string[] | undefined;

  const change = (changed: PredictionState) => {
    state = changed;
    onChange();
  };
  const run = async (): Promise<ShownFieldPrediction> => {
    try {
      while (wanted !== undefined) {
        const profiles = wanted;
        wanted = undefined;
        change(last === undefined ? { state: 'computing' } : { state: 'answered', answer: last, again: true });
        last = await client.ask({ kind: 'predict-field', profiles: [...profiles] });
      }
      if (last === undefined) throw new PlumbfoxError('internal', 'Nothing was asked for.');
      underWay = undefined;
      change({ state: 'answered', answer: last, again: false });
      return last;
    } catch (error) {
      last = undefined;
      wanted = undefined;
      underWay = undefined;
      change({ state: 'failed', message: error instanceof Error ? error.message : String(error) });
      throw error;
    }
  };
  return {
    state: () => state,
    predict: (profiles) => {
      wanted = profiles;
      underWay ??= run();
      return underWay;
    },
  };
}
