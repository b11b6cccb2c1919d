/** A TCP segment in IPv4, as much of it as was kept (RFC 791, RFC 9293, RFC 7323, RFC 2018). */

import { PlumbfoxError } from '../../core/errors.ts';
import type { PcapFile, PcapRecord } from './pcap-file.ts';

export interface TcpSegment {
  /** After the first packet of the capture, ms. */
  readonly atMs: number;
  /** IPv4 addresses as numbers. */
  readonly source: number;
  readonly destination: number;
  readonly sourcePort: number;
  readonly destinationPort: number;
  /** Modulo 2^32. */
  readonly sequence: number;
  /** Modulo 2^32; meaningless without `ACK`. */
  readonly acknowledgement: number;
  /** `TCP_FLAGS`, added up. */
  readonly flags: number;
  /** The field's value, before scaling. */
  readonly window: number;
  /** Bytes of data that the segment carried. */
  readonly dataBytes: number;
  /** The bytes that were kept. */
  readonly data: Uint8Array;
  /** Only in a SYN. */
  readonly windowScale?: number;
  /** Left and right edges, modulo 2^32. */
  readonly selective: readonly (readonly [number, number])[];
}

/** Bits of the flags' byte (RFC 9293, section 3.1). */
export const TCP_FLAGS = { fin: 1, syn: 2, reset: 4, push: 8, acknowledgement: 16 } as const;

const PROTOCOL_TCP = 6;
const MIN_HEADER_BYTES = 20;
const NO_BLOCKS: TcpSegment['selective'] = [];

/** @returns the TCP segments, by time. Whatever else is in the capture is counted. */
export function tcpSegments(file: PcapFile): { readonly segments: readonly TcpSegment[]; readonly otherPackets: number } {
  const headerBytes = linkHeaderBytes(file.linkType);
  const segments = file.records.flatMap((record) => tcpSegment(record, headerBytes(record.bytes)) ?? []);
  return { segments, otherPackets: file.records.length - segments.length };
}

function tcpSegment({ atMs, bytes, originalBytes }: PcapRecord, from: number | undefined): TcpSegment | undefined {
  if (from === undefined || bytes.byteLength < from + MIN_HEADER_BYTES) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const ipHeaderBytes = (view.getUint8(from) & 0xf) * 4;
  const tcpAt = from + ipHeaderBytes;
  if (view.getUint8(from) >> 4 !== 4 || ipHeaderBytes < MIN_HEADER_BYTES || view.getUint8(from + 9) !== PROTOCOL_TCP) return undefined;
  // A later fragment has no TCP header.
  if ((view.getUint16(from + 6) & 0x1fff) !== 0 || bytes.byteLength < tcpAt + MIN_HEADER_BYTES) return undefined;
  const tcpHeaderBytes = (view.getUint8(tcpAt + 12) >> 4) * 4;
  if (tcpHeaderBytes < MIN_HEADER_BYTES) return undefined;
  // A packet put together by the sending side's own offloading may have no length of its own.
  const ipBytes = view.getUint16(from + 2) || originalBytes - from;
  const dataBytes = ipBytes - ipHeaderBytes - tcpHeaderBytes;
  if (dataBytes < 0) return undefined;
  const dataAt = tcpAt + tcpHeaderBytes;
  return {
    atMs,
    source: view.getUint32(from + 12),
    destination: view.getUint32(from + 16),
    sourcePort: view.getUint16(tcpAt),
    destinationPort: view.getUint16(tcpAt + 2),
    sequence: view.getUint32(tcpAt + 4),
    acknowledgement: view.getUint32(tcpAt + 8),
    flags: view.getUint8(tcpAt + 13),
    window: view.getUint16(tcpAt + 14),
    dataBytes,
    data: bytes.subarray(dataAt, dataAt + dataBytes),
    ...optionsIn(view, tcpAt + MIN_HEADER_BYTES, Math.min(dataAt, bytes.byteLength)),
  };
}

const OPTION = { end: 0, nothing: 1, windowScale: 3, selective: 5 } as const;
/** RFC 7323, section 2.3: a larger shift is taken as 14. */
const MAX_SCALE = 14;

function optionsIn(view: DataView, from: number, to: number): Pick<TcpSegment, 'selective' | 'windowScale'> {
  let selective: (readonly [number, number])[] | undefined;
  let windowScale: number | undefined;
  for (let at = from; at + 1 < to; ) {
    const kind = view.getUint8(at);
    if (kind === OPTION.end) break;
    if (kind === OPTION.nothing) {
      at += 1;
      continue;
    }
    const length = view.getUint8(at + 1);
    if (length < 2 || at + length > to) break;
    if (kind === OPTION.windowScale && length === 3) windowScale = Math.min(MAX_SCALE, view.getUint8(at + 2));
    if (kind === OPTION.selective)
      for (let block = at + 2; block + 8 <= at + length; block += 8) {
        selective ??= [];
        selective.push([view.getUint32(block), view.getUint32(block + 4)]);
      }
    at += length;
  }
  return { selective: selective ?? NO_BLOCKS, ...(windowScale !== undefined && { windowScale }) };
}

/** `undefined`: what follows is no IPv4. */
type LinkHeaderBytes = (bytes: Uint8Array) => number | undefined;

/** EtherType of IPv4 (IEEE 802 numbers). */
const IPV4 = [0x08, 0x00] as const;

const rawIp: LinkHeaderBytes = () => 0;
const behindEtherType =
  (at: number, headerBytes: number): LinkHeaderBytes =>
  (bytes) =>
    bytes[at] === IPV4[0] && bytes[at + 1] === IPV4[1] ? headerBytes : undefined;

/** https://www.tcpdump.org/linktypes.html. TUN devices are 101; 12 and 14 are what raw IP is called on the BSDs. */
const LINK_TYPES: ReadonlyMap<number, LinkHeaderBytes> = new Map([
  [101, rawIp],
  [228, rawIp],
  [12, rawIp],
  [14, rawIp],
  [1, behindEtherType(12, 14)],
  [113, behindEtherType(14, 16)],
  [276, behindEtherType(0, 20)],
]);

/** @throws PlumbfoxError `bad-input` for a kind of device that is not known here. */
function linkHeaderBytes(linkType: number): LinkHeaderBytes {
  const found = LINK_TYPES.get(linkType);
  if (!found)
    throw new PlumbfoxError('bad-input', `The capture is of link type ${linkType}: only raw IP, Ethernet and Linux cooked are read`);
  return found;
}
