import * as v from 'valibot';
import type { KilobitsPerSecond, Milliseconds } from './units.ts';

/** A network path: its round-trip time and its downlink rate. */
export interface Link {
  readonly rttMs: Milliseconds;
  /** Rate for TCP payload in full segments, towards the browser. */
  readonly downKbps: KilobitsPerSecond;
  readonly upKbps?: KilobitsPerSecond;
}

/** Where a link's figures come from; every figure that rests on `estimated` says so. */
export const linkBasisSchema = v.picklist(['configured', 'measured', 'estimated']);
