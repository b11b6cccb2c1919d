import { describe, expect, it } from 'vitest';
import { FRAME, type Frame, frameReader, SETTING, settingIn } from '../../../../src/lab/witness/http2-frames.ts';

const PREFACE = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n');
/** Length 12, type 4, no flags, stream 0; HEADER_TABLE_SIZE 65536, INITIAL_WINDOW_SIZE 131072 (RFC 9113, section 6.5.1). */
const SETTINGS = Buffer.from('00000c040000000000' + '000100010000' + '000400020000', 'hex');
/** WINDOW_UPDATE on stream 0 by 1000. */
const UPDATE = Buffer.from('000004080000000000' + '000003e8', 'hex');

function framesOf(pieces: readonly Buffer[]): readonly Frame[] {
  const frames: Frame[] = [];
  const read = frameReader((frame) => frames.push(frame));
  for (const piece of pieces) read(piece);
  return frames;
}

describe('frames of a client', () => {
  const sent = Buffer.concat([PREFACE, SETTINGS, UPDATE]);

  it('are found after the preface, whatever pieces they come in', () => {
    for (const size of [1, 7, 33, sent.length]) {
      const pieces = Array.from({ length: Math.ceil(sent.length / size) }, (_, index) => sent.subarray(index * size, (index + 1) * size));
      const frames = framesOf(pieces);
      expect(frames.map(({ type, stream }) => [type, stream])).toEqual([
        [FRAME.settings, 0],
        [FRAME.windowUpdate, 0],
      ]);
      expect(frames[1]?.payload.readUInt32BE(0)).toBe(1000);
    }
  });

  it('have settings by their identifiers; one that was not sent is unknown', () => {
    const frames = framesOf([sent]);
    expect(settingIn(frames, SETTING.headerTableSize)).toBe(65_536);
    expect(settingIn(frames, SETTING.initialWindowSize)).toBe(131_072);
    expect(settingIn(frames.slice(1), SETTING.headerTableSize)).toBeUndefined();
  });
});
