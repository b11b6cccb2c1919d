/** HTTP/2 frames as a client sends them (RFC 9113, section 4.1). */
import { Duplex } from 'node:stream';

/** A frame as it came: type, flags, stream, and what follows its head. */
export interface Frame {
  readonly type: number;
  readonly flags: number;
  readonly stream: number;
  readonly payload: Buffer;
}

/** Types of RFC 9113, section 6. */
export const FRAME = { data: 0, settings: 4, ping: 6, windowUpdate: 8 } as const;
/** Identifiers of RFC 9113, section 6.5.2. */
export const SETTING = { headerTableSize: 1, initialWindowSize: 4 } as const;
const PREFACE_BYTES = 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'.length;
const HEAD_BYTES = 9;
const SETTING_BYTES = 6;

/** The value of a setting in the first SETTINGS frame that names it. */
export function settingIn(frames: readonly Frame[], setting: number): number | undefined {
  for (const { payload } of frames.filter(({ type }) => type === FRAME.settings))
    for (let at = 0; at + SETTING_BYTES <= payload.length; at += SETTING_BYTES)
      if (payload.readUInt16BE(at) === setting) return payload.readUInt32BE(at + 2);
  return undefined;
}

/** Takes what a client sends, in pieces of any size, and calls `onFrame` for each whole frame. */
export function frameReader(onFrame: (frame: Frame) => void): (chunk: Buffer) => void {
  let rest: Buffer = Buffer.alloc(0);
  let preface = PREFACE_BYTES;
  return (chunk) => {
    rest = Buffer.concat([rest, chunk]);
    if (preface > 0) {
      const cut = Math.min(preface, rest.length);
      preface -= cut;
      rest = rest.subarray(cut);
    }
    while (preface === 0 && rest.length >= HEAD_BYTES) {
      const end = HEAD_BYTES + rest.readUIntBE(0, 3);
      if (rest.length < end) return;
      const [type, flags] = [rest.readUInt8(3), rest.readUInt8(4)];
      onFrame({ type, flags, stream: rest.readUInt32BE(5) & 0x7fff_ffff, payload: rest.subarray(HEAD_BYTES, end) });
      rest = rest.subarray(end);
    }
  };
}

/** The same stream for Node's HTTP/2 server, with each frame that comes in shown first. */
export function teeFrames(socket: Duplex, onFrame: (frame: Frame) => void): Duplex {
  const read = frameReader(onFrame);
  const stream = new Duplex({
    read: () => {
      socket.resume();
    },
    write: (chunk, _encoding, done) => {
      socket.write(chunk, () => done());
    },
    final: (done) => {
      socket.end(() => done());
    },
    destroy: (_error, done) => {
      socket.destroy();
      done(null);
    },
  });
  socket.on('data', (chunk: Buffer) => {
    read(chunk);
    if (!stream.push(chunk)) socket.pause();
  });
  socket.once('end', () => stream.push(null));
  socket.once('close', () => stream.destroy());
  return stream;
}
