import { describe, expect, test } from 'vitest';
import { endSettings } from '../../../../src/lab/link/end-settings.ts';
import { checkLinks, howChecked, type LinkMeasurement, linkVerdict, plainLink } from '../../../../src/lab/link/link-check.ts';
import { deliveredBytes } from '../../../../src/lab/link/link-counters.ts';
import type { LinkSpec } from '../../../../src/lab/link/link-spec.ts';
import { rateMeter } from '../../../../src/lab/link/measure-link.ts';

const PLAIN: LinkSpec = { name: 'x', rttMs: 100, downKbps: 4000, upKbps: 1000, queue: 100 };
const LOSSY: LinkSpec = { ...PLAIN, lossDown: 0.01, lossUp: 0.02, jitterMs: 10, downTrace: 'train-wifi', initialWindow: 3 };
const AS_ASKED: LinkMeasurement = { rttMs: 100, downKbps: 4000, upKbps: 1000 };

describe('the verdict on a link', () => {
  test.each([
    // 3 % of 1000.
    [{ upKbps: 1030 }, undefined],
    [{ upKbps: 1031 }, /1000 kbit\/s up asked, 1031/],
    [{ upKbps: 969 }, /1000 kbit\/s up asked, 969/],
    [{ downKbps: 3879 }, /4000 kbit\/s down asked, 3879/],
    // Four standard deviations of 2,000 packets at 1 %: 4 x sqrt(19.8) = 17.8, and one: 1.2 to 38.8 packets.
    [{ lossDown: 38 / 2000, packetsDown: 2000 }, undefined],
    [{ lossDown: 39 / 2000, packetsDown: 2000 }, /loss of 0.01 down asked, 0.0195 of 2000/],
    [{ lossDown: 1 / 2000, packetsDown: 2000 }, /loss of 0.01 down/],
    // Of 20 packets hardly anything can be said: 4 x sqrt(0.392) + 1 = 3.5 beside 0.4.
    [{ lossUp: 3 / 20, packetsUp: 20 }, undefined],
    [{ lossUp: 4 / 20, packetsUp: 20 }, /loss of 0.02 up/],
    [{ jitterMs: 13 }, undefined],
    [{ jitterMs: 13.1 }, /jitter of 10 ms asked, 13.1/],
    [{ jitterMs: 6.9 }, /jitter of 10 ms/],
    [{ traceShare: 0.971 }, undefined],
    [{ traceShare: 0.96 }, /trace train-wifi: 96.0 %/],
  ])('%j', (measured, says) => {
    const verdict = linkVerdict(LOSSY, { ...AS_ASKED, ...measured });
    if (says === undefined) expect(verdict).toEqual({ ok: true });
    else expect(verdict).toEqual({ ok: false, reason: expect.stringMatching(says) });
  });

  test('what was not measured is not judged', () => {
    expect(linkVerdict(LOSSY, { rttMs: 100, downKbps: 4000 })).toEqual({ ok: true });
  });

  test('a link without loss loses nothing', () => {
    // One packet of a count may always be off.
    expect(linkVerdict(PLAIN, { ...AS_ASKED, lossDown: 2 / 2000, packetsDown: 2000 }).ok).toBe(false);
  });

  test('says how it was measured', () => {
    expect(howChecked(PLAIN)).toBe('RTT and rates by plain TCP (Reno)');
    expect(howChecked(LOSSY)).toBe(
      'RTT and rates by plain TCP (Reno) without loss, jitter, trace, initial window; loss, jitter, trace by the packets counted',
    );
    expect(plainLink(LOSSY)).toEqual(PLAIN);
  });
});

describe('several links checked', () => {
  const wrong: LinkMeasurement = { ...AS_ASKED, upKbps: 500 };
  const laneWith = (answers: readonly LinkMeasurement[]) => {
    const left = [...answers];
    return { checkLink: async () => left.shift() ?? wrong };
  };

  test('one that fails is tried again, and is a row with its reason when it goes on failing', async () => {
    const told: string[] = [];
    const links = [PLAIN, { ...PLAIN, name: 'y' }, { ...PLAIN, name: 'z' }];
    const lane = laneWith([AS_ASKED, wrong, AS_ASKED]);
    const rows = await checkLinks({ lane, links, onChecked: ({ name }) => told.push(name) });
    expect(rows.map(({ name, ok, attempts }) => [name, ok, attempts])).toEqual([
      ['x', true, 1],
      ['y', true, 2],
      ['z', false, 3],
    ]);
    expect(told).toEqual(['x', 'y', 'z']);
    expect(rows[0]).toEqual({
      name: 'x',
      asked: { rttMs: 100, downKbps: 4000, upKbps: 1000, queue: 100 },
      measured: AS_ASKED,
      ok: true,
      how: 'RTT and rates by plain TCP (Reno)',
      attempts: 1,
    });
    expect(rows[2]?.reason).toMatch(/link z: 1000 kbit\/s up asked, 500/);
  });

  test('none is begun after an interruption', async () => {
    let checks = 0;
    const lane = {
      checkLink: async () => {
        checks += 1;
        return AS_ASKED;
      },
    };
    await checkLinks({ lane, links: [PLAIN, PLAIN, PLAIN], interrupted: () => checks === 2 });
    expect(checks).toBe(2);
  });
});

