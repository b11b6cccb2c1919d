import { describe, expect, it } from 'vitest';
import { checkProfile } from '../../../../../src/core/profiles/check-profile.ts';
import { h2LargeObjectsFindings } from '../../../../../src/lab/studies/h2-large-objects/analysis.ts';
import { largeObjectLoad, slowStartMs, windowCourse, windowOf } from '../../../../../src/lab/studies/h2-large-objects/rates.ts';
import { FAR, h2LargeObjects, NEAR } from '../../../../../src/lab/studies/h2-large-objects.ts';
import type { StudyLoad } from '../../../../../src/lab/studies/study.ts';
import { type MadeLoad, madeLoad } from '../made-load.ts';

const KIB = 1024;
const MIB = KIB * KIB;
/** What the far link carries in 100 ms: 20 Mbit/s are 2,500 bytes of payload a ms, in packets of 1,500 bytes with 1,460 of payload. */
const FULL = (250_000 * 1500) / 1460;

describe('a receive window of HTTP/2', () => {
  // 20 Mbit/s are 2,500 bytes a ms; the round trip is 100 ms.
  it('of 256 KiB is acknowledged every 160 KiB, and lets the server pause although it is larger than the 250 kB of the link', () => {
    const course = windowCourse(256 * KIB, FAR);
    expect(course).toMatchObject({ acknowledgedBytes: 160 * KIB, leftBytes: 96 * KIB });
    // Of 100 ms the 98,304 bytes left fill 39.3.
    expect(course.pauseMs).toBeCloseTo(100 - 98_304 / 2500, 6);
    // A cycle of 163,840 bytes takes a round trip and 65,536 bytes more on the line: 126.2 ms, of which 65.5 are busy.
    expect(course.share).toBeCloseTo(65.536 / 126.2144, 4);
  });

  it('of 64 KiB, below the threshold, is acknowledged frame by frame and carries itself once per round trip', () => {
    const course = windowCourse(64 * KIB, FAR);
    expect(course.acknowledgedBytes).toBe(16 * KIB);
    // Four frames in a round trip and the 6.6 ms of the frame that must be there first.
    expect(course.share).toBeCloseTo(65_536 / 2500 / (100 + 16_384 / 2500), 6);
  });

  it('of 12 MiB never runs out on either link', () => {
    for (const link of [NEAR, FAR])
      expect(windowCourse(12 * MIB, link)).toMatchObject({ acknowledgedBytes: 4 * MIB, pauseMs: 0, share: 1 });
  });

  it.each([NEAR, FAR])('is never faster than the link, nor than one window in a round trip: $name', (link) => {
    for (const bytes of [16, 32, 64, 96, 128, 192, 256, 512, 1024, 4096, 12_288].map((kib) => kib * KIB)) {
      const { share } = windowCourse(bytes, link);
      expect(share).toBeGreaterThan(0);
      expect(share).toBeLessThanOrEqual(Math.min(1, bytes / ((link.downKbps * link.rttMs) / 8)));
    }
  });

  it('may be slower than a smaller one: 192 KiB are acknowledged in two halves, 256 KiB in one piece of 160', () => {
    expect(windowCourse(192 * KIB, FAR).share).toBeGreaterThan(windowCourse(256 * KIB, FAR).share);
  });
});

/** Document at 0, object asked for at 300 ms, first byte at 400, last after the windows given. */
function load(deliveredBytes: readonly number[], rest: Partial<MadeLoad> & { profileId: string }): StudyLoad {
  const responseEnd = deliveredBytes.length * 100 + 50;
  return madeLoad({
    page: 'h2-10mb',
    link: FAR.name,
    loadTimeMs: responseEnd,
    deliveredBytes,
    requests: [
      { name: '', fetchStart: 0, responseEnd: 200 },
      { name: 'large.png', fetchStart: 300, requestStart: 300, responseStart: 400, responseEnd },
    ],
    ...rest,
  });
}

const measured = (deliveredBytes: readonly number[]) =>
  largeObjectLoad(load(deliveredBytes, { profileId: 'firefox-default' }), { bytes: 10_000_000, link: FAR });

/** Ten windows that are left out: 400 ms to the first byte, 500 ms of slow start, one window more; and one at the end. */
const around = (windows: readonly number[]) => [...Array.from({ length: 10 }, () => 1), ...windows, 1];

