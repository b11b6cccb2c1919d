/** The emulated link against plain TCP from outside the lab's code. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ensurePrograms } from '../../src/lab/ensure-programs.ts';
import { roundTripAnswer } from '../../src/lab/lane/lane-protocol.ts';
import { relayLane } from '../../src/lab/lane/relay-lane.ts';
import { checkEmulatedLink, checkEnds } from '../../src/lab/link/check-emulated-link.ts';
import { CLIENT_ADDRESS, type EmulatedLink, emulatedLink, SERVER_ADDRESSES } from '../../src/lab/link/emulated-link.ts';
import { checkLinks, checkLinkUntilAgreed } from '../../src/lab/link/link-check.ts';
import type { LinkSpec } from '../../src/lab/link/link-spec.ts';
import { opportunitiesBetween } from '../../src/lab/link/link-trace.ts';
import { processorsAwake } from '../../src/lab/link/measure-link.ts';
import { type NamespaceProcess, namespaceProcess } from '../../src/lab/link/namespace-process.ts';
import { parseLink } from '../../src/lab/link/parse-link.ts';
import { traceOf } from '../../src/lab/link/traces.ts';
import { FULL } from '../support/long-form.ts';

const PLAIN_TCP = fileURLToPath(new URL('../support/plain-tcp.mjs', import.meta.url));
const HOST = SERVER_ADDRESSES[0];
const PORT = '7000';
/** Sends more than any initial window asked for, and ends. */
const OBJECT = { port: '7001', bytes: 45_000 };

