/**
 * What is noted of the gateway: what was in effect when, how it ended, and the sign on the toolbar button. It may end when nothing can be
 * written. What is known stays known here then, the note is owed, and no load is recorded under a profile that was not in effect.
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
  /** What happened in this life of the event page; `undefined`: nothing, so that only the run's state knows. */
  let here: { readonly ended?: GatewayEnd } | undefined;

  /** Since when something else is in effect, wall clock, ms since the epoch, and not noted yet. */
  let owedSince: number | undefined;

  /** Whether it was on, and so can be, in this life of the event page. */
  const gatewayWasOn = (): boolean => here !== undefined;

  /** How it ended by itself when it was last on; `undefined`: it did not. */
  async function gatewayEnd(): Promise<GatewayEnd | undefined> {
    return (here ?? (await readRunState()).gateway)?.ended;
  }

  /** @throws what a store throws: then not all of it is noted, and whoever switched the gateway on must switch it off. */
  async function noteGatewayOn(profileId: string): Promise<void> {
    await settleGatewayHistory();
    await noteInEffect({ profileId, applier: 'gateway', carrier: 'gateway', intended: {}, readBack: [], mismatches: [] }, Date.now());
    here = {};
    await writeRunState('gateway', { changedAt: Date.now() });
    await showGatewaySign(true);
  }

  /** What was in effect before the gateway is so again; `ended`: it ended by itself. Never rejects: the popup reports what fails. */
  async function noteGatewayOff(ended?: GatewayEnd): Promise<void> {
    here = { ...(ended && { ended }) };
    owedSince ??= Date.now();
    await recordFailure('gatewayNoteFailure', async () => {
      // Each by itself: what cannot be noted in one place can perhaps in another.
      await Promise.all([
        settle(),
        writeEnd(),
        // What has ended by itself is switched on again by nobody but the person.
        ended && writeRunState('gatewayBeforeTrial', undefined),
        showGatewaySign(false),
      ]);
    });
  }

  /** So many pages more were loaded again after it ended. Never rejects. */
  async function noteReloaded(pages: number): Promise<void> {
    if (here?.ended === undefined) return;
    here = { ended: { ...here.ended, reloaded: here.ended.reloaded + pages } };
    await recordFailure('gatewayNoteFailure', () => Promise.all([settle(), writeEnd()]));
  }

  const writeEnd = (): Promise<void> => writeRunState('gateway', { changedAt: Date.now(), ...(here?.ended && { ended: here.ended }) });

  /** Notes what is owed; to be called before anything rests on the history. @throws what the store throws: then it is still owed. */
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
