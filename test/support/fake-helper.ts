/** A native messaging host in memory, behind a port like Firefox's: it keeps profiles in a map of preferences, as the real one does in files. */
import { findProfile } from '../../src/core/profiles/presets.ts';
import type { HelperRequest, HelperStatus } from '../../src/protocol/helper-messages.ts';

interface FakeEvent<Heard> {
  addListener(listener: (heard: Heard) => void): void;
  removeListener(listener: (heard: Heard) => void): void;
}

export interface FakePort {
  readonly onMessage: FakeEvent<unknown>;
  readonly onDisconnect: FakeEvent<{ error?: { message: string } | null }>;
  postMessage(message: unknown): void;
  disconnect(): void;
}

/** `answer`: what is sent back to a request; `undefined`: nothing. */
export class FakeHost {
  readonly heard: HelperRequest[] = [];
  open = 0;
  /** Of all ports, also of those that have ended: Firefox keeps a port as long as anybody listens to it. */
  listeners = 0;
  answer: (request: HelperRequest, host: FakeHost) => unknown;
  #tell: (message: unknown) => void = () => {};
  #end: (error?: { message: string } | null) => void = () => {};

  constructor(answer: (request: HelperRequest, host: FakeHost) => unknown) {
    this.answer = answer;
  }

  connect(): FakePort {
    this.open += 1;
    let isOpen = true;
    const close = () => {
      if (isOpen) this.open -= 1;
      isOpen = false;
    };
    const messages = this.#event<unknown>();
    const ends = this.#event<{ error?: { message: string } | null }>();
    this.#tell = messages.tell;
    this.#end = (error) => {
      close();
      ends.tell({ ...(error !== undefined && { error }) });
    };
    return {
      onMessage: messages.event,
      onDisconnect: ends.event,
      postMessage: (message) => {
        const request = message as HelperRequest;
        this.heard.push(request);
        queueMicrotask(() => {
          const said = this.answer(request, this);
          if (said !== undefined) this.say(said);
        });
      },
      disconnect: close,
    };
  }

  #event<Heard>(): { readonly event: FakeEvent<Heard>; readonly tell: (heard: Heard) => void } {
    const listeners = new Set<(heard: Heard) => void>();
    const changed = (change: () => unknown) => {
      this.listeners -= listeners.size;
      change();
      this.listeners += listeners.size;
    };
    return {
      event: {
        addListener: (listener) => changed(() => listeners.add(listener)),
        removeListener: (listener) => changed(() => listeners.delete(listener)),
      },
      tell: (heard) => {
        for (const listener of [...listeners]) listener(heard);
      },
    };
  }

  say(message: unknown): void {
    this.#tell(message);
  }

  end(error?: { message: string } | null): void {
    this.#end(error);
  }
}

export const answered = ({ nonce }: HelperRequest, result: unknown): unknown => ({ version: 1, nonce, ok: true, result });
export const refused = ({ nonce }: HelperRequest, kind: string, message: string): unknown => ({
  version: 1,
  nonce,
  ok: false,
  error: { kind, message },
});

export const HELLO = { helper: '1.2.3', system: 'linux', profileFound: true } as const;
export const NOTHING_APPLIED: HelperStatus = { phase: 'none', starts: 0, restartNeeded: false, preferences: [], changedByOthers: [] };

/** The helper's state for a profile whose values are all as intended. */
export function statusOf(profileId: string, change: Partial<HelperStatus> = {}): HelperStatus {
  const preferences = Object.entries(findProfile(profileId)?.preferences ?? {}).map(([name, intended]) => ({
    name,
    intended,
    found: intended,
    locked: false,
  }));
  return { phase: 'pending', profileId, starts: 1, restartNeeded: false, preferences, changedByOthers: [], ...change };
}
