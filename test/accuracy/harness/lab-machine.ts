/**
 * What the machine of a corpus adds to each load, which no recipe and no link says. Measured on the timelines of its calibration half
 * (`measureMachine`; a test holds them together), but for the gateway's work and the jitter, which were fitted to its load times.
 */

import type { Discovery, PageGraph, PageRequest } from '../../../src/core/graph/page-graph.ts';
import { discoveriesOf } from '../../../src/core/graph/page-graph.ts';
import type { BrowserModel } from '../../../src/core/simulate/browser-model.ts';
import type { MeasuredScenario } from './measured-scenario.ts';

export interface LabMachine {
  /** From the start of a navigation to that of the document's connection, ms. It delays the document as a name to be looked up would. */
  readonly startMs: number;
  /** From when the document's first resources are asked for until the first is on its way, ms; its own work is part of it. */
  readonly firstDispatchMs: number;
  /** The same for every other request, ms. */
  readonly dispatchMs: number;
  /** Between one request and the next, and, which no timeline shows, the gateway's work on each. */
  readonly model: Partial<BrowserModel> & Pick<BrowserModel, 'requestWorkMs' | 'gatewayWorkMs'>;
  /** What else keeps two loads from being the same: timers, and processes that take turns. Each packet is late by up to this, ms. */
  readonly jitterMs: number;
}

/** By what a corpus was sent with, as each was captured for itself: that of Reno before the lab's packets went before everything else. */
export const LAB_MACHINES: Readonly<Record<'reno' | 'cubic', LabMachine>> = {
  reno: { startMs: 5.2, firstDispatchMs: 29.6, dispatchMs: 6.1, model: { requestWorkMs: 2.1, gatewayWorkMs: 4.5 }, jitterMs: 2 },
  cubic: { startMs: 5.2, firstDispatchMs: 29.6, dispatchMs: 6.1, model: { requestWorkMs: 2.1, gatewayWorkMs: 4.5 }, jitterMs: 2 },
};

export const machineOf = ({ simulated }: Pick<MeasuredScenario, 'simulated'>): LabMachine =>
  LAB_MACHINES[simulated.congestionControl ?? 'cubic'];

/** A page of the lab as that machine asks for it. */
export function onLabMachine(graph: PageGraph, machine: LabMachine): PageGraph {
  const [document, ...others] = graph.requests;
  if (document?.origin === undefined) return graph;
  const origin = { ...graph.origins?.[document.origin], dnsMs: machine.startMs };
  return {
    requests: [document, ...others.map((request) => dispatched(request, { documentId: document.id, machine }))],
    origins: { ...graph.origins, [document.origin]: origin },
  };
}

interface Dispatch {
  readonly documentId: string;
  readonly machine: LabMachine;
}

function dispatched(request: PageRequest, dispatch: Dispatch): PageRequest {
  return {
    ...request,
    after: discoveriesOf(request).map((discovery) => ({
      ...discovery,
      delayMs: (discovery.delayMs ?? 0) + dispatchMs(discovery, dispatch),
    })),
  };
}

/** The first resources wait for the document's first byte; what is named in later ones finds the browser awake. */
function dispatchMs({ id, bytes }: Discovery, { documentId, machine }: Dispatch): number {
  const wholeMs = id === documentId && bytes === 0 ? machine.firstDispatchMs : machine.dispatchMs;
  return Math.max(0, wholeMs - machine.model.requestWorkMs);
}
