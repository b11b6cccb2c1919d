/** A load of four resources over two connections, made by hand: one pipelines two requests and loses a segment. RTT 100 ms, seen at the server. */
import { get, handshake, ok, pcap, type TestPacket } from './pcap-builder.ts';

const SEGMENT = 1000;
const RTT = 100;

/** A response in segments from a position on, sent half a millisecond apart and acknowledged one by one. */
function answered(
  from: { readonly atMs: number; readonly at: number; readonly port: number; readonly upTo: number },
  data: string,
): readonly TestPacket[] {
  const { atMs, at, port, upTo } = from;
  const count = Math.ceil(data.length / SEGMENT);
  return Array.from({ length: count }, (_, index) => index).flatMap((index): readonly TestPacket[] => {
    const piece = data.slice(index * SEGMENT, (index + 1) * SEGMENT);
    const start = at + index * SEGMENT;
    return [
      { atMs: atMs + index / 2, from: 'server', port, at: start, upTo, data: piece },
      { atMs: atMs + index / 2 + RTT, from: 'client', port, at: upTo, upTo: start + piece.length, window: 20_000 },
    ];
  });
}

const text = (bytes: number): string => 'x'.repeat(bytes);

export function smallLoad(): Uint8Array {
  const [one, other] = [40_000, 40_001];
  const page = `${ok(1500)}${text(1500)}`;
  const [style, picture, script] = [5000, 7000, 4000].map((bytes) => `${ok(bytes)}${text(bytes)}`) as [string, string, string];
  const first = get('/').length;
  const pipelined = get('/style.css') + get('/picture.png');
  const lost: TestPacket = {
    atMs: 437,
    from: 'server',
    port: one,
    at: page.length + 1000,
    upTo: first + pipelined.length,
    data: text(SEGMENT),
  };
  const packets: readonly TestPacket[] = [
    ...handshake(0, RTT, one),
    { atMs: 105, from: 'client', port: one, data: get('/') },
    ...answered({ atMs: 110, at: 0, port: one, upTo: first }, page),
    ...handshake(220, RTT, other),
    { atMs: 225, from: 'client', port: one, at: first, upTo: page.length, data: pipelined },
    ...answered({ atMs: 229, at: page.length, port: one, upTo: first + pipelined.length }, style),
    lost,
    ...answered({ atMs: 440, at: page.length + style.length, port: one, upTo: first + pipelined.length }, picture),
    { atMs: 325, from: 'client', port: other, data: get('/script.js') },
    ...answered({ atMs: 330, at: 0, port: other, upTo: get('/script.js').length }, script),
    { atMs: 700, from: 'client', port: other, at: get('/script.js').length, upTo: script.length, flags: 'FA' },
  ];
  return pcap(packets.toSorted((before, after) => before.atMs - after.atMs));
}
