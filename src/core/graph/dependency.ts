/** What a request can be found to depend on, and the rules by which it is found. */

/** On the response to an earlier request, by its position; its first `bytes`, or all of it. */
export interface Dependency {
  readonly position: number;
  readonly bytes?: number;
  readonly delayMs: number;
}

/** In plain words, as a prediction tells them to the person. */
export const DISCOVERY_RULES = {
  initiator: "Asked for after what the record names as its initiator; the time in between is the processor's",
  stylesheet:
    "Asked for after the style sheet that its Referer or initiator type points to, and after the latest script or style sheet that was complete by then; the time since is the processor's",
  frame: 'Asked for by the frame that its Referer names: after as much of the frame as had arrived when it began',
  'in-document': 'Asked for by the document: after as much of it as had arrived when the request began',
  'before-document': "Began before the document's first byte: asked for with that byte",
  'after-document': "Began after the document was complete and before any script or style sheet was: the time since is the processor's",
  'after-loader':
    "Began after the document was complete: asked for after the latest script, style sheet or frame that was complete by then; the time since is the processor's",
  'after-data': "Began within 50 ms after data that a script had fetched: asked for after them; the time since is the processor's",
  queue:
    "Took over a connection at once while all of its server's were busy, and how long it had waited is not recorded: asked for when the one before it on that connection was",
  'before-redirect': 'Began while the document was being redirected: asked for after the first redirect',
} as const;
export type DiscoveryRule = keyof typeof DISCOVERY_RULES;

export interface Found {
  readonly rule: DiscoveryRule | 'redirect' | 'root';
  /** Empty for the first request only. */
  readonly dependencies: readonly Dependency[];
}

/** On all of a response; a negative delay is the clock's step. */
export const whole = (position: number, delayMs: number): Dependency => ({ position, delayMs: Math.max(0, delayMs) });
