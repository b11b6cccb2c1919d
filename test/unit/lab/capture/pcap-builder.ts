/** Captures made by hand: packets between one client and one server, as tcpdump would have kept them. */

export interface TestPacket {
  readonly atMs: number;
  readonly from: 'client' | 'server';
  /** Of the client; tells connections apart. */
  readonly port?: number;
  /** Letters as tcpdump has them: S, A, F, R. Absent: A. */
  readonly flags?: string;
  /** Of its first byte, counted from the first byte of data: a SYN is at -1. */
  readonly at?: number;
  /** What has arrived of the other side, counted likewise. */
  readonly upTo?: number;
  /** As it stands in the header. Absent: 1000. */
  readonly window?: number;
  /** Data; a number is so many bytes of nothing in particular. */
  readonly data?: string | number;
  readonly scale?: number;
  readonly selective?: readonly (readonly [number, number])[];
}

export interface PcapLook {
  readonly bigEndian?: boolean;
  readonly nanoseconds?: boolean;
  readonly linkType?: number;
  /** Put before every packet. */
  readonly linkHeader?: readonly number[];
  readonly snapLength?: number;
}

const CLIENT = 0xc6120001;
const SERVER = 0xc6120002;
/** The server's sequence numbers wrap around after 499 bytes of data. */
const FIRST = { client: 1000, server: 2 ** 32 - 500 } as const;
const STARTED_S = 1_700_000_000;

export function pcap(packets: readonly TestPacket[], look: PcapLook = {}): Uint8Array {
  const { bigEndian = false, nanoseconds = false, linkType = 101, linkHeader = [], snapLength = 65_535 } = look;
  const bytes: number[] = [];
  const word = (value: number) => {
    const parts = [24, 16, 8, 0].map((shift) => (value >>> shift) & 0xff);
    bytes.push(...(bigEndian ? parts : parts.reverse()));
  };
  const half = (value: number) => bytes.push(...(bigEndian ? [value >> 8, value & 0xff] : [value & 0xff, value >> 8]));
  word(nanoseconds ? 0xa1b23c4d : 0xa1b2c3d4);
  half(2);
  half(4);
  word(0);
  word(0);
  word(snapLength);
  word(linkType);
  for (const packet of packets) {
    const whole = [...linkHeader, ...ipPacket(packet)];
    const kept = whole.slice(0, snapLength);
    const perMs = nanoseconds ? 1e6 : 1e3;
    word(STARTED_S + Math.floor(packet.atMs / 1000));
    word(Math.round((packet.atMs % 1000) * perMs));
    word(kept.length);
    word(whole.length);
    for (const byte of kept) bytes.push(byte);
  }
  return Uint8Array.from(bytes);
}

function ipPacket(packet: TestPacket): number[] {
  const fromClient = packet.from === 'client';
  const data = typeof packet.data === 'string' ? [...packet.data].map((character) => character.charCodeAt(0)) : filler(packet.data ?? 0);
  const [own, other] = fromClient ? (['client', 'server'] as const) : (['server', 'client'] as const);
  const ports = [packet.port ?? 40_000, 80];
  const options = optionBytes(packet, other === 'client' ? FIRST.client : FIRST.server);
  const flags = packet.flags ?? 'A';
  const tcp = [
    ...(fromClient ? ports : ports.toReversed()).flatMap(two),
    ...four(FIRST[own] + 1 + (packet.at ?? 0)),
    ...four(flags.includes('A') ? FIRST[other] + 1 + (packet.upTo ?? 0) : 0),
    ((20 + options.length) / 4) << 4,
    [...flags].reduce((sum, letter) => sum + ({ F: 1, S: 2, R: 4, P: 8, A: 16 }[letter] ?? 0), 0),
    ...two(packet.window ?? 1000),
    ...[0, 0, 0, 0],
    ...options,
  ];
  const addresses = fromClient ? [CLIENT, SERVER] : [SERVER, CLIENT];
  const header = [0x45, 0, ...two(20 + tcp.length + data.length), 0, 0, 0x40, 0, 64, 6, 0, 0, ...addresses.flatMap(four)];
  return [...header, ...tcp, ...data];
}

function optionBytes({ scale, selective }: TestPacket, acknowledgedFirst: number): number[] {
  const edges = (selective ?? []).flatMap((block) => block.flatMap((edge) => four(acknowledgedFirst + 1 + edge)));
  return [...(scale === undefined ? [] : [1, 3, 3, scale]), ...(selective ? [1, 1, 5, 2 + edges.length, ...edges] : [])];
}

const two = (value: number): number[] => [(value >> 8) & 0xff, value & 0xff];
const four = (value: number): number[] => [24, 16, 8, 0].map((shift) => ((value % 2 ** 32) >>> shift) & 0xff);
const filler = (length: number): number[] => Array.from({ length }, () => 0x2e);

/** The handshake as the server's side sees it: its answer comes at once, the client's a round trip later. Both windows are scaled by 4. */
export const handshake = (atMs: number, rttMs: number, port = 40_000): readonly TestPacket[] => [
  { atMs, from: 'client', port, flags: 'S', at: -1, scale: 2 },
  { atMs: atMs + 0.1, from: 'server', port, flags: 'SA', at: -1, upTo: 0, scale: 2 },
  { atMs: atMs + rttMs, from: 'client', port, upTo: 0 },
];

export const get = (target: string): string => `GET ${target} HTTP/1.1\r\nHost: a\r\n\r\n`;
/** A head that announces a body of so many bytes. */
export const ok = (bodyBytes: number): string => `HTTP/1.1 200 OK\r\nContent-Length: ${bodyBytes}\r\n\r\n`;
