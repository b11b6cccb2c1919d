/**
 * What the machine of the corpus adds to each load, which no recipe and no link says. Measured on the timelines of the calibration half
 * (`measureMachine`; a test holds them together), but for two that were fitted to its load times.
 */
import type { BrowserModel } from '../../../src/core/simulate/browser-model.ts';
import { discoveriesOf } from '../../../src/core/simulate/page-columns.ts';
import type { Discovery, PageGraph, PageRequest } from '../../../src/core/simulate/page-graph.ts';

/** From the start of a navigation to that of the document's connection, ms. It delays the document as a name to be looked up would. */
export const START_MS = 5.2;
/** From when the document's first resources are asked for until the first is on its way, ms; its own work is part of it. */
export const FIRST_DISPATCH_MS = 29.6;
/** The same for every other request, ms. */
export const DISPATCH_MS = 6.1;
/** Between one request and the next, ms. */
export const REQUEST_WORK_MS = 2.1;

export interface LabMachine {
  readonly model: Partial<BrowserModel>;
  /** What else keeps two loads from being the same: timers, and processes that take turns. Each packet is late by up to this, ms. */
  readonly jitterMs: number;
}

/** No timeline shows the gateway's work on each request, nor the jitter: fitted together, see `fit-machine.ts`. */
export const LAB_MACHINE: LabMachine = { model: { requestWorkMs: REQUEST_WORK_MS, gatewayWorkMs: 4.5 }, jitterMs: 2 };

/** A page of the lab as this machine asks for it. */
export function onLabMachine(graph: PageGraph): PageGraph {
  const [document, ...others] = graph.requests;
  if (document?.origin === undefined) return graph;
  const origin = { ...graph.origins?.[document.origin], dnsMs: START_MS };
  return {
    requests: [document, ...others.map((request) => dispatched(request, document.id))],
    origins: { ...graph.origins, [document.origin]: origin },
  };
}

function dispatched(request: PageRequest, documentId: string): PageRequest {
  return {
    ...request,
    after: discoveriesOf(request).map((discovery) => ({
      ...discovery,
      delayMs: (discovery.delayMs ?? 0) + dispatchMs(discovery, documentId),
    })),
  };
}

/** The first resources wait for the document's first byte; what is named in later ones finds the browser awake. */
const dispatchMs = ({ id, bytes }: Discovery, documentId: string): number =>
  (id === documentId && bytes === 0 ? FIRST_DISPATCH_MS : DISPATCH_MS) - REQUEST_WORK_MS;
