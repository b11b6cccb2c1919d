import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CONTENT_CLASSES, type PageGraph } from '../../../../src/core/graph/page-graph.ts';
import { waterfallSvg } from '../../../../src/core/report/waterfall-svg.ts';
import type { PredictedRequest, Prediction } from '../../../../src/core/simulate/prediction.ts';
import { shortened } from '../../../../src/core/text/markup.ts';
import { timeTicks } from '../../../../src/core/text/svg-axes.ts';
import { darkOf } from '../../../../src/core/text/svg-picture.ts';
import { contrast } from '../../../support/contrast.ts';
import { xmlFault } from '../../../support/well-formed.ts';

const PAGE: PageGraph = {
  requests: [
    { id: 'index', bytes: 1000, class: 'document' },
    { id: 'a.css', bytes: 500, class: 'stylesheet', origin: 'cdn' },
  ],
};
/** The plot is 785 px wide and begins at 345 px; the load takes 1000 ms, so 100 ms are 78.5 px. */
const TIMELINE: readonly PredictedRequest[] = [
  { id: 'index', discoveredMs: 0, startMs: 0, firstByteMs: 200, endMs: 400, connection: 0 },
  { id: 'a.css', discoveredMs: 400, startMs: 600, firstByteMs: 800, endMs: 1000, connection: 1 },
];

const prediction = (requests: readonly PredictedRequest[], profileId = 'c4-d6'): Prediction => ({
  profileId,
  loadTimeMs: Math.max(...requests.map(({ endMs }) => endMs)),
  efficiency: 0.5,
  bytes: 1500,
  connections: 2,
  bound: 'queue-wait',
  boundShares: { bandwidth: 0.2, 'queue-wait': 0.6, 'round-trips': 0.2, loss: 0, server: 0, page: 0 },
  retransmissions: 0,
  carriages: ['http/1.1'],
  loss: 'none',
  requests,
});

const draw = (page: PageGraph, ...predictions: readonly Prediction[]) =>
  waterfallSvg({ title: 'A page', subtitle: 'RTT 300 ms, 2000 kbit/s down', page, predictions });

const many = (count: number) => ({
  page: {
    requests: Array.from({ length: count }, (_, at) => ({ id: `r${at} /assets/images/picture-${at}.png`, bytes: 9, origin: 'www' })),
  },
  timeline: Array.from({ length: count }, (_, at) => ({
    id: `r${at} /assets/images/picture-${at}.png`,
    discoveredMs: at * 3.217,
    startMs: at * 7.713 + 300,
    firstByteMs: at * 7.713 + 612.3,
    endMs: at * 7.713 + 700.1,
    connection: at % 6,
  })),
});

