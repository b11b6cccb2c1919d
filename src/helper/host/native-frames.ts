/**
 * The framing of native messaging: each message is its length in bytes, an unsigned 32-bit number in the machine's byte order, followed by that many
 * bytes of JSON (https://developer.mozilla.org/docs/Mozilla/Add-ons/WebExtensions/Native_messaging).
 */
import { endianness } from 'node:os';
import { PlumbfoxError } from '../../core/errors.ts';

/** The longest request, with room: 200 sites of 300 characters, each with an address of 60 (`gateway-carry`). Firefox itself would pass on 4 GiB. */
export const MAX_REQUEST_BYTES = 98_304;
/** Firefox ends a host that sends more (toolkit/components/extensions/NativeMessaging.sys.mjs; measured in 153: exactly this many are accepted). */
export const MAX_REPLY_BYTES = 1_048_576;

const LENGTH_BYTES = 4;
const LITTLE = endianness() === 'LE';

/** `too-long`: the last frame, because what follows cannot be separated from it. `cut-off`: the input ended in the middle. */
export type Frame =
  | { readonly kind: 'message'; readonly bytes: Buffer }
  | { readonly kind: 'too-long'; readonly lengthBytes: number }
  | { readonly kind: 'cut-off' };

/** Whole messages from an input in pieces of any size; it buffers one message at most. */
export async function* framesOf(input: AsyncIterable<Uint8Array>): AsyncGenerator<Frame> {
  const reader = new FrameReader();
  for await (const chunk of input) {
    for (const frame of reader.read(chunk)) {
      yield frame;
      if (frame.kind === 'too-long') return;
    }
  }
  if (reader.inTheMiddle) yield { kind: 'cut-off' };
}

class FrameReader {
  readonly #length = Buffer.alloc(LENGTH_BYTES);
  #lengthHeld = 0;
  #body: Buffer | undefined;
  #bodyHeld = 0;

  get inTheMiddle(): boolean {
    return this.#lengthHeld > 0 || this.#body !== undefined;
  }

  *read(chunk: Uint8Array): Generator<Frame> {
    let rest = chunk;
    while (rest.length > 0) {
      if (this.#body === undefined) {
        rest = this.#takeLength(rest);
        if (this.#lengthHeld < LENGTH_BYTES) return;
        const lengthBytes = LITTLE ? this.#length.readUInt32LE() : this.#length.readUInt32BE();
        if (lengthBytes > MAX_REQUEST_BYTES) {
          yield { kind: 'too-long', lengthBytes };
          return;
        }
        this.#lengthHeld = 0;
        this.#bodyHeld = 0;
        this.#body = Buffer.alloc(lengthBytes);
      }
      rest = this.#takeBody(this.#body, rest);
      if (this.#bodyHeld < this.#body.length) return;
      const bytes = this.#body;
      this.#body = undefined;
      yield { kind: 'message', bytes };
    }
  }

  #takeLength(from: Uint8Array): Uint8Array {
    const taken = from.subarray(0, LENGTH_BYTES - this.#lengthHeld);
    this.#length.set(taken, this.#lengthHeld);
    this.#lengthHeld += taken.length;
    return from.subarray(taken.length);
  }

  #takeBody(body: Buffer, from: Uint8Array): Uint8Array {
    const taken = from.subarray(0, body.length - this.#bodyHeld);
    body.set(taken, this.#bodyHeld);
    this.#bodyHeld += taken.length;
    return from.subarray(taken.length);
  }
}

/** The frame of a message. @throws PlumbfoxError `internal` for one that Firefox would not accept. */
export function frameOf(message: unknown): Buffer {
  const body = Buffer.from(JSON.stringify(message));
  if (body.length > MAX_REPLY_BYTES) {
    throw new PlumbfoxError('internal', `An answer of ${body.length} bytes is longer than Firefox takes (${MAX_REPLY_BYTES})`);
  }
  const length = Buffer.alloc(LENGTH_BYTES);
  if (LITTLE) length.writeUInt32LE(body.length);
  else length.writeUInt32BE(body.length);
  return Buffer.concat([length, body]);
}