describe('the delivery rate of a load', () => {
  it('leaves slow start out: five round trips until 10 segments have become the 250 kB of the link', () => {
    // 14,600 x 2^5 = 467,200 is the first above 250,000.
    expect(slowStartMs(FAR)).toBe(500);
    expect(slowStartMs({ ...FAR, initialWindow: 3 })).toBe(600);
    expect(slowStartMs(NEAR)).toBe(80);
  });

  it('is even where every window is full', () => {
    expect(measured(around(Array.from({ length: 8 }, () => FULL)))?.rate).toMatchObject({
      meanKbps: expect.closeTo(20_000, 6),
      shareOfLink: expect.closeTo(1, 9),
      variation: expect.closeTo(0, 9),
      belowHalf: 0,
      stalls: 0,
    });
  });

  it('says how much it varies, and how often and how long nothing comes', () => {
    // Six full windows and two stalls, of one window and of two: mean 2/3 of full, deviation sqrt(2)/3, so variation 1/sqrt(2).
    const rate = measured(around([FULL, 0, FULL, FULL, FULL, 0, 0, FULL, FULL]))?.rate;
    expect(rate?.windows).toHaveLength(9);
    expect(rate?.shareOfLink).toBeCloseTo(2 / 3, 9);
    expect(rate?.variation).toBeCloseTo(Math.SQRT1_2, 9);
    expect(rate?.belowHalf).toBeCloseTo(1 / 3, 9);
    expect(rate).toMatchObject({ stalls: 2, longestStallMs: 200 });
  });

  it('is not known from four windows, and goodput is', () => {
    const short = measured(around([FULL, FULL, FULL, FULL]));
    expect(short?.rate).toBeUndefined();
    // 15 windows end at 1,550 ms: 80,000 kbit in 1,250 ms.
    expect(short?.goodputKbps).toBeCloseTo(80_000_000 / 1250, 6);
  });

  it('is not known where the object is not among the requests', () => {
    expect(largeObjectLoad(load([], { profileId: 'a', requests: [] }), { bytes: 1, link: FAR })).toBeUndefined();
  });
});

const data = (loads: readonly StudyLoad[]) => ({ study: h2LargeObjects, pages: h2LargeObjects.pages, links: h2LargeObjects.links, loads });
const full = around(Array.from({ length: 30 }, () => FULL));
const sawtooth = around(Array.from({ length: 60 }, (_, at) => (at % 2 === 0 ? FULL : FULL / 5)));
const slow = around(Array.from({ length: 60 }, () => FULL / 4));

/** Varies by 4 %: a tenth of the windows is empty by 12 %. */
const shaky = around(Array.from({ length: 30 }, (_, at) => (at % 10 === 0 ? FULL * 0.86 : FULL)));