describe('waterfallSvg', () => {
  it('draws each part of a request where its time is', () => {
    const svg = draw(PAGE, prediction(TIMELINE));
    // 400 to 600 ms: waiting, in the second row (15 px high, below 46 px of heading).
    expect(svg).toContain('M659 67h157v3h-157z');
    // 600 to 800 ms, then 800 to 1000 ms, 10 px high within the row.
    expect(svg).toContain('d="M816 63.5h157v10h-157z" fill="#7b3fc4" fill-opacity="0.35"');
    expect(svg).toContain('d="M973 63.5h157v10h-157z" fill="#7b3fc4"/>');
    // The document begins at once: nothing waits.
    expect(svg).toContain('d="M345 48.5h157v10h-157z" fill="#1d1b20" fill-opacity="0.35"');
    expect(svg.match(/v3h-/g)).toHaveLength(1);
    // The second connection.
    expect(svg).toContain('<text y="72">2</text>');
    expect(svg).toContain('c4-d6: load time 1.00 s, efficiency 0.50, 2 connections, mostly waiting to be sent (60\u00a0%)');
    expect(svg).toContain('Predicted by simulation, not measured.');
  });

  it('draws several loads on one scale of time', () => {
    const halved = TIMELINE.map((each) => ({ ...each, discoveredMs: 200, startMs: 300, firstByteMs: 400, endMs: 500 }));
    const svg = draw(PAGE, prediction(TIMELINE), prediction(halved, 'c8-d1'));
    // Half of 785 px: where the second load ends.
    expect(svg).toContain('<path d="M737.5 38V76" stroke="#b3261e"');
    expect(svg.match(/>0\.5 s</g)).toHaveLength(2);
    expect(xmlFault(svg)).toBeUndefined();
  });

  it('names in its legend only classes that are on the page', () => {
    const svg = draw(PAGE, prediction(TIMELINE));
    for (const name of ['document', 'stylesheet', 'receiving']) expect(svg).toContain(`>${name}</text>`);
    expect(svg).not.toContain('>image</text>');
  });

  it('holds no script and nothing from outside', () => {
    const svg = draw(PAGE, prediction(TIMELINE));
    expect(svg).not.toMatch(/<script|<image|href|url\(|@import|on[a-z]+=/i);
    expect(svg.match(/<style/g)).toHaveLength(1);
    expect(svg.match(/https?:\/\/[^"]*/g)).toEqual(['http://www.w3.org/2000/svg']);
  });

  it('follows the reader into the dark, and what stands out in light does so in dark (WCAG 2.1, 1.4.11)', () => {
    const classes = CONTENT_CLASSES.map((name) => ({ id: name, bytes: 1, class: name }));
    const load = classes.map(({ id }) => ({ id, discoveredMs: 0, startMs: 1, firstByteMs: 2, endMs: 3, connection: 0 }));
    const svg = draw({ requests: classes }, prediction(load));
    expect(svg).toContain('<style>@media (prefers-color-scheme: dark){');
    expect(svg).toContain('[fill="#fff"]{fill:#1c1c1c}');
    const colours = [...new Set([...svg.matchAll(/(?:fill|stroke)="(#[\da-f]+)"/g)].map(([, colour = '']) => colour))];
    // Eight classes, and paper, text, captions, stripes, grid and the parts of a bar.
    expect(colours.length).toBeGreaterThan(12);
    for (const colour of colours) expect(svg).toMatch(new RegExp(`\\[(fill|stroke)="${colour}"\\]\\{`));
    const lost = colours.filter((colour) => contrast(colour, '#fff') >= 3 && contrast(darkOf(colour), darkOf('#fff')) < 3);
    expect(lost).toEqual([]);
  });

  it('is well-formed whatever requests are called', () => {
    const id = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom('<script>alert(1)</script>', ']]>', '&amp;', '"\'', '\ud800', '\u0000'),
    );
    fc.assert(
      fc.property(id, id, fc.string({ unit: 'binary' }), (name, origin, title) => {
        const page = { requests: [{ id: name, bytes: 1, origin }] };
        const load = prediction([{ id: name, discoveredMs: 0, startMs: 1, firstByteMs: 2, endMs: 3, connection: 0 }], name);
        const svg = waterfallSvg({ title, subtitle: origin, page, predictions: [load] });
        expect(xmlFault(svg)).toBeUndefined();
        expect(svg).not.toContain('<script');
      }),
    );
  });

  it('draws a load of no time', () => {
    const svg = draw(PAGE, prediction(TIMELINE.map((each) => ({ ...each, discoveredMs: 0, startMs: 0, firstByteMs: 0, endMs: 0 }))));
    expect(svg).not.toMatch(/NaN|Infinity/);
    expect(xmlFault(svg)).toBeUndefined();
  });

  it('takes at most 300 kB a load for 1,050 requests', () => {
    const { page, timeline } = many(1050);
    const [one, two] = [draw(page, prediction(timeline)), draw(page, prediction(timeline), prediction(timeline, 'c8-d1'))];
    expect(one.length).toBeLessThan(300_000);
    expect(two.length - one.length).toBeLessThan(300_000);
  });
});

describe('timeTicks', () => {
  it.each([
    [1000, ['0.0 s', '0.2 s', '0.4 s', '0.6 s', '0.8 s', '1.0 s']],
    [2090, ['0.0 s', '0.5 s', '1.0 s', '1.5 s', '2.0 s']],
    [45_000, ['0 s', '10 s', '20 s', '30 s', '40 s']],
    [0, ['0 s']],
    [Number.NaN, ['0 s']],
  ])('of %d ms are round', (endMs, labels) => {
    expect(timeTicks(endMs, 5).map(({ label }) => label)).toEqual(labels);
  });

  it('are as many as asked for at most, and reach far', () => {
    fc.assert(
      fc.property(fc.double({ min: 1e-3, max: 1e7, noNaN: true }), fc.integer({ min: 1, max: 20 }), (endMs, most) => {
        const ticks = timeTicks(endMs, most);
        expect(ticks.length).toBeLessThanOrEqual(most + 1);
        expect(ticks.at(-1)?.ms).toBeLessThanOrEqual(endMs * (1 + 1e-6));
        // The next round step is at most 2.5 times as wide.
        expect(ticks.length).toBeGreaterThanOrEqual(Math.floor(most / 2.5));
        expect(new Set(ticks.map(({ label }) => label)).size).toBe(ticks.length);
      }),
    );
  });
});

it('shortened keeps both ends, and counts characters as people do', () => {
  expect(shortened('/static/pictures/a.png', 10)).toBe('/st…/a.png');
  expect(shortened('short', 10)).toBe('short');
  expect([...shortened('🦊'.repeat(20), 5)]).toHaveLength(5);
});