describe('an emulated link, measured by plain TCP', () => {
  let server: NamespaceProcess;
  let client: NamespaceProcess;
  let link: EmulatedLink;
  let prefix: readonly string[];
  const senders: ChildProcess[] = [];
  const nodeIn = (side: NamespaceProcess, args: readonly string[]): ChildProcess => {
    const command = [...prefix, 'nsenter', '--target', String(side.pid), '--net', process.execPath, PLAIN_TCP, ...args];
    return spawn(command[0] as string, command.slice(1), { stdio: ['ignore', 'pipe', 'inherit'] });
  };
  beforeAll(async () => {
    prefix = (await ensurePrograms({ emulator: true, install: false, onInstall: () => {} })).prefix ?? [];
    server = await namespaceProcess('origin-process', { prefix });
    client = await namespaceProcess('lane-worker', { prefix });
    link = await emulatedLink({ prefix, client, server });
    await server.call('listen', { hosts: [HOST], port: 80 });
    await link.calibrate(() => client.ask('measure-rtt', { host: HOST, port: 80 }, { answer: roundTripAnswer }));
    for (const what of [[PORT], [OBJECT.port, String(OBJECT.bytes)]]) {
      const sender = nodeIn(server, ['serve', HOST, ...what]);
      senders.push(sender);
      if (sender.stdout) await once(sender.stdout, 'data');
    }
  });
  afterAll(async () => {
    for (const sender of senders) sender.kill('SIGKILL');
    await link?.close();
    await client?.stop();
    await server?.stop();
  });

  const fromClient = async (...args: string[]) => Number(await client.run([process.execPath, PLAIN_TCP, ...args]));

  it.each((FULL ? [50, 150, 300, 600] : [50, 300]).map((rttMs) => ({ rttMs })))(
    'has an RTT within 3 percent of $rttMs ms',
    async ({ rttMs }) => {
      await link.setLink(parseLink(`rtt=${rttMs},down=2000,up=384`));
      const measured = await processorsAwake(() => fromClient('rtt', HOST, '80'));
      expect(Math.abs(measured - rttMs) / rttMs).toBeLessThanOrEqual(0.03);
    },
  );

  const RATES = [
    { down: 10_000, rtt: 50 },
    { down: 2000, rtt: 300 },
    { down: 400, rtt: 50 },
    { down: 2000, rtt: 50 },
  ];
  it.each(FULL ? RATES : RATES.slice(0, 2))('has a rate within 3 percent of $down kbit/s at RTT $rtt ms', async ({ down, rtt }) => {
    // Deep enough that slow start meets no loss: what is measured is the rate, not Reno's recovery.
    await link.setLink(parseLink(`rtt=${rtt},down=${down},up=1000,queue=100000`));
    const measured = await fromClient('rate', HOST, PORT, String(500 + 5 * rtt), '3000');
    await link.flush();
    expect(Math.abs(measured - down) / down).toBeLessThanOrEqual(0.03);
  });

  /** Datagrams of 60 bytes, and how many the other end has received, as its kernel counts them. */
  const flood = async (packets: number) => {
    const received = async () => {
      const [names = '', figures = ''] = (await server.run(['grep', '^Ip:', '/proc/net/snmp'])).trim().split('\n');
      return Number(figures.split(' ')[names.split(' ').indexOf('InReceives')]);
    };
    await link.flush();
    await link.resetCounters();
    const before = await received();
    await client.call('flood', { address: HOST, packets, packetBytes: 60, durationMs: 1000 });
    // A round trip behind the last of them: on a link that loses nothing any more, but has the same delay.
    await link.setLink(parseLink('rtt=20,down=20000,up=20000'));
    await fromClient('rtt', HOST, '80');
    return { arrived: (await received()) - before, counters: await link.counters() };
  };

  it('loses the share asked at random, of which the other end receives the rest', async () => {
    await link.setLink(parseLink('rtt=20,down=20000,up=20000,loss-up=0.2,seed=3'));
    const { arrived, counters } = await flood(2000);
    expect(counters.up.dropped).toBe(0);
    // Five standard deviations of 2,000 packets at 0.2 are 90; the connects behind them and their ends are some dozens more.
    expect(Math.abs(counters.up.lost - 400)).toBeLessThan(90);
    expect(counters.up.admitted).toBeGreaterThanOrEqual(2000);
    expect(Math.abs(counters.up.admitted - counters.up.lost - arrived)).toBeLessThanOrEqual(10);
    await link.setLink(parseLink('rtt=20,down=20000,up=20000'));
    expect((await flood(500)).counters.up.lost).toBe(0);
  });

  it('varies as its trace says', async () => {
    await link.setLink(parseLink('rtt=20,trace=train-wifi,up=20000,queue=100000'));
    await link.resetCounters();
    await server.call('flood', { address: CLIENT_ADDRESS, packets: 3000, packetBytes: 1500, durationMs: 2000 });
    const { deliveredBytes, traceAtResetMs = 0 } = await link.counters();
    await link.flush();
    const slices = deliveredBytes.slice(1, 18);
    const room = slices.map((_, index) => {
      const leftMs = traceAtResetMs + (index + 1) * 100 - 10;
      return opportunitiesBetween(traceOf('train-wifi'), leftMs, leftMs + 100) * 1500;
    });
    expect(Math.max(...slices)).toBeGreaterThan(1.5 * Math.min(...slices));
    // Packets at the edge of a slice may fall on its other side.
    for (const [index, bytes] of slices.entries()) expect(Math.abs(bytes - (room[index] ?? 0))).toBeLessThanOrEqual(3 * 1500);
  });

  it('has the initial window asked at the server’s end, and the kernel’s own after it', async () => {
    const firstFlight = async (figures: string) => {
      await link.setLink(parseLink(`rtt=400,down=20000,up=20000${figures}`));
      await link.resetCounters();
      // To its end, and nothing is cut off: what a measurement left under way would be sent again into the next.
      expect(await fromClient('receive', HOST, OBJECT.port)).toBe(OBJECT.bytes);
      // Flights are a round trip apart, so that tenths of a second in which nothing comes lie between them.
      const flights = (await link.counters()).deliveredBytes.join(' ').split(/ 0(?: 0)* /);
      const bytes = flights.map((flight) => flight.split(' ').reduce((sum, slice) => sum + Number(slice), 0));
      return bytes.find((each) => each >= 1500) ?? 0;
    };
    // Segments of 1,500 bytes; what the sender writes at once need not be a whole number of them.
    for (const [figures, segments] of [
      [',iw=3', 3],
      [',iw=20', 20],
      ['', 10],
    ] as const)
      expect(Math.abs((await firstFlight(figures)) - segments * 1500)).toBeLessThan(1500);
  });

  /** What the kernel says of the connections of one side that are open with the other. */
  const controlsOf = async (side: NamespaceProcess, port: string): Promise<readonly string[]> => {
    const open = await side.run(['ss', '-tinH', 'state', 'established', '( sport = :%p or dport = :%p )'.replaceAll('%p', port)]);
    return [...open.matchAll(/^\t \S*?(reno|cubic|bbr)\b/gm)].map(([, name]) => name as string);
  };

  it.each([
    ['cubic unless it says otherwise', '', 'cubic'],
    ['reno', ',cc=reno', 'reno'],
    ['bbr', ',cc=bbr', 'bbr'],
  ])('sends with %s, at both ends', async (_what, figures, control) => {
    await link.setLink(parseLink(`rtt=20,down=20000,up=20000,iw=3${figures}`));
    const receiving = nodeIn(client, ['rate', HOST, PORT, '0', '60000']);
    try {
      await expect.poll(async () => [await controlsOf(server, PORT), await controlsOf(client, PORT)]).toEqual([[control], [control]]);
    } finally {
      receiving.kill('SIGKILL');
      await link.flush();
    }
  });

  it('has the receive buffer asked at the client’s end: a round trip carries no more', async () => {
    const rate = async (figures: string) => {
      await link.setLink(parseLink(`rtt=100,down=20000,up=20000${figures}`));
      const kbps = await fromClient('rate', HOST, PORT, '1000', '1000');
      await link.flush();
      return kbps;
    };
    // 64 kB in 100 ms would be 5,243 kbit/s; the kernel keeps part of the buffer for itself.
    const [small, large, own] = [await rate(',rmem=16384'), await rate(',rmem=65536'), await rate('')];
    expect(small).toBeLessThan((16_384 * 8) / 100);
    expect(large).toBeLessThan((65_536 * 8) / 100);
    expect(large / small).toBeGreaterThan(2);
    expect(own / large).toBeGreaterThan(2);
  });

  it('is found by its check to be what was asked, loss, jitter and trace among it', async () => {
    const ends = checkEnds({ client, server, target: { host: HOST, port: 80 }, timeoutMs: 60_000 });
    const lane = { checkLink: (asked: LinkSpec) => checkEmulatedLink(link, asked, ends) };
    const [checked] = await checkLinks({ lane, links: [parseLink('train-wifi')] });
    expect(checked).toMatchObject({ ok: true });
    expect(Object.keys(checked?.measured ?? {}).toSorted()).toEqual(
      ['rttMs', 'downKbps', 'upKbps', 'lossDown', 'lossUp', 'packetsDown', 'packetsUp', 'jitterMs', 'traceShare'].toSorted(),
    );
    // A link that does something else is found out.
    const other = { checkLink: () => checkEmulatedLink(link, parseLink('rtt=20,down=2000,up=500'), ends) };
    const { verdict } = await checkLinkUntilAgreed(other, parseLink('rtt=20,down=2000,up=1000'), 1);
    expect(verdict).toMatchObject({ ok: false });
    expect(verdict.ok ? '' : verdict.reason).toMatch(/1000 kbit\/s up asked, (?:49|50)\d kbit\/s measured/);
  });

  it('counts connections by address of the server, most at once', async () => {
    await link.setLink(parseLink('rtt=20,down=20000,up=20000'));
    await link.resetCounters();
    // Eleven, one after another; nothing is asked over them.
    await fromClient('rtt', HOST, '80');
    const { connections } = await link.counters();
    expect(connections).toEqual({ [HOST]: { opened: 11, peak: expect.any(Number), used: 0, peakUsed: 0, backups: 0, udpFlows: 0 } });
    expect(connections[HOST]?.peak).toBeLessThanOrEqual(2);
  });
});

it('the relay emulator refuses what it does not emulate', async () => {
  const lane = await relayLane();
  try {
    await expect(lane.useLink(parseLink('rtt=20,down=2000,loss=0.1'))).rejects.toThrow(/namespaces are needed/);
    await lane.useLink(parseLink('rtt=20,trace=train-wifi,jitter=5'));
  } finally {
    await lane.close();
  }
});
