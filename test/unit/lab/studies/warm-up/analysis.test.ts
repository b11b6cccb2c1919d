/** The warm-up study on hand-made loads: what counts as a sequence, its figures, and what it answers. */
import { describe, expect, it } from 'vitest';
import { SEQUENCE_OBJECTS } from '../../../../../src/lab/pages/study-pages.ts';
import { LAB_NETWORK_IDLE_MS } from '../../../../../src/lab/run/network-idle.ts';
import type { StudyData, StudyLoad, StudyPage, StudyRequest } from '../../../../../src/lab/studies/study.ts';
import { timesRange, timesText } from '../../../../../src/lab/studies/warm-up/analysis.ts';
import { heldUp, rangeHoldsMedian, sequenceCells, sequenceOf } from '../../../../../src/lab/studies/warm-up/sequences.ts';
import { warmUp } from '../../../../../src/lab/studies/warm-up.ts';
import { BARE_LOAD } from '../made-load.ts';

const pageNamed = (name: string): StudyPage => {
  const page = warmUp.pages.find((each) => each.name === name);
  if (page === undefined) throw new Error(`no page ${name}`);
  return page;
};

interface Exchange {
  /** Handshake before it. */
  readonly setUp?: number;
  readonly firstByte: number;
  readonly body: number;
}

/** One after another, each asked for when the one before is there. */
function requestsOf(exchanges: readonly Exchange[]): readonly StudyRequest[] {
  const document: StudyRequest = {
    name: '',
    fetchStart: 0,
    connectStart: 1,
    connectEnd: 21,
    requestStart: 21,
    responseStart: 41,
    responseEnd: 42,
  };
  let now = 100;
  const objects = exchanges.map(({ setUp, firstByte, body }, at): StudyRequest => {
    const connecting = setUp === undefined ? {} : { connectStart: now, connectEnd: now + setUp };
    const requestStart = now + (setUp ?? 0);
    now = requestStart + firstByte + body;
    return {
      name: `object-${at}.png`,
      fetchStart: 90,
      ...connecting,
      requestStart,
      responseStart: requestStart + firstByte,
      responseEnd: now,
    };
  });
  return [document, ...objects];
}

/** A first exchange and four later ones. */
const sequence = (first: Exchange, later: Exchange): readonly StudyRequest[] =>
  requestsOf([first, ...Array.from({ length: SEQUENCE_OBJECTS - 1 }, () => later)]);

const COLD = sequence({ setUp: 20, firstByte: 20, body: 50 }, { firstByte: 20, body: 25 });
const WARM_KEPT = sequence({ firstByte: 20, body: 25 }, { firstByte: 20, body: 25 });
const WARM_ANEW = sequence({ firstByte: 20, body: 50 }, { firstByte: 20, body: 25 });

interface Made {
  readonly page?: string;
  readonly link?: string;
  readonly profileId?: string;
  readonly block?: number;
  readonly requests: readonly StudyRequest[];
}

const load = ({ page = 'sequence-64k-cold', link = 'near-20m', profileId = 'speculative-20', block = 0, requests }: Made): StudyLoad => ({
  ...BARE_LOAD,
  ...{ profileId, page, link, block, requests },
});

const data = (loads: readonly StudyLoad[]): StudyData => ({ study: warmUp, pages: warmUp.pages, links: warmUp.links, loads });
const twice = (made: Made): readonly StudyLoad[] => [0, 1].map((block) => load({ ...made, block }));

describe('a sequence', () => {
  const cold = pageNamed('sequence-64k-cold');
  const warm = pageNamed('sequence-64k-warm');

  it('has the handshake, and every request from its start to its last byte', () => {
    expect(sequenceOf({ requests: COLD }, cold)).toEqual({
      setUpMs: 20,
      askedAfterMs: 120,
      times: [70, 45, 45, 45, 45],
      bodies: [50, 25, 25, 25, 25],
    });
    expect(sequenceOf({ requests: WARM_KEPT }, warm)).toMatchObject({ setUpMs: undefined, times: [45, 45, 45, 45, 45] });
  });

  it('is in the order of asking, whatever the order of the record', () => {
    const [document, ...objects] = COLD;
    const requests = [...(document ? [document] : []), ...objects.toReversed()];
    expect(sequenceOf({ requests }, cold)?.times[0]).toBe(70);
  });

  it('is none where the connection was open, or was not, against what the page declares', () => {
    expect(sequenceOf({ requests: WARM_KEPT }, cold)).toBeUndefined();
    expect(sequenceOf({ requests: COLD }, warm)).toBeUndefined();
  });

  it('is none where a later object opened a connection, an object is missing, or two overlap', () => {
    const opening = requestsOf(Array.from({ length: SEQUENCE_OBJECTS }, () => ({ setUp: 20, firstByte: 20, body: 5 })));
    expect(sequenceOf({ requests: opening }, cold)).toBeUndefined();
    expect(sequenceOf({ requests: COLD.slice(0, -1) }, cold)).toBeUndefined();
    const overlapping = COLD.map((each, at) => (at === 3 ? { ...each, requestStart: (each.requestStart ?? 0) - 1 } : each));
    expect(sequenceOf({ requests: overlapping }, cold)).toBeUndefined();
    expect(sequenceOf({}, cold)).toBeUndefined();
  });
});

