import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { WIRE_BYTES_PER_PAYLOAD_BYTE } from '../../../../src/core/tcp-constants.ts';
import type { LinkSpec } from '../../../../src/lab/link/link-spec.ts';
import { DEFAULT_LINKS, LINKS_TODAY, linkFigures, NAMED_LINKS } from '../../../../src/lab/link/links.ts';
import { parseLink, parseLinks } from '../../../../src/lab/link/parse-link.ts';

const asFigures = (link: LinkSpec): string =>
  [
    `rtt=${link.rttMs}`,
    link.downTrace === undefined ? `down=${link.downKbps}` : `trace=${link.downTrace}`,
    `up=${link.upKbps}`,
    `queue=${link.queue}`,
    ...(link.lossDown === undefined ? [] : [`loss-down=${link.lossDown}`]),
    ...(link.lossUp === undefined ? [] : [`loss-up=${link.lossUp}`]),
    ...(link.jitterMs === undefined ? [] : [`jitter=${link.jitterMs}`]),
  ].join(',');

const DOCS = readFileSync(fileURLToPath(new URL('../../../../docs/links.md', import.meta.url)), 'utf8');

test('docs/links.md has every link with its figures', () => {
  const rows = NAMED_LINKS.map((link) => `| \`${link.name}\` | ${linkFigures(link)} |`);
  expect(rows.filter((row) => !DOCS.includes(row))).toEqual([]);
});

describe('links by name', () => {
  test('have names of their own, none of which is a figure', () => {
    const names = NAMED_LINKS.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    expect(names.filter((name) => /[=,;\s]/.test(name))).toEqual([]);
    expect(DEFAULT_LINKS).toEqual(['far-2m', 'dsl-10m']);
  });

  test('are found, whichever table they are in', () => {
    expect(parseLinks('far-2m,edge-2008,train-wifi').map(({ rttMs }) => rttMs)).toEqual([300, 840, 120]);
  });

  test.each(LINKS_TODAY.map((link) => [link.name, link] as const))(
    '%s could be typed: it lies within what the emulator takes',
    (_name, link) => {
      expect({ ...parseLink(asFigures(link)), name: link.name }).toEqual(link);
    },
  );

  test.each(LINKS_TODAY.map((link) => [link.name, link] as const))('the queue of %s holds a bandwidth-delay product', (_name, link) => {
    const { rttMs, downKbps, queue } = link;
    expect(queue * 1500 * 8).toBeGreaterThanOrEqual(rttMs * downKbps * WIRE_BYTES_PER_PAYLOAD_BYTE);
  });
});

describe('what a link may have besides round trip, rates and queue', () => {
  test('loss both ways, or one way over it; jitter; what the ends are told', () => {
    expect(parseLink('rtt=80,down=4000,loss=0.01')).toMatchObject({ lossDown: 0.01, lossUp: 0.01 });
    expect(parseLink('rtt=80,down=4000,loss=0.01,loss-up=0')).toEqual({
      name: 'rtt=80,down=4000,loss=0.01,loss-up=0',
      rttMs: 80,
      downKbps: 4000,
      upKbps: 4000,
      queue: 100,
      lossDown: 0.01,
    });
    expect(parseLink('rtt=80,down=4000,jitter=20,iw=3,rmem=4096,seed=7')).toMatchObject({
      jitterMs: 20,
      initialWindow: 3,
      receiveBufferBytes: 4096,
      seed: 7,
    });
  });

  test.each([
    ['rtt=80,down=4000,loss=0.6', /loss must lie between 0 and 0.5/],
    ['rtt=80,down=4000,loss=-0.1', /loss must be a number/],
    ['rtt=80,down=4000,jitter=41', /jitter may be at most half of rtt/],
    ['rtt=80,down=4000,iw=0', /iw must lie between 1 and 1000/],
    ['rtt=80,down=4000,rmem=1', /rmem must lie between 256/],
  ])('refused: %s', (text, says) => {
    expect(() => parseLink(text)).toThrow(says);
  });

  test('is shown, every figure that is set', () => {
    expect(linkFigures(parseLink('rtt=80,trace=train-wifi,up=1500,queue=200,loss=0.01,jitter=20,iw=3,rmem=4096,seed=7'))).toBe(
      'RTT 80 ms, 4000 kbit/s down, 1500 up, queue 200 packets, down is the mean of trace train-wifi, loss 1 % each way, jitter 20 ms, ' +
        'initial window 3 segments, receive buffer 4096 bytes, seed 7',
    );
    expect(linkFigures(parseLink('rtt=80,down=4000,loss-down=0.005'))).toMatch(/loss 0.5 % down, 0 % up$/);
  });
});
