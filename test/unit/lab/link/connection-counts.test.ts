import { describe, expect, test } from 'vitest';
import { type ConnectionCounts, connectionCounts } from '../../../../src/lab/link/connection-counts.ts';

const CLIENT = [198, 18, 0, 1];
const SERVER = [198, 18, 0, 2];
const [FIN, SYN, RST, ACK] = [0x01, 0x02, 0x04, 0x10];

interface Made {
  readonly port: number;
  readonly flags?: number;
  readonly dataBytes?: number;
  readonly server?: readonly number[];
}

/** An IPv4 packet of a connection between the client's `port` and port 80, with TCP's 12 bytes of options. */
function tcp(direction: 'up' | 'down', { port, flags = ACK, dataBytes = 0, server = SERVER }: Made): Uint8Array {
  const total = 20 + 32 + dataBytes;
  const ends = direction === 'up' ? [...CLIENT, ...server] : [...server, ...CLIENT];
  const [own, other] = direction === 'up' ? [port, 80] : [80, port];
  const ip = [0x45, 0, total >> 8, total & 255, 0, 0, 0x40, 0, 64, 6, 0, 0, ...ends];
  const header = [own >> 8, own & 255, other >> 8, other & 255, 0, 0, 0, 0, 0, 0, 0, 0, 0x80, flags];
  return Uint8Array.from([...ip, ...header, ...Array(total - ip.length - header.length).fill(0)]);
}

function udp(port: number): Uint8Array {
  return Uint8Array.from([0x45, 0, 0, 29, 0, 0, 0, 0, 64, 17, 0, 0, ...CLIENT, ...SERVER, port >> 8, port & 255, 1, 187, 0, 9, 0, 0, 1]);
}

/** Where time does not matter. */
function timeless(): Pick<ConnectionCounts, 'read' | 'reset'> & Record<'up' | 'down', (packet: Uint8Array) => void> {
  const counts = connectionCounts();
  return { ...counts, up: (packet) => counts.up(packet, 0), down: (packet) => counts.down(packet, 0) };
}

const open = (counts: ReturnType<typeof timeless>, port: number, server?: readonly number[]) => {
  counts.up(tcp('up', { port, flags: SYN, ...(server && { server }) }));
  counts.down(tcp('down', { port, flags: SYN | ACK, ...(server && { server }) }));
  counts.up(tcp('up', { port, ...(server && { server }) }));
};
const NONE = { opened: 0, peak: 0, used: 0, peakUsed: 0, backups: 0, udpFlows: 0 };

describe('connections seen in packets', () => {
  test('are counted when asked for, and most at once; those that carried something apart', () => {
    const counts = timeless();
    open(counts, 40_001);
    open(counts, 40_002);
    // A SYN sent again is the same connection.
    counts.up(tcp('up', { port: 40_002, flags: SYN }));
    counts.up(tcp('up', { port: 40_001, dataBytes: 300 }));
    counts.up(tcp('up', { port: 40_001, dataBytes: 300 }));
    counts.down(tcp('down', { port: 40_001, dataBytes: 1448 }));
    expect(counts.read()).toEqual({ '198.18.0.2': { opened: 2, peak: 2, used: 1, peakUsed: 1, backups: 0, udpFlows: 0 } });
  });

  test('end with the first FIN or RST of either side', () => {
    const counts = timeless();
    for (const [port, end] of [
      [40_001, () => counts.up(tcp('up', { port: 40_001, flags: FIN | ACK }))],
      [40_002, () => counts.down(tcp('down', { port: 40_002, flags: FIN | ACK }))],
      [40_003, () => counts.up(tcp('up', { port: 40_003, flags: RST }))],
      [40_004, () => counts.down(tcp('down', { port: 40_004, flags: RST | ACK }))],
    ] as const) {
      open(counts, port);
      counts.up(tcp('up', { port, dataBytes: 1 }));
      end();
      // The other side's FIN comes after.
      counts.down(tcp('down', { port, flags: FIN | ACK }));
    }
    expect(counts.read()['198.18.0.2']).toEqual({ opened: 4, peak: 1, used: 4, peakUsed: 1, backups: 0, udpFlows: 0 });
  });

  test('a port used again after the end is another connection', () => {
    const counts = timeless();
    open(counts, 40_001);
    counts.up(tcp('up', { port: 40_001, flags: RST }));
    open(counts, 40_001);
    expect(counts.read()['198.18.0.2']).toMatchObject({ opened: 2, peak: 1 });
  });

  test('data and FIN in one packet are both seen', () => {
    const counts = timeless();
    open(counts, 40_001);
    counts.up(tcp('up', { port: 40_001, flags: FIN | ACK, dataBytes: 10 }));
    open(counts, 40_002);
    counts.up(tcp('up', { port: 40_002, dataBytes: 10 }));
    expect(counts.read()['198.18.0.2']).toMatchObject({ peak: 1, used: 2, peakUsed: 1 });
  });

  test('servers are counted apart; one that nothing was asked of is missing', () => {
    const counts = timeless();
    open(counts, 40_001);
    open(counts, 40_001, [198, 18, 0, 13]);
    counts.down(tcp('down', { port: 40_009, flags: RST, server: [198, 18, 0, 4] }));
    expect(Object.keys(counts.read())).toEqual(['198.18.0.2', '198.18.0.13']);
  });

  test('after a reset a connection that stayed open counts at once, and as used only when it is used again', () => {
    const counts = timeless();
    for (const port of [40_001, 40_002, 40_003]) {
      open(counts, port);
      counts.up(tcp('up', { port, dataBytes: 100 }));
    }
    counts.up(tcp('up', { port: 40_003, flags: FIN | ACK }));
    counts.reset();
    expect(counts.read()['198.18.0.2']).toEqual({ ...NONE, peak: 2 });
    counts.up(tcp('up', { port: 40_002, dataBytes: 100 }));
    expect(counts.read()['198.18.0.2']).toEqual({ ...NONE, peak: 2, used: 1, peakUsed: 1 });
  });

  test('UDP flows are counted by the client’s port, since the reset', () => {
    const counts = timeless();
    for (const port of [50_001, 50_001, 50_002]) counts.up(udp(port));
    expect(counts.read()).toEqual({ '198.18.0.2': { ...NONE, udpFlows: 2 } });
    counts.reset();
    expect(counts.read()).toEqual({});
    counts.up(udp(50_001));
    expect(counts.read()).toEqual({ '198.18.0.2': { ...NONE, udpFlows: 1 } });
  });

  test('what is no whole TCP or UDP packet over IPv4 is passed over', () => {
    const counts = timeless();
    const syn = tcp('up', { port: 40_001, flags: SYN });
    const changed = (at: number, value: number) => syn.with(at, value);
    for (const packet of [new Uint8Array(), syn.slice(0, 24), changed(0, 0x65), changed(9, 1), changed(6, 0x20), changed(7, 1)]) {
      counts.up(packet);
      counts.down(packet);
    }
    expect(counts.read()).toEqual({});
    counts.up(syn);
    expect(counts.read()['198.18.0.2']?.opened).toBe(1);
  });
});