describe('cells', () => {
  it('are medians over the loads, and count those that went otherwise', () => {
    const slower = sequence({ setUp: 22, firstByte: 20, body: 70 }, { firstByte: 20, body: 35 });
    const [cell] = sequenceCells(
      data([load({ requests: COLD }), load({ requests: slower, block: 1 }), load({ requests: WARM_KEPT, block: 2 })]),
    );
    // First 70 and 90, later 45 and 55; in all 5 requests each, 70 + 4 x 45 + 90 + 4 x 55 = 560.
    expect(cell).toMatchObject({
      loads: 2,
      otherwise: 1,
      setUpMs: 21,
      firstMs: 80,
      secondMs: 50,
      laterMs: 50,
      averageMs: 56,
      minMs: 45,
      maxMs: 90,
    });
  });

  it('know the pause before a connection that was open: the quiet after the load before, and the document', () => {
    const [warm] = sequenceCells(data(twice({ page: 'sequence-64k-warm', requests: WARM_KEPT })));
    expect(warm?.pauseMs).toBe(LAB_NETWORK_IDLE_MS + 100);
    const [cold] = sequenceCells(data(twice({ requests: COLD })));
    expect(cold?.pauseMs).toBeUndefined();
  });
});

describe('what held up an answer', () => {
  const held = (body: number, made: Omit<Made, 'requests'>) => {
    const [cell] = sequenceCells(data(twice({ ...made, requests: sequence({ setUp: 20, firstByte: 20, body }, { firstByte: 20, body }) })));
    return cell && heldUp(cell);
  };

  it('is the window, of which the first came with the first byte', () => {
    // 64 KiB in windows of 16 KiB: one with the first byte, three more in as many round trips of 20 ms.
    expect(held(60, { link: 'near-20m-rmem32k' })).toEqual({ by: 'window', bytesPerRoundTrip: 16_384 });
    // 1,000 ms are 50 round trips after the first window: 65,536 / 51.
    expect(held(1000, { link: 'near-20m-rmem4k' })).toMatchObject({ by: 'window', bytesPerRoundTrip: expect.closeTo(1285.02, 2) });
  });

  it('is not the window where fewer than three round trips follow the first byte', () => {
    expect(held(59, { link: 'near-20m-rmem32k' })).toBeUndefined();
  });

  it("is the sender's timer where less comes in a round trip than any segment holds", () => {
    // 1,024 bytes in 98.8 windows would be 10 bytes each.
    expect(held(1956, { page: 'sequence-1k-cold', link: 'near-20m-rmem512' })).toEqual({ by: 'sender-timer', firstByteMs: 20 });
  });
});

describe('words', () => {
  it('have no more figures than tell something', () => {
    expect([1.96, 107.04, 1234.5].map(timesText)).toEqual(['2.0 times', '107 times', '1,235 times']);
    expect(timesRange([1.96, 2.01])).toBe('2.0 times');
    expect(timesRange([3.57, 1.88])).toBe('1.9 to 3.6 times');
  });

  it('know that six of six on one side of the median is 1 in 32', () => {
    expect(rangeHoldsMedian(6)).toBe(31 / 32);
    expect(rangeHoldsMedian(1)).toBe(0);
  });
});

