/** Frames of native messaging from the other side: Firefox's. */
import { endianness } from 'node:os';
import * as v from 'valibot';
import { type HelperReply, helperProgressSchema, helperReplySchema } from '../../src/protocol/helper-messages.ts';

const LENGTH_BYTES = 4;

export function lengthOf(bytes: number): Buffer {
  const length = Buffer.alloc(LENGTH_BYTES);
  if (endianness() === 'LE') length.writeUInt32LE(bytes);
  else length.writeUInt32BE(bytes);
  return length;
}

export const framed = (body: string | Uint8Array): Buffer => {
  const bytes = Buffer.from(body as string);
  return Buffer.concat([lengthOf(bytes.length), bytes]);
};

/** @throws when there is anything but whole frames with replies in them. */
export function repliesIn(output: Buffer): readonly HelperReply[] {
  const replies: HelperReply[] = [];
  for (let at = 0; at < output.length; ) {
    const length = endianness() === 'LE' ? output.readUInt32LE(at) : output.readUInt32BE(at);
    const end = at + LENGTH_BYTES + length;
    if (end > output.length) throw new Error(`A frame of ${length} bytes is cut off at ${output.length - at - LENGTH_BYTES}`);
    const said: unknown = JSON.parse(output.subarray(at + LENGTH_BYTES, end).toString('utf8'));
    // On a busy machine any request may take long enough for it to be said.
    if (!v.is(helperProgressSchema, said)) replies.push(v.parse(helperReplySchema, said));
    at = end;
  }
  return replies;
}
