/**
 * The comparison and the report of everyday loads, in its own thread: comparing a hundred thousand of them would block the popup, whose thread is
 * also that of the event page. The worker belongs to the popup and ends with it.
 */
import * as v from 'valibot';
import { completeFigures, readFigures, type StoredFigures } from '../adapters/figures-store.ts';
import { inEffectHistory, newestLoads, REPORTED_LOADS } from '../adapters/load-store.ts';
import { compareField } from '../core/field/compare-field.ts';
import { fieldExport } from '../core/field/field-report.ts';
import { type AppliedSince, appliedSince } from '../core/measure/page-load.ts';
import {
  type FieldAnswer,
  type GivenLinkNames,
  type WorkerReply,
  type WorkerRequest,
  withoutScenarios,
  workerRequestSchema,
} from '../protocol/field-answer.ts';

/** A worker's global posts and receives as a window's does, which is the one that the compiler knows. */
const post = (reply: WorkerReply): void => globalThis.postMessage(reply);

/** While figures are computed, those that are there are compared again after this long. Chosen, not measured. */
const LOOK_EVERY_MS = 5_000;

globalThis.onmessage = async ({ data }: MessageEvent<unknown>) => {
  const request = v.parse(workerRequestSchema, data);
  try {
    if (request.kind === 'compare') await compare(request);
    else post({ kind: 'report', text: await report(request) });
  } catch (error) {
    const message = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
    post({ kind: 'failed', asked: request.kind, message });
  }
};

async function report({ names, provenance, createdAt, answer }: Extract<WorkerRequest, { kind: 'report' }>): Promise<string> {
  const [loads, { figures, loads: total }] = await Promise.all([newestLoads(REPORTED_LOADS), readFigures()]);
  const ordered = loads.toSorted((a, b) => a.startedAt - b.startedAt);
  return `${JSON.stringify(fieldExport({ loads: ordered, figures, names, total, provenance, createdAt, answer }), null, 2)}\n`;
}

/**
 * Chunks of figures, 2,048 loads, that are compared first where nothing is shown yet: there is something to see while 100,000 take some times
 * as long. Measured on two processors: 4,096 loads took 220 ms, which is half of what a chart may take.
 */
const NEWEST_CHUNKS = 8;

async function compare({ names, newestFirst, shownAt }: Extract<WorkerRequest, { kind: 'compare' }>): Promise<void> {
  // Of what was applied one entry may be unreadable: the answer then lacks only what changed since. A store that cannot be read fails below.
  const options = { names, shownAt, applied: appliedSince(await inEffectHistory().catch(() => [])) };
  if (newestFirst) {
    const stored = await readFigures(NEWEST_CHUNKS);
    const newest = stored.figures.length;
    // The newest load's network is inferred from all.
    const answer = { ...answerOf(stored, options), newest: undefined };
    // With the figures of others still to be computed, those that are there come first anyway.
    if (newest > 0 && newest + stored.unreadable < stored.loads) post({ kind: 'answer', answer, final: false, newest });
  }
  for (;;) {
    const stored = await readFigures();
    // Before there are any figures there is nothing to compare.
    if (stored.figures.length > 0 || stored.missing === 0) {
      post({ kind: 'answer', answer: answerOf(stored, options), final: stored.missing === 0 });
    }
    if (stored.missing === 0) return;
    const looked = performance.now();
    let { missing } = stored;
    let isChanged = false;
    post({ kind: 'progress', missing, loads: stored.loads });
    await completeFigures((worked) => {
      isChanged = true;
      missing = Math.max(0, missing - worked);
      post({ kind: 'progress', missing, loads: stored.loads });
      return performance.now() - looked < LOOK_EVERY_MS;
    });
    // Loads that come and go between two transactions can make the counts differ for ever.
    if (!isChanged) {
      const now = await readFigures();
      post({ kind: 'answer', answer: answerOf(now, options), final: true });
      return;
    }
  }
}

interface AnswerOptions {
  readonly names: GivenLinkNames;
  readonly applied: AppliedSince | undefined;
  readonly shownAt: number | undefined;
}

function answerOf({ figures, unreadable, loads }: StoredFigures, options: AnswerOptions): FieldAnswer {
  const field = compareField(figures, options);
  const { newest, shown, links, trialNetworks, withoutLink, sinceApplied } = field;
  const excluded = [...field.excluded].map(([why, loads]) => ({ why, loads }));
  return {
    comparison: withoutScenarios(field) as FieldAnswer['comparison'],
    links: [...links],
    ...(newest && { newest }),
    ...(shown && { shown: { startedAt: shown.startedAt, efficiency: shown.efficiency } }),
    ...(sinceApplied && { sinceApplied }),
    ...(trialNetworks.length > 0 && { trialNetworks: [...trialNetworks] }),
    excluded,
    compared: figures.length - withoutLink - excluded.reduce((sum, { loads }) => sum + loads, 0),
    loads,
    unreadable,
    withoutLink,
  };
}
