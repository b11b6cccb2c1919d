/** Conversations with the native messaging host in which anything may be sent; each knows what has to be answered. */
import type { Random } from '../../src/core/random.ts';
import { framed, lengthOf } from './native-frames.ts';

export interface FuzzConversation {
  /** What is sent, in pieces that know nothing of frames. */
  readonly chunks: readonly Buffer[];
  /** For each message in turn: whether it is a request, so that an operation is asked for. */
  readonly requests: readonly boolean[];
}

const OPERATIONS = ['hello', 'started', 'status', 'confirm', 'revert', 'probe-result', 'probe-close', 'gateway-counters', 'gateway-close'];
const LONGEST_BYTES = 98_304;

/** `frames` messages; `endings`: the last may be one after which nothing can be understood any more, or is cut off. */
export function fuzzConversation(random: Random, { frames, endings }: { frames: number; endings: boolean }): FuzzConversation {
  const requests: boolean[] = [];
  const parts: Buffer[] = [];
  for (let count = 0; count < frames; count += 1) {
    const { bytes, request } = message(random);
    parts.push(framed(bytes));
    requests.push(request);
  }
  const end = endings ? random.integer(4) : 0;
  if (end === 1) parts.push(Buffer.of(7, 0, 0));
  if (end === 2) parts.push(lengthOf(100), Buffer.from('{"version":1'));
  if (end === 3) {
    // Nothing behind it is looked at, however much it looks like a request.
    parts.push(lengthOf([0xffff_ffff, LONGEST_BYTES + 1, 0x2022_2022][random.integer(3)] as number), framed(valid(random, 'hello')));
    requests.push(false);
  }
  return { chunks: cut(random, Buffer.concat(parts)), requests };
}

const valid = (random: Random, op: string): string => JSON.stringify({ version: 1, nonce: nonceOf(random), op });
const nonceOf = (random: Random): string => `fuzz-${String(random.integer(1e9)).padStart(9, '0')}`;

function message(random: Random): { bytes: Buffer; request: boolean } {
  const op = OPERATIONS[random.integer(OPERATIONS.length)] as string;
  const refused = (text: string | Uint8Array) => ({ bytes: Buffer.from(text as string), request: false });
  switch (random.integer(12)) {
    case 0:
    case 1:
      return { bytes: Buffer.from(valid(random, op)), request: true };
    case 2:
      return refused('');
    case 3:
      return refused(Buffer.from(Array.from({ length: random.integer(64) }, () => 128 + random.integer(128))));
    case 4:
      return refused(valid(random, op).replace(',', '\u0000,'));
    case 5:
      return refused('['.repeat(LONGEST_BYTES / 2) + ']'.repeat(LONGEST_BYTES / 2));
    case 6:
      return refused(`${'{"a":'.repeat(600)}1${'}'.repeat(600)}`);
    case 7:
      return refused(valid(random, op).replace('{', '{"__proto__":{"op":"hello"},'));
    case 8:
      return refused(valid(random, ['__proto__', 'constructor', 'toString', 'HELLO', '', 'apply '][random.integer(6)] as string));
    case 9:
      return refused(
        valid(random, op).replace('{', `{${['"path":"x"', '"constructor":1', '"prefs":{}', '"profileId":null'][random.integer(4)]},`),
      );
    case 10:
      return refused(damaged(random, Buffer.from(valid(random, op))));
    default:
      return refused(JSON.stringify(JSON.stringify([op, random.next(), null])));
  }
}

/** With a bit turned in its braces or colons, so that it cannot be JSON any more. */
function damaged(random: Random, bytes: Buffer): Buffer {
  const structure = [...bytes.keys()].filter((at) => '{:}'.includes(String.fromCharCode(bytes[at] as number)));
  const at = structure[random.integer(structure.length)] as number;
  bytes[at] = (bytes[at] as number) ^ 0x80;
  return bytes;
}

/** Into pieces: seldom of 1 byte each, which takes long; mostly of several messages. */
function cut(random: Random, bytes: Buffer): Buffer[] {
  const most = random.integer(40) === 0 ? 1 : ([50, 1000, 4096, bytes.length][random.integer(4)] as number);
  const chunks: Buffer[] = [];
  for (let at = 0; at < bytes.length; ) {
    const end = at + 1 + random.integer(most);
    chunks.push(bytes.subarray(at, end));
    at = end;
  }
  return chunks;
}
