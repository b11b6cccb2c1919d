/**
 * Reads the classic capture file of libpcap (draft-ietf-opsawg-pcap): both byte orders, time stamps in micro- and nanoseconds. A file that
 * breaks off in its last record, as one whose writer was killed does, is read up to there.
 */
import { PlumbfoxError } from '../../core/errors.ts';

export interface PcapRecord {
  /** After the first record of the file, ms. */
  readonly atMs: number;
  /** What was kept of the packet: a view, not a copy. */
  readonly bytes: Uint8Array;
  /** What the packet had on the wire. */
  readonly originalBytes: number;
}

export interface PcapFile {
  readonly linkType: number;
  /** Bytes kept of every packet at most. */
  readonly snapLengthBytes: number;
  /** When the first record was taken, ms since 1970; absent: there is none. */
  readonly startedAtEpochMs?: number;
  /** In order of time. */
  readonly records: readonly PcapRecord[];
  /** Bytes at the end of the file that are no whole record; 0 for a file that was closed in good order. */
  readonly brokenOffBytes: number;
}

const FILE_HEADER_BYTES = 24;
const RECORD_HEADER_BYTES = 16;
const MICROSECONDS = 0xa1b2c3d4;
const NANOSECONDS = 0xa1b23c4d;
/** The first block of a pcapng file, the same in both byte orders (draft-ietf-opsawg-pcapng). */
const PCAPNG = 0x0a0d0d0a;
/** MAXIMUM_SNAPLEN of libpcap 1.10: no writer keeps more of one packet, so more means that this is no record. */
const MAX_RECORD_BYTES = 262_144;

/** @throws PlumbfoxError `bad-input` when it is no such file. */
export function readPcap(file: Uint8Array): PcapFile {
  if (file.byteLength < FILE_HEADER_BYTES) throw new PlumbfoxError('bad-input', 'No capture: it is shorter than the header of a pcap file');
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  const { littleEndian, fractionsPerMs } = formatOf(view);
  const snapLengthBytes = view.getUint32(16, littleEndian);
  // The upper bits say whether packets end in a checksum of the link layer, and how long it is.
  const linkType = view.getUint32(20, littleEndian) & 0xffff;
  const records: PcapRecord[] = [];
  let first: { seconds: number; fraction: number } | undefined;
  let inOrder = true;
  let at = FILE_HEADER_BYTES;
  while (at + RECORD_HEADER_BYTES <= file.byteLength) {
    const keptBytes = view.getUint32(at + 8, littleEndian);
    if (keptBytes > MAX_RECORD_BYTES) throw new PlumbfoxError('bad-input', `The capture is damaged: no packet can begin at byte ${at}`);
    const from = at + RECORD_HEADER_BYTES;
    if (from + keptBytes > file.byteLength) break;
    const seconds = view.getUint32(at, littleEndian);
    const fraction = view.getUint32(at + 4, littleEndian);
    first ??= { seconds, fraction };
    // From the first record on, because nanoseconds since 1970 are more than a number holds exactly.
    const atMs = (seconds - first.seconds) * 1000 + (fraction - first.fraction) / fractionsPerMs;
    inOrder &&= atMs >= (records.at(-1)?.atMs ?? atMs);
    records.push({ atMs, bytes: file.subarray(from, from + keptBytes), originalBytes: view.getUint32(at + 12, littleEndian) });
    at = from + keptBytes;
  }
  // Several queues of one device may hand their packets over in turn.
  if (!inOrder) records.sort((one, other) => one.atMs - other.atMs);
  return {
    linkType,
    snapLengthBytes,
    ...(first && { startedAtEpochMs: first.seconds * 1000 + first.fraction / fractionsPerMs }),
    records,
    brokenOffBytes: file.byteLength - at,
  };
}

function formatOf(view: DataView): { readonly littleEndian: boolean; readonly fractionsPerMs: number } {
  for (const littleEndian of [true, false]) {
    const magic = view.getUint32(0, littleEndian);
    if (magic === MICROSECONDS) return { littleEndian, fractionsPerMs: 1e3 };
    if (magic === NANOSECONDS) return { littleEndian, fractionsPerMs: 1e6 };
    if (magic === PCAPNG)
      throw new PlumbfoxError('bad-input', 'This capture is a pcapng file: write it as pcap first, with editcap -F pcap IN OUT');
  }
  throw new PlumbfoxError('bad-input', 'No capture: it does not begin as a pcap file does');
}
