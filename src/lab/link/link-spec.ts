/** A link as the lab is asked for it. Never shown by name only: the figures go with it. */
export interface LinkSpec {
  readonly name: string;
  readonly rttMs: number;
  readonly downKbps: number;
  readonly upKbps: number;
  /** Drop-tail queue of each direction, packets. */
  readonly queue: number;
}