describe('backups beside slow handshakes', () => {
  /** SYNs at `asked`, their answers leaving the link at `answered`; `undefined`: lost. */
  const backupsOf = (connections: readonly (readonly [asked: number, answered: number | undefined])[]) => {
    const counts = connectionCounts();
    const steps = connections.flatMap(([asked, answered], index) => [
      { at: asked, run: () => counts.up(tcp('up', { port: 40_000 + index, flags: SYN }), asked) },
      // The answer comes to the link well before it leaves it.
      { at: asked + 1, run: () => counts.down(tcp('down', { port: 40_000 + index, flags: SYN | ACK }), answered) },
    ]);
    for (const { run } of steps.toSorted((a, b) => a.at - b.at)) run();
    return counts.read()['198.18.0.2']?.backups;
  };

  test.each<[string, number, readonly (readonly [number, number | undefined])[]]>([
    ['quick handshakes have none, however many follow', 0, [...[0, 20, 300, 600].map((at) => [at, at + 20] as const)]],
    [
      'one asked for 250 ms after another that takes 300 is one',
      1,
      [
        [0, 300],
        [250, 550],
      ],
    ],
    [
      'one asked for at once is none',
      0,
      [
        [0, 300],
        [5, 305],
      ],
    ],
    [
      'a lost answer is a slow handshake',
      1,
      [
        [0, undefined],
        [250, 270],
      ],
    ],
    [
      'a backup has none of its own',
      1,
      [
        [0, 300],
        [250, 550],
        [510, 810],
      ],
    ],
    [
      'each slow handshake has one at most',
      2,
      [
        [0, 300],
        [1, 301],
        [250, 550],
        [251, 551],
        [252, 552],
      ],
    ],
    [
      'the answer may come in the moment in which the backup is asked for',
      1,
      [
        [0, 252],
        [253, 505],
      ],
    ],
  ])('%s', (_what, backups, connections) => {
    expect(backupsOf(connections)).toBe(backups);
  });

  test('those open at a reset count once they are used again', () => {
    const counts = connectionCounts();
    counts.up(tcp('up', { port: 40_001, flags: SYN }), 0);
    counts.up(tcp('up', { port: 40_002, flags: SYN }), 250);
    for (const [port, leaves] of [
      [40_001, 300],
      [40_002, 550],
    ] as const)
      counts.down(tcp('down', { port, flags: SYN | ACK }), leaves);
    const use = (port: number) => {
      counts.up(tcp('up', { port, dataBytes: 100 }), 700);
      return counts.read()['198.18.0.2']?.backups;
    };
    expect(use(40_002)).toBe(1);
    counts.reset();
    expect([use(40_001), use(40_002), use(40_002)]).toEqual([0, 1, 1]);
  });
});