describe('the ends of a link', () => {
  const OWN = { rmem: '4096\t131072\t33554432\n', moderate: '1\n' };
  /** @param without - What this kernel has not. */
  function ends(without: readonly string[] = []) {
    const ran: string[] = [];
    const run = (name: string) => async (command: readonly string[]) => {
      ran.push(`${name}: ${command.join(' ')}`);
      if (command.some((word) => without.includes(word))) throw new Error('Unknown tcp congestion algorithm.');
      if (command[0] !== 'cat') return '';
      return command[1]?.endsWith('tcp_rmem') ? OWN.rmem : OWN.moderate;
    };
    const settings = endSettings({
      client: { run: run('client'), route: ['198.18.0.0/24', 'dev', 'c'] },
      server: { run: run('server'), route: ['198.18.0.0/24', 'dev', 's'] },
    });
    const taken = () => ran.splice(0).filter((line) => !line.includes('cat '));
    return { settings, taken };
  }

  test('are told what a link asks, and told back what the next does not', async () => {
    const { settings, taken } = ends();
    expect(await settings.defaultCongestionControl()).toBe('cubic');
    expect(taken()).toEqual([
      'client: ip route change 198.18.0.0/24 dev c congctl cubic',
      'server: ip route change 198.18.0.0/24 dev s congctl cubic',
    ]);
    await settings.apply({});
    expect(taken()).toEqual([]);
    await settings.apply({ initialWindow: 3, receiveBufferBytes: 4096 });
    await settings.apply({ initialWindow: 3, receiveBufferBytes: 4096 });
    await settings.apply({ congestionControl: 'bbr' });
    await settings.apply({ congestionControl: 'cubic' });
    expect(taken().map((line) => line.replace(/sh -c .* sh /, 'write '))).toEqual([
      'server: ip route change 198.18.0.0/24 dev s congctl cubic initcwnd 3',
      'client: write 4096 4096 4096 0',
      'client: ip route change 198.18.0.0/24 dev c congctl bbr',
      'server: ip route change 198.18.0.0/24 dev s congctl bbr',
      'client: write 4096\t131072\t33554432 1',
      'client: ip route change 198.18.0.0/24 dev c congctl cubic',
      'server: ip route change 198.18.0.0/24 dev s congctl cubic',
    ]);
  });

  test('send with Reno where the kernel has no CUBIC, unless the link asks for it by name', async () => {
    const { settings, taken } = ends(['cubic']);
    expect(await settings.defaultCongestionControl()).toBe('reno');
    taken();
    await settings.apply({ initialWindow: 3 });
    expect(taken()).toEqual(['server: ip route change 198.18.0.0/24 dev s congctl reno initcwnd 3']);
    await expect(settings.apply({ congestionControl: 'cubic' })).rejects.toThrow(
      /congestion control \(cubic\) cannot be set here: Unknown tcp congestion algorithm/,
    );
  });

  test('say which of them cannot be set', async () => {
    const { settings } = ends(['initcwnd', 'cat']);
    await settings.defaultCongestionControl();
    await expect(settings.apply({ initialWindow: 3 })).rejects.toThrow(/initial congestion window cannot be set here: Unknown/);
    await expect(settings.apply({ receiveBufferBytes: 4096 })).rejects.toThrow(/receive buffer cannot be set here/);
  });
});

describe('the rate of a stream', () => {
  /** 125 bytes every ms are 1000 kbit/s. */
  const feed = (bytesAt: (ms: number) => number) => {
    const meter = rateMeter({ startMs: 0, warmUpMs: 100 });
    for (let ms = 1; ms < 5000; ms++) {
      const kbps = bytesAt(ms) > 0 ? meter.add(bytesAt(ms), ms) : undefined;
      if (kbps !== undefined) return { kbps, ms };
    }
    return undefined;
  };

  test('leaves out the warm-up, and is known after five windows of 250 ms', () => {
    expect(feed((ms) => (ms < 100 ? 10_000 : 125))).toEqual({ kbps: 1000, ms: 100 + 5 * 250 });
  });

  test('a silence that is made up for afterwards does not count', () => {
    // Nothing for 60 ms, then all of it at once: the window before ends late, the next has 60 ms too much; three of five are right.
    const held = feed((ms) => (ms >= 300 && ms < 360 ? 0 : ms === 360 ? 61 * 125 : 125));
    expect(held?.kbps).toBe(1000);
  });

  test('of packets that come seldom is exact all the same', () => {
    // A packet of 1448 bytes every 181 ms is 64 kbit/s; windows end with a packet.
    expect(feed((ms) => (ms % 181 === 0 ? 1448 : 0))?.kbps).toBe(64);
  });
});

test('bytes are told per tenth of a second since the reset', () => {
  const delivered = deliveredBytes(1000);
  delivered.add(100, 1000);
  delivered.add(50, 1099.9);
  delivered.add(7, 1300);
  expect(delivered.read()).toEqual([150, 0, 0, 7]);
  delivered.reset(2000);
  expect(delivered.read()).toEqual([]);
  // Was due before the reset and left after it.
  delivered.add(3, 1999);
  expect(delivered.read()).toEqual([3]);
});
