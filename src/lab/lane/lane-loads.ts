/** The loads of a lane that has started, one after another in one tab, each with the record that is of it and of no other. */

import type { Page } from 'puppeteer-core';
import { PER_SERVER } from '../../core/profiles/catalogue.ts';
import type { AppliedProfile, Applier } from '../../core/profiles/profile.ts';
import { SHIPPED } from '../../core/profiles/shipped.ts';
import type { Gateway } from '../../gateway/gateway.ts';
import type { ExtensionSession } from '../firefox/extension-session.ts';
import type { LoadOrder, LoadOutcome } from './lane-protocol.ts';
import { isRecordOf, plainAddress } from './navigation-record.ts';

/** Only what a load needs of each, so that a test can stand in. */
export interface LoadDeps {
  readonly extension: Pick<ExtensionSession, 'request' | 'nextLoad' | 'clockMs'>;
  readonly gateway: Pick<Gateway, 'configure' | 'resetCounters' | 'counters' | 'route'>;
  readonly applier: Pick<Applier, 'apply' | 'readBack'>;
  readonly tab: Pick<Page, 'goto'>;
}

/** What the loads before have left. */
interface Memory {
  /** The recorder's network idle time in place. */
  quietMs: number;
  /** Id of the newest record that was taken. */
  record?: string;
  applied?: AppliedProfile;
  /** Addresses that were requested. */
  readonly asked: Set<string>;
}

/**
 * @param start.quietMs - Network idle time that the recorder has, and has for every order that names none.
 * @returns what makes one load; it throws PlumbfoxError `run-void` where no record of it came in time, and the next load is none the worse.
 */
export function laneLoads(parts: LoadDeps, start: { readonly quietMs: number }): (order: LoadOrder) => Promise<LoadOutcome> {
  const memory: Memory = { quietMs: start.quietMs, asked: new Set() };
  return async (order) => {
    const { quietMs = start.quietMs } = order;
    if (quietMs !== memory.quietMs) await parts.extension.request({ kind: 'set-quiet', quietMs });
    memory.quietMs = quietMs;
    const outcome = await loadOnce(parts, order, memory);
    memory.record = outcome.load.id;
    memory.applied = outcome.applied;
    // What the page is still loading would be on the line during the next load, on connections of this one.
    if (outcome.load.observation.ended !== 'quiet') await leave(parts);
    return outcome;
  };
}

async function loadOnce(parts: LoadDeps, order: LoadOrder, memory: Memory): Promise<LoadOutcome> {
  const { applier, gateway } = parts;
  const carried = order.carrier === 'gateway';
  const applied = order.keepConnections && memory.applied ? memory.applied : await putInEffect(parts, order);
  if (carried) gateway.resetCounters();
  const limit = await applier.readBack();
  const load = await navigate(parts, order, memory);
  return {
    applied,
    readBack: [
      ...applied.readBack,
      ...limit.filter(({ preference }) => preference === PER_SERVER && !Object.hasOwn(applied.intended, PER_SERVER)),
    ],
    load,
    gateway: carried ? gateway.counters() : undefined,
  };
}

async function navigate(parts: LoadDeps, { url, timeoutMs }: LoadOrder, memory: Memory): Promise<LoadOutcome['load']> {
  const { extension, tab } = parts;
  const address = plainAddress(url);
  const isIt = isRecordOf({ url, fresh: !memory.asked.has(address), begunAtMs: await extension.clockMs() });
  memory.asked.add(address);
  const stored = extension.nextLoad({ after: memory.record, isIt, timeoutMs });
  // Never waits for the page: the recorder reports when it is over, and a hanging page must not hang the lane.
  const navigation = tab.goto(url, { waitUntil: 'domcontentloaded', timeout: timeoutMs }).catch((error: unknown) => error);
  try {
    const load = await stored;
    await navigation;
    return load;
  } catch (error) {
    await leave(parts);
    throw error;
  }
}

/** Leaving takes a moment; a browser that takes longer is for the next load to find out. */
const LEAVE_MS = 3000;

/** Ends what the page is still loading; its record, if it gives one, is passed over. */
async function leave({ tab }: LoadDeps): Promise<void> {
  await tab.goto('about:blank', { waitUntil: 'domcontentloaded', timeout: LEAVE_MS }).catch(() => {});
}

/** From here on no connection is open, except for those of HTTP/3 that are closing (see `connectionCloser`). */
async function putInEffect({ applier, gateway }: LoadDeps, { profile, carrier }: LoadOrder): Promise<AppliedProfile> {
  if (carrier !== 'gateway') return applier.apply(profile, {});
  const { connections = SHIPPED.perServer, depth, dispatch = 'appended' } = profile;
  await gateway.configure({ connections, depth, dispatch, connect: 'ahead' });
  return applier.apply(profile, { route: gateway.route });
}