describe('findings', () => {
  it('tell the first request from the later ones, and how much of it is the handshake', () => {
    const slower = sequence({ setUp: 20, firstByte: 20, body: 70 }, { firstByte: 20, body: 25 });
    const { answer, tables } = warmUp.findings(data([load({ requests: COLD }), load({ requests: slower, block: 1 })]));
    // 20 + 70 and 20 + 90 against 45: 2.00 and 2.44 times; 1.56 and 2.00 without the handshake.
    expect(answer).toEqual([
      'With the handshake, the first request on a new connection takes 2.2 times as long as a later one with objects of 64 KiB.',
    ]);
    expect(tables[0]?.title).toContain('medians of 1 profile x 2 loads, in brackets lowest to highest load (of 2: a 50 % interval');
    expect(tables[0]?.rows).toEqual([
      [...['near-20m', '20', '64 KiB', 'new', '2', '20.0', '80.0', '100', '45.0'], ...['1.78 (1.56 to 2.00)', '2.22 (2.00 to 2.44)', '–']],
    ]);
  });

  it.each([
    ['the handshake and slow start', WARM_KEPT, '45.0 (45.0 to 45.0)'],
    ['the handshake', WARM_ANEW, '20.0 (20.0 to 20.0)'],
  ])('tell what an open connection spares: %s', (_, requests, spared) => {
    const { tables } = warmUp.findings(data([...twice({ requests: COLD }), ...twice({ page: 'sequence-64k-warm', requests })]));
    expect(tables[0]?.rows.map((row) => [row[3], row.at(-1)])).toEqual([
      ['new', '–'],
      ['open already', spared],
    ]);
  });

  it('compare an open connection with a new one in pairs of one profile and block', () => {
    const slowSetUp = sequence({ setUp: 40, firstByte: 20, body: 50 }, { firstByte: 20, body: 25 });
    const warm = (made: Partial<Made>) => load({ page: 'sequence-64k-warm', requests: WARM_KEPT, ...made });
    const { tables } = warmUp.findings(
      data([load({ requests: COLD }), load({ requests: slowSetUp, block: 1 }), warm({}), warm({ block: 1 }), warm({ block: 2 })]),
    );
    // 90 - 45 and 110 - 45; block 2 has no load of its own over a new connection.
    expect(tables[0]?.rows[1]?.at(-1)).toBe('55.0 (45.0 to 65.0)');
  });

  it('tell by receive buffer which one slows answers down most, and by how much', () => {
    const held = sequence({ setUp: 20, firstByte: 20, body: 430 }, { firstByte: 20, body: 430 });
    const { answer, tables } = warmUp.findings(
      data([
        ...twice({ requests: COLD }),
        ...twice({ link: 'near-20m-rmem4k', requests: held }),
        ...twice({ link: 'near-20m-rmem64k', requests: COLD }),
      ]),
    );
    // 450 is 10 times 45; 430 ms are 21.5 round trips after the first window: 65,536 / 22.5 = 2,913.
    expect(answer[1]).toBe(
      "A later request takes longest with a receive buffer of 4 KiB over near-20m: 10.0 times as long as with the kernel's own, for 64 KiB.",
    );
    expect(tables[1]?.rows.map((row) => [row[2], ...row.slice(-2)])).toEqual([
      ['4 KiB', '10.00 (10.00 to 10.00)', '2.9 kB'],
      ['64 KiB', '1.00 (1.00 to 1.00)', '–'],
      ['own', '–', '–'],
    ]);
    for (const { columns, rows } of tables) for (const row of rows) expect(row).toHaveLength(columns.length);
  });

  it("give the sender's timer no bytes per round trip", () => {
    const small = sequence({ setUp: 20, firstByte: 20, body: 0 }, { firstByte: 20, body: 0 });
    const timed = sequence({ setUp: 20, firstByte: 240, body: 1900 }, { firstByte: 240, body: 1900 });
    const page = 'sequence-1k-cold';
    const { tables } = warmUp.findings(
      data([...twice({ page, requests: small }), ...twice({ page, link: 'near-20m-rmem512', requests: timed })]),
    );
    // 2,140 is 107 times 20.
    expect(tables[1]?.rows[0]?.slice(-2)).toEqual(['107.00 (107.00 to 107.00)', "held up by the sender's timer"]);
  });
});

