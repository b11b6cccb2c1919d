/** The popup's client of the comparison worker: it keeps the last answer and notifies the popup of changes. */
import * as v from 'valibot';
import { takeEarlyWorker } from '../adapters/early-start.ts';
import { readLastFieldAnswer, readLinkNames, writeLastFieldAnswer } from '../adapters/field-storage.ts';
import { PlumbfoxError } from '../core/errors.ts';
import { type FieldAnswer, type WorkerReply, type WorkerRequest, workerReplySchema } from '../protocol/field-answer.ts';
import type { PopupState } from '../protocol/page-state.ts';
import { reasonOf, reportOnPage } from './page.ts';
import { text } from './text.ts';

export interface FieldState {
  /** The last answer; `undefined`: none yet. */
  readonly answer: FieldAnswer | undefined;
  /** Set while a comparison is in progress. */
  readonly comparing: PopupState['comparing'] | undefined;
  readonly failure: string | undefined;
}

type ReportRequest = Extract<WorkerRequest, { kind: 'report' }>;

export interface FieldComparer {
  state(): FieldState;
  /** Compares the stored loads; while a comparison runs, once more after it. @param shown - When the load began that the page shows. */
  compare(shown?: number): void;
  /** The report as the text of its file. @throws PlumbfoxError `internal` when it cannot be made. */
  report(facts: Pick<ReportRequest, 'provenance' | 'createdAt' | 'answer'>): Promise<string>;
  /** Removes the answer when there are no loads any more. */
  forget(): Promise<void>;
}

/** A comparison shows its progress only if it takes longer. Chosen, not measured. */
const SOON_MS = 300;
const UNKNOWN_PROGRESS = { missing: 0, loads: 0 };

interface ComparerPage {
  readonly onChange: () => void;
  /** Where there is no answer yet, one of the newest loads comes before that of all: for a page that draws it. */
  readonly newestFirst?: boolean;
}

export async function createFieldComparer({ onChange, newestFirst = false }: ComparerPage): Promise<FieldComparer> {
  let state: FieldState = { answer: undefined, failure: undefined, comparing: undefined };
  let worker: Worker | undefined;
  let early: ReturnType<typeof readLinkNames> | undefined;
  let isWanted = false;
  let shownAt: number | undefined;
  let isUnderWay = false;
  let waiting: { readonly resolve: (text: string) => void; readonly reject: (reason: PlumbfoxError) => void } | undefined;
  let progressTimer: ReturnType<typeof setTimeout> | undefined;

  const change = (changed: Partial<FieldState>) => {
    state = { ...state, ...changed };
    onChange();
  };
  const ask = async () => {
    isWanted = false;
    const names = early ?? readLinkNames();
    early = undefined;
    const request: WorkerRequest = {
      kind: 'compare',
      names: await names,
      newestFirst: newestFirst && state.answer === undefined,
      ...(shownAt !== undefined && { shownAt }),
    };
    post(request);
  };
  const post = (request: WorkerRequest) => {
    worker ??= startWorker(onMessage, fail);
    worker.postMessage(request);
  };
  const fail = (failure: string) => {
    worker?.terminate();
    worker = undefined;
    waiting?.reject(new PlumbfoxError('internal', failure));
    end({ failure });
  };
  const end = (changed: Partial<FieldState>) => {
    clearTimeout(progressTimer);
    isUnderWay = false;
    change({ ...changed, comparing: undefined });
    if (isWanted) start();
  };
  const onMessage = (reply: WorkerReply) => {
    switch (reply.kind) {
      case 'progress':
        return change({ comparing: { missing: reply.missing, loads: reply.loads } });
      case 'answer':
        if (!reply.final) return change({ answer: reply.answer, failure: undefined, ...(reply.newest && partOf(reply)) });
        end({ answer: reply.answer, failure: undefined });
        // The shown answer is right; the next popup only has to compute it again.
        writeLastFieldAnswer(reply.answer).catch(reportOnPage('failed.keepComparison'));
        return;
      case 'report':
        return waiting?.resolve(reply.text);
      default:
        if (reply.asked === 'report') return waiting?.reject(new PlumbfoxError('internal', reply.message));
        return end({ failure: reply.message });
    }
  };
  const start = () => {
    isUnderWay = true;
    // While there is an answer to show, a quick comparison shows no progress.
    if (state.answer === undefined) change({ comparing: UNKNOWN_PROGRESS });
    else progressTimer = setTimeout(() => change({ comparing: UNKNOWN_PROGRESS }), SOON_MS);
    ask().catch((error: unknown) => end({ failure: reasonOf(error) }));
  };
  // It starts while the last answer and the names are read.
  if (newestFirst) {
    worker = startWorker(onMessage, fail);
    early = readLinkNames();
    // The first comparison reports it.
    early.catch(() => undefined);
  }
  // An unreadable store must not keep the popup from opening: the next comparison will report it.
  state = await readLastFieldAnswer().then(
    (answer) => ({ ...state, answer }),
    (error: unknown) => ({ ...state, failure: reasonOf(error) }),
  );
  return {
    state: () => state,
    compare: (shown) => {
      shownAt = shown;
      isWanted = true;
      if (!isUnderWay) start();
    },
    report: async (facts) => {
      const request: ReportRequest = { kind: 'report', names: await readLinkNames(), ...facts };
      return new Promise((resolve, reject) => {
        waiting = { resolve, reject };
        post(request);
      });
    },
    forget: async () => {
      state = { ...state, answer: undefined, failure: undefined };
      await writeLastFieldAnswer(undefined);
    },
  };
}

/** What is shown is of the newest loads alone. */
const partOf = ({ answer, newest = 0 }: Extract<WorkerReply, { kind: 'answer' }>): Pick<FieldState, 'comparing'> => ({
  comparing: { missing: 0, loads: answer.loads, newest },
});

const WORKER = { path: '../views/comparison-worker.js' };

function startWorker(onMessage: (reply: WorkerReply) => void, fail: (message: string) => void): Worker {
  const worker = takeEarlyWorker(WORKER.path) ?? new Worker(WORKER.path, { type: 'module' });
  worker.addEventListener('message', ({ data }) => {
    const reply = v.safeParse(workerReplySchema, data);
    if (reply.success) onMessage(reply.output);
    else fail(text('comparison.badReply'));
  });
  worker.addEventListener('error', (event) => fail(event.message || text('comparison.notStarted')));
  return worker;
}
