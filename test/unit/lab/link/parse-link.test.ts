import { describe, expect, test } from 'vitest';
import { linkVerdict } from '../../../../src/lab/link/link-check.ts';
import { LINKS, linkFigures } from '../../../../src/lab/link/links.ts';
import { defaultQueue, parseLink, parseLinks } from '../../../../src/lab/link/parse-link.ts';

const FAR = { name: 'far-2m', rttMs: 300, downKbps: 2000, upKbps: 384, queue: 1000 };

describe('links as typed', () => {
  test('by name', () => {
    expect(parseLinks('far-2m')).toEqual([FAR]);
    expect(parseLinks(' far-2m , dsl-10m ').map(({ name }) => name)).toEqual(['far-2m', 'dsl-10m']);
    expect(LINKS).toContainEqual(FAR);
  });

  test('by figures; up is down unless given, the queue one bandwidth-delay product and at least 100', () => {
    expect(parseLink('rtt=300,down=2000,up=384,queue=50')).toMatchObject({ rttMs: 300, downKbps: 2000, upKbps: 384, queue: 50 });
    // 300 ms x 2000 kbit/s / 8 / 1500 bytes = 50 packets; 600 ms x 10 Mbit/s = 500.
    expect(parseLink('rtt=300,down=2000')).toMatchObject({ upKbps: 2000, queue: 100 });
    expect(defaultQueue(600, 10_000)).toBe(500);
    expect(parseLink('rtt=2.5,down=400').rttMs).toBe(2.5);
    expect(parseLink('rtt=300, down=2000')).toMatchObject({ rttMs: 300, downKbps: 2000 });
  });

  test.each([
    ['rtt=300,down=2000;far-2m', [300, 300]],
    ['far-2m;rtt=1,down=20', [300, 1]],
    ['rtt=1,down=20,far-2m,rtt=3,down=40', [1, 300, 3]],
    ['rtt=1,down=20,rtt=3,down=40', [1, 3]],
    ['far-2m,,;;dsl-10m', [300, 50]],
  ])('several: %s', (text, rtts) => {
    expect(parseLinks(text).map(({ rttMs }) => rttMs)).toEqual(rtts);
  });

  test.each([
    ['', /No link is named/],
    [';,', /No link is named/],
    ['far', /There is no link "far"/],
    ['rtt=300', /needs rtt \(ms\) and down/],
    ['down=300', /needs rtt \(ms\) and down/],
    ['rtt=,down=2000', /rtt must be a number, not ""/],
    ['rtt=0x10,down=2000', /rtt must be a number, not "0x10"/],
    ['rtt=1e2,down=2000', /rtt must be a number, not "1e2"/],
    ['rtt=-5,down=2000', /rtt must be a number, not "-5"/],
    ['rtt=3=4,down=2000', /rtt must be a number, not "3=4"/],
    ['rtt=0,down=2000', /rtt must lie between 1 and 5000/],
    ['rtt=300,down=50001', /down must lie between 10 and 50000/],
    ['rtt=300,down=2000,queue=1', /queue must lie between 2 and 100000/],
    ['rtt=300,down=2000,lost=1', /"lost" is not one of rtt, down, up, queue/],
    ['rtt=300,down=2000,cc=vegas', /cc must be one of reno, cubic, bbr, not "vegas"/],
    ['rtt=300,down=2000,cc=', /cc must be one of reno, cubic, bbr, not ""/],
    ['rtt=300,down=2000,(=1', /"\(" is not one of/],
  ])('refused: %s', (text, says) => {
    expect(() => parseLinks(text)).toThrow(says);
  });

  test('a figure given twice in one link is refused', () => {
    expect(() => parseLink('rtt=1,down=20,rtt=2')).toThrow(/gives rtt twice/);
    expect(() => parseLink('rtt=1,down=20,cc=reno,cc=bbr')).toThrow(/gives cc twice/);
  });

  test.each(['reno', 'cubic', 'bbr'])('its servers send with what cc names: %s', (congestionControl) => {
    expect(parseLink(`rtt=300,down=2000,cc=${congestionControl},iw=3`)).toMatchObject({ congestionControl, initialWindow: 3 });
    expect(parseLink('rtt=300,down=2000')).not.toHaveProperty('congestionControl');
  });

  test('a link is shown with its figures', () => {
    expect(linkFigures({ ...FAR, congestionControl: 'cubic' })).toMatch(/queue 1000 packets, sent with CUBIC$/);
    expect(linkFigures(FAR)).toBe('RTT 300 ms, 2000 kbit/s down, 384 up, queue 1000 packets');
  });
});

describe('the check of a link: RTT within 3 % or 2 ms, rate within 3 %', () => {
  test.each([
    // 3 % of 300 ms is 9 ms, of 2000 kbit/s 60.
    [300, 309, 2000, true],
    [300, 309.1, 2000, false],
    [300, 290.9, 2000, false],
    [300, 300, 2060, true],
    [300, 300, 1940, true],
    [300, 300, 1939, false],
    [300, 300, 2061, false],
    // 3 % of 20 ms would be 0.6.
    [20, 22, 2000, true],
    [20, 22.1, 2000, false],
  ])('RTT %d asked, %d measured, %d kbit/s of 2000: %s', (rttMs, measuredMs, downKbps, ok) => {
    const verdict = linkVerdict({ ...FAR, rttMs }, { rttMs: measuredMs, downKbps });
    expect(verdict.ok).toBe(ok);
    if (!verdict.ok) expect(verdict.reason).toMatch(/^link far-2m: \d+ ?(?:kbit\/s|ms)? ?.*asked, .* measured$|^link far-2m: RTT/);
  });
});