describe('connections ahead of need', () => {
  const door = (at: number, setUp: number | undefined): StudyRequest => ({
    name: `door-${at}.png`,
    fetchStart: 50,
    ...(setUp !== undefined && { connectStart: 60 + at, connectEnd: 60 + at + setUp }),
    requestStart: 80 + at,
    responseStart: 100 + at,
    responseEnd: 101 + at,
  });
  const doorsLoad = (
    profileId: string,
    setUps: readonly (number | undefined)[],
    { block = 0, link = 'near-20m', efficiency = 0.5 } = {},
  ): StudyLoad => ({
    ...load({ page: 'doors', profileId, link, block, requests: [...COLD.slice(0, 1), ...setUps.map((setUp, at) => door(at, setUp))] }),
    measures: { loadTimeMs: 50 / efficiency, idealTimeMs: 50, efficiency } as NonNullable<StudyLoad['measures']>,
  });
  const ELEVEN = Array.from({ length: 11 }, () => 20);
  const LIMITS = ['speculative-20', 'speculative-6', 'speculative-0'];

  it('were none where every server was connected to only on demand, and none is shown to matter', () => {
    const loads = LIMITS.flatMap((id) => [0, 1].map((block) => doorsLoad(id, ELEVEN, { block })));
    const { answer, tables, figures } = warmUp.findings(data(loads));
    expect(answer.at(-1)).toContain('No connection was opened ahead of need');
    // First bytes 50 to 60 ms after the fetch, 55 in the middle; the last of all at 111, 61 ms after it. Both loads, no median.
    expect(tables[0]?.rows[0]).toEqual(['near-20m', 'speculative-20', '2', '11, 11', '55.0, 55.0', '61.0, 61.0']);
    expect(tables[0]?.title).toContain('every load');
    expect(figures).toMatchObject({
      speculation: [{ profileId: 'speculative-20', onDemand: [11, 11], firstByteMs: [55, 55], allMs: [61, 61] }, {}, {}],
    });
  });

  it('are seen where a connection was there, or its handshake under way, before it was wanted', () => {
    const [, , ...nine] = ELEVEN;
    // One server was connected to before; of another handshake 15 of 20 ms were left.
    const ahead = [undefined, 15, ...nine];
    const { figures, answer } = warmUp.findings(data([doorsLoad('speculative-20', ahead), doorsLoad('speculative-0', ELEVEN)]));
    expect(figures).toMatchObject({
      speculation: [
        { profileId: 'speculative-20', onDemand: [9] },
        { profileId: 'speculative-0', onDemand: [11] },
      ],
    });
    expect(answer.at(-1)).not.toContain('No connection was opened');
  });

  it('are judged once, in a table of their own that says what is pooled', () => {
    const efficiency = { 'speculative-20': 0.5, 'speculative-6': 0.501, 'speculative-0': 0.51 } as Record<string, number>;
    const loads = LIMITS.flatMap((id, at) =>
      ['near-20m', 'far-20m'].flatMap((link, place) =>
        // Three blocks, as there is no verdict before the third.
        [0, 1, 2].map((block) => {
          // A ratio that moves from pair to pair, by as much up as down.
          const moved = 1 + (at === 2 ? 0.01 : 0.001) * (((block + place) % 3) - 1);
          return doorsLoad(id, ELEVEN, { block, link, efficiency: (efficiency[id] ?? 0) * (at === 0 ? 1 : moved) });
        }),
      ),
    );
    const { tables } = warmUp.findings(data(loads));
    const verdicts = tables.at(-1);
    expect(verdicts?.title).toContain('against speculative-20, pooled over 1 page x 2 links, 95 % for 2 comparisons together');
    expect(verdicts?.rows.map(([id, pairs, change, , verdict]) => [id, pairs, change, verdict])).toEqual([
      ['speculative-6', '6', '+0.2 %', 'no real difference'],
      ['speculative-0', '6', '+2 %', 'undecided'],
    ]);
  });
});

describe('findings', () => {
  it('have no answer of nothing and of one load', () => {
    expect(warmUp.findings(data([]))).toMatchObject({ answer: [], tables: [] });
    expect(warmUp.findings(data([load({ requests: COLD })])).answer).toEqual([]);
  });

  it("stand beside the survey's figures", () => {
    const small = sequence({ setUp: 200, firstByte: 200, body: 0 }, { firstByte: 200, body: 0 });
    const { comparisonWithOriginal } = warmUp.findings(data(twice({ page: 'sequence-1k-cold', link: 'far-20m-rmem4k', requests: small })));
    expect(comparisonWithOriginal[0]).toMatchObject({
      original: '12.1 ms, 1.9 ms: 6.5 times',
      ours: '400 ms with the handshake, 200 ms: 2.0 times',
    });
    expect(comparisonWithOriginal[0]?.why).toContain('falls from 143 to 37 ms');
    expect(comparisonWithOriginal[2]?.original).toContain('104 to 109 times');
    expect(comparisonWithOriginal[1]?.ours).toBe('not measured');
  });
});
