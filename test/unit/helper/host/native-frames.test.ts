import { expect, it } from 'vitest';
import { PlumbfoxError } from '../../../../src/core/errors.ts';
import { type Frame, frameOf, framesOf, MAX_REPLY_BYTES, MAX_REQUEST_BYTES } from '../../../../src/helper/host/native-frames.ts';
import { framed, lengthOf } from '../../../support/native-frames.ts';

async function framesIn(...chunks: readonly Buffer[]): Promise<readonly Frame[]> {
  const frames: Frame[] = [];
  const input = (async function* () {
    yield* chunks;
  })();
  for await (const frame of framesOf(input)) frames.push(frame);
  return frames;
}
const message = (text: string): Frame => ({ kind: 'message', bytes: Buffer.from(text) });

it('reads messages of no byte, of one and of as many as there may be', async () => {
  const long = 'x'.repeat(MAX_REQUEST_BYTES);
  expect(await framesIn(framed(''), framed('a'), framed(long))).toEqual([message(''), message('a'), message(long)]);
});

it('reads two messages out of one piece, and one out of many', async () => {
  expect(await framesIn(Buffer.concat([framed('one'), framed('two')]))).toEqual([message('one'), message('two')]);
  expect(await framesIn(...[...framed('three')].map((byte) => Buffer.of(byte)))).toEqual([message('three')]);
});

it.each([MAX_REQUEST_BYTES + 1, 0x7fff_ffff, 0xffff_ffff])(
  'keeps nothing of a message of %i bytes, and reads no further',
  async (lengthBytes) => {
    expect(await framesIn(lengthOf(lengthBytes), framed('a'))).toEqual([{ kind: 'too-long', lengthBytes }]);
  },
);

it('says where the input ends in the middle of a length or of a message, and nowhere else', async () => {
  expect(await framesIn()).toEqual([]);
  expect(await framesIn(Buffer.of(1, 0, 0))).toEqual([{ kind: 'cut-off' }]);
  expect(await framesIn(lengthOf(1))).toEqual([{ kind: 'cut-off' }]);
  expect(await framesIn(framed('a'), lengthOf(5), Buffer.from('four'))).toEqual([message('a'), { kind: 'cut-off' }]);
});

it('writes the length in bytes before the message', () => {
  // "ü" is two bytes in UTF-8, the quotes one each.
  expect(frameOf('ü')).toEqual(Buffer.concat([lengthOf(4), Buffer.from('"ü"')]));
});

it('writes what Firefox takes, and not a byte more', () => {
  expect(frameOf('x'.repeat(MAX_REPLY_BYTES - 2))).toHaveLength(4 + MAX_REPLY_BYTES);
  expect(() => frameOf('x'.repeat(MAX_REPLY_BYTES - 1))).toThrow(
    new PlumbfoxError('internal', 'An answer of 1048577 bytes is longer than Firefox takes (1048576)'),
  );
});