describe('the findings', () => {
  it('say which window makes the rate swing and which holds it back, and that the check holds', () => {
    const { answer, tables, pictures, figures } = h2LargeObjectsFindings(
      data(
        [0, 1, 2].flatMap((block) => [
          load(full, { profileId: 'firefox-default', block }),
          load(sawtooth, { profileId: 'pull-256k', block }),
          load(slow, { profileId: 'pull-64k', block }),
          load(block === 1 ? shaky : full, { profileId: 'pull-12m', block }),
          load(full, { profileId: 'firefox-default', block, page: 'h1-10mb' }),
          load(block === 1 ? shaky : full, { profileId: 'pull-64k', block, page: 'h1-10mb' }),
        ]),
      ),
    );
    expect(answer).toEqual([
      "Over HTTP/2, in windows of 100 ms, the rate swings with 256 KiB (1 of 1 scenario), is held back with 64 KiB (1 of 1 scenario); with Firefox's own settings it does not swing.",
      "pull-12m, which sets Firefox's own values, has no effect in 1 scenario of 1, as must be.",
    ]);
    // 0.6 of the link on average, 0.4 either way; by arithmetic 61 ms of pause, as above.
    const [, , row] = tables[1]?.rows ?? [];
    expect(row).toEqual([
      ...['h2-10mb', 'rtt100-20m', '250 kB', '256 KiB', '1.0', '96 KiB', '61 ms', '52 %'],
      ...['3', '60 %', '60 % to 60 %', '67 %', '67 % to 67 %'],
    ]);
    // Three windows of 30 with 14 % less: sqrt(0.1 x 0.9) x 0.14 is 0.042 of a mean of 0.986.
    expect(tables[1]?.rows[3]?.slice(-1)).toEqual(['0 % to 4.3 %']);
    expect(tables.map(({ rows }) => rows.length)).toEqual([6, 4, 4]);
    for (const { columns, rows } of tables) for (const row of rows) expect(row).toHaveLength(columns.length);
    expect(pictures.map(({ name }) => name)).toEqual(['h2-large-objects-large-10mb-rtt100-20m']);
    expect(pictures[0]?.svg).not.toMatch(/NaN|undefined/);
    expect(figures).toMatchObject({
      windows: [
        { profileId: 'pull-64k', effect: 'slow', check: false },
        { profileId: 'pull-256k', effect: 'swings', check: false },
        { profileId: 'pull-12m', effect: 'none', check: true },
      ],
    });
  });

  it('conclude nothing where what sets the shipped window swings too, or only some of its loads do', () => {
    const swinging = h2LargeObjectsFindings(
      data(
        [0, 1, 2].flatMap((block) => [
          load(full, { profileId: 'firefox-default', block }),
          load(sawtooth, { profileId: 'pull-256k', block }),
          load(sawtooth, { profileId: 'pull-12m', block }),
        ]),
      ),
    );
    expect(swinging.answer).toEqual([
      "No conclusion: pull-12m, which sets Firefox's own values, differs from it in 1 scenario of 1. Measure again on an idle machine.",
    ]);
    const some = h2LargeObjectsFindings(
      data(
        [0, 1, 2].flatMap((block) => [
          load(full, { profileId: 'firefox-default', block }),
          load(full, { profileId: 'pull-256k', block }),
          load(block === 0 ? full : sawtooth, { profileId: 'pull-12m', block }),
        ]),
      ),
    );
    expect(some.answer).toHaveLength(1);
    expect(some.figures).toMatchObject({ windows: [{ effect: 'none' }, { effect: 'open', check: true }] });
  });

  it('leave open what the medians say and not every load', () => {
    const { answer, figures } = h2LargeObjectsFindings(
      data(
        [0, 1, 2].flatMap((block) => [
          load(full, { profileId: 'firefox-default', block }),
          load(block === 0 ? full : sawtooth, { profileId: 'pull-256k', block }),
          load(block === 0 ? full : slow, { profileId: 'pull-64k', block }),
        ]),
      ),
    );
    expect(answer[1]).toContain('nothing checks these figures');
    expect(figures).toMatchObject({ windows: [{ effect: 'open' }, { effect: 'open' }] });
  });

  it('blame no window where the shipped one swings as well', () => {
    const { answer, figures } = h2LargeObjectsFindings(
      data([load(sawtooth, { profileId: 'firefox-default' }), load(sawtooth, { profileId: 'pull-256k' })]),
    );
    expect(figures).toMatchObject({ windows: [{ effect: 'none' }] });
    expect(answer[0]).toContain("with Firefox's own settings it swings as well");
  });

  it('give no verdict on whole loads where what sets the shipped window differs as well, and the interval and pairs of each', () => {
    const took = (loadTimeMs: number, profileId: string, block: number) => load(full, { profileId, block, loadTimeMs });
    // Twelve blocks are six draws, and each has a verdict.
    const loads = Array.from({ length: 12 }, (_, block) => block).flatMap((block) => [
      took(1000 + block / 4, 'firefox-default', block),
      took(2000 + block / 2, 'pull-64k', block),
      took(1251 - block / 4, 'pull-12m', block),
    ]);
    const differing = h2LargeObjectsFindings(data(loads)).tables[2];
    expect(differing?.columns[4]?.name).toBe('95 % interval, 2 together');
    // 1,000 over 2,000 and over 1,250; the intervals are a few thousandths wide.
    expect(differing?.rows.map(([, id, pairs, change, , verdict]) => [id, pairs, change, verdict])).toEqual([
      ['pull-64k', '12', '\u221250 %', 'no verdict'],
      ['pull-12m', '12', '\u221220 %', 'slower'],
    ]);
    expect(differing?.rows[0]?.[4]).toMatch(/^\u221250 % to \u221250 %$/);
    const alike = loads.filter(({ profileId }) => profileId !== 'pull-12m');
    expect(h2LargeObjectsFindings(data(alike)).tables[2]?.rows[0]?.at(-1)).toBe('slower');
  });

  it.each([
    ['nothing', []],
    ['one window alone', [load(full, { profileId: 'firefox-default' })]],
    [
      'HTTP/1.1 alone',
      [load(full, { profileId: 'firefox-default', page: 'h1-10mb' }), load(full, { profileId: 'pull-64k', page: 'h1-10mb' })],
    ],
  ])('have no answer of %s', (_, loads) => {
    expect(h2LargeObjectsFindings(data(loads)).answer).toEqual([]);
  });
});

describe('the study', () => {
  it('sets nothing but the windows, and the smallest window of HTTP/2 really is', () => {
    for (const profile of h2LargeObjects.profiles) expect(() => checkProfile(profile)).not.toThrow();
    expect(h2LargeObjects.profiles.map(windowOf)).toEqual([12 * MIB, 64 * KIB, 256 * KIB, MIB, 12 * MIB]);
  });
});
