import { describe, expect, it } from 'vitest';
import { analyseCapture, captureJson } from '../../../../src/lab/capture/capture-analysis.ts';
import { connectionRowsSvg } from '../../../../src/lab/capture/connection-rows-svg.ts';
import { loadComparisonSvg } from '../../../../src/lab/capture/load-comparison-svg.ts';
import { captureFigures, captureWindow } from '../../../../src/lab/capture/load-window.ts';
import { bytesText, byteTicks, resourceName } from '../../../../src/lab/capture/picture-frame.ts';
import { timeSequenceSvg } from '../../../../src/lab/capture/time-sequence-svg.ts';
import { xmlFault } from '../../../support/well-formed.ts';
import { get, handshake, ok, pcap } from './pcap-builder.ts';
import { smallLoad } from './small-load.ts';

const analysis = analyseCapture(smallLoad());

describe('the pictures', () => {
  it('of a capture without connections are pictures all the same', () => {
    const empty = analyseCapture(pcap([]));
    expect(xmlFault(connectionRowsSvg(empty))).toBeUndefined();
    expect(xmlFault(loadComparisonSvg([{ label: 'a', group: 'b', analysis: empty }], { title: 't', subtitle: 's' }))).toBeUndefined();
  });

  it('hold whatever a request may name', () => {
    const odd = analyseCapture(
      pcap([
        ...handshake(0, 80),
        { atMs: 90, from: 'client', data: get('/<script>&"\u0001.png') },
        { atMs: 95, from: 'server', data: ok(0) },
      ]),
    );
    const [connection] = odd.connections;
    expect(odd.connections[0]?.exchanges).toHaveLength(1);
    expect(xmlFault(connectionRowsSvg(odd, { title: 'a < b & c' }))).toBeUndefined();
    expect(connection && xmlFault(timeSequenceSvg(connection))).toBeUndefined();
  });

  it('mark what waited behind another response, and nothing where nothing did', () => {
    const hatched = (svg: string) => svg.split('fill="url(#hatch)"').length - 1;
    // One is in the legend.
    expect(hatched(connectionRowsSvg(analysis))).toBe(2);
    const alone = analyseCapture(
      pcap([...handshake(0, 80), { atMs: 90, from: 'client', data: get('/') }, { atMs: 95, from: 'server', data: ok(0) }]),
    );
    expect(hatched(connectionRowsSvg(alone))).toBe(1);
  });

  it('have a dot for every request', () => {
    // One is in the legend.
    expect(connectionRowsSvg(analysis).split('<circle').length - 2).toBe(4);
  });

  it('draw what was sent again apart', () => {
    const [first, second] = analysis.connections;
    expect(first && timeSequenceSvg(first)).toContain('sent again</text>');
    expect(second && timeSequenceSvg(second)).not.toContain('sent again</text>');
  });
});

describe('the figures of a load', () => {
  it('are those of its window', () => {
    const window = captureWindow(analysis);
    // From the first SYN to the acknowledgement of the last byte of the picture: 440 + 7 x 0.5 + 100.
    expect(window).toEqual({ fromMs: 0, toMs: 543.5 });
    expect(window && captureFigures(analysis, window)).toMatchObject({
      durationMs: 543.5,
      connections: 2,
      opened: 2,
      requests: 4,
      mostOutstandingRequests: 3,
      retransmittedPackets: 1,
      dataPackets: 2 + 6 + 1 + 8 + 5,
      // The picture waited for the style sheet, whose last segment was sent again at 437: 437 - (225 + 4).
      headOfLineMs: { requests: 1, sum: 208, most: 208 },
    });
  });

  it('are of the requests that are asked for', () => {
    // On a connection that was there before, a load begins with its request.
    expect(captureWindow(analysis, (target) => target === '/picture.png')?.fromMs).toBe(225);
    expect(captureWindow(analysis, (target) => target === '/missing')).toBeUndefined();
  });
});

describe('the JSON', () => {
  it('is an analysis without its packets', () => {
    const json = captureJson(analysis);
    expect(json).toMatchObject({ kind: 'plumbfox-capture', version: 1, packets: analysis.packets, capturePoint: 'server' });
    expect(json.connections).toHaveLength(2);
    expect(JSON.stringify(json)).not.toContain('"flows"');
    // Nothing in it is lost on the way through JSON.
    expect(JSON.parse(JSON.stringify(json))).toEqual(json);
  });
});

describe('an axis of bytes', () => {
  it('has round ticks', () => {
    expect(byteTicks(330_000, 8).map(({ label }) => label)).toEqual(['0', '50 kB', '100 kB', '150 kB', '200 kB', '250 kB', '300 kB']);
    expect(byteTicks(0, 8)).toEqual([{ bytes: 0, label: '0' }]);
    expect(byteTicks(3, 8).map(({ bytes }) => bytes)).toEqual([0, 1, 2, 3]);
  });

  it('names sizes in decimal units', () => {
    expect([0, 640, 2248, 150_235, 1_500_000].map(bytesText)).toEqual(['0', '640 B', '2.25 kB', '150 kB', '1.5 MB']);
  });
});

it.each([
  ['/images/t2/picture-0.png?x=/y', 'picture-0.png'],
  ['/images/t2/', '/images/t2/'],
  ['/', '/'],
])('%s is called %s', (target, name) => {
  expect(resourceName(target)).toBe(name);
});
