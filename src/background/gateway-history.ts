/**
 * Records when the gateway was in effect and how it ended, and sets the sign on the toolbar button. If nothing can be written when it ends, the
 * end is kept here and written later, before any load is recorded under a profile that was not in effect.
 */
import { noteFailure, recordFailure } from '../adapters/failure-notes.ts';
import { showGatewaySign } from '../adapters/gateway-proxy.ts';
import { readRunState, writeRunState } from '../adapters/run-state.ts';
import type { GatewayEnd } from '../protocol/helper-state.ts';
import type { RecordStores } from './record-stores.ts';

interface GatewayHistoryDeps {
  readonly stores: Pick<RecordStores, 'inEffectHistory' | 'noteInEffect'>;
}

export type GatewayHistory = ReturnType<typeof createGatewayHistory>;

export function createGatewayHistory({ stores: { inEffectHistory, noteInEffect } }: GatewayHistoryDeps) {
  /** The gateway's state in this event page; `undefined`: it was not on, so that only the run's state knows. */
  let here: { readonly ended?: GatewayEnd } | undefined;

  /** When the gateway went out of effect, wall clock, ms since the epoch, if that is not noted yet. */
  let owedSince: number | undefined;

  /** Whether it was on, and so can be, in this event page. */
  const gatewayWasOn = (): boolean => here !== undefined;

  /** How it ended by itself when it was last on; `undefined`: it did not. */
  async function gatewayEnd(): Promise<GatewayEnd | undefined> {
    return (here ?? (await readRunState()).gateway)?.ended;
  }

  /** @throws what a store throws: it is not noted then, and the caller must switch the gateway off. */
  async function noteGatewayOn(profileId: string): Promise<void> {
    await settleGatewayHistory();
    await noteInEffect({ profileId, applier: 'gateway', carrier: 'gateway', intended: {}, readBack: [], mismatches: [] }, Date.now());
    here = {};
    await writeRunState('gateway', { changedAt: Date.now() });
    await showGatewaySign(true);
  }

  /** The settings from before the gateway are in effect again; `ended`: it ended by itself. Never rejects: the popup reports failures. */
  async function noteGatewayOff(ended?: GatewayEnd): Promise<void> {
    here = { ...(ended && { ended }) };
    owedSince ??= Date.now();
    await recordFailure('gatewayNoteFailure', async () => {
      // Separate writes: one may succeed where another fails.
      await Promise.all([
        settle(),
        writeEnd(),
        // Only the person switches on again what has ended by itself.
        ended && writeRunState('gatewayBeforeTrial', undefined),
        showGatewaySign(false),
      ]);
    });
  }

  /** Adds to the number of pages that were loaded again after it ended. Never rejects. */
  async function noteReloaded(pages: number): Promise<void> {
    if (here?.ended === undefined) return;
    here = { ended: { ...here.ended, reloaded: here.ended.reloaded + pages } };
    await recordFailure('gatewayNoteFailure', () => Promise.all([settle(), writeEnd()]));
  }

  const writeEnd = (): Promise<void> => writeRunState('gateway', { changedAt: Date.now(), ...(here?.ended && { ended: here.ended }) });

  /** Notes an end that is not noted yet; call before the history is used. @throws what the store throws: it is still to be noted then. */
  async function settleGatewayHistory(): Promise<void> {
    if (owedSince === undefined) return;
    await settle();
    await noteFailure('gatewayNoteFailure', undefined);
  }

  let settling: Promise<void> | undefined;

  function settle(): Promise<void> {
    settling ??= noteBefore().finally(() => {
      settling = undefined;
    });
    return settling;
  }

  async function noteBefore(): Promise<void> {
    if (owedSince === undefined) return;
    const before = (await inEffectHistory()).findLast(({ applied }) => applied?.applier !== 'gateway')?.applied ?? null;
    await noteInEffect(before, owedSince);
    owedSince = undefined;
  }

  return { gatewayWasOn, gatewayEnd, noteGatewayOn, noteGatewayOff, noteReloaded, settleGatewayHistory };
}
