/** The warm-up study on hand-made loads: what counts as a sequence, its figures, and what it answers. */
import { describe, expect, it } from 'vitest';
import { checkProfile } from '../../../src/core/profiles/check-profile.ts';
import type { LinkSpec } from '../../../src/lab/link/link-spec.ts';
import { SEQUENCE_OBJECTS } from '../../../src/lab/pages/sequence.ts';
import type { StudyPage } from '../../../src/lab/studies/study.ts';
import type { StudyData, StudyLoad, StudyRequest } from '../../../src/lab/studies/study-load.ts';
import { warmUp } from '../../../src/lab/studies/warm-up.ts';
import { bytesPerRoundTrip, sequenceCells, sequenceOf } from '../../../src/lab/studies/warm-up-sequences.ts';
import { expectedLoadMs, type StudyBlock, studyPlan } from '../../../src/lab/study-run/study-plan.ts';

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
  ...{ profileId, page, link, block, requests },
  order: 0,
  startedAt: 0,
  validity: { state: 'valid' },
  readBack: [],
  lane: 0,
  lanes: 1,
  intended: { carrier: 'none', depth: 1, preferences: {} },
});

const data = (loads: readonly StudyLoad[]): StudyData => ({ study: warmUp, pages: warmUp.pages, links: warmUp.links, loads });
const twice = (made: Made): readonly StudyLoad[] => [0, 1].map((block) => load({ ...made, block }));

describe('a sequence', () => {
  const cold = pageNamed('sequence-64k-cold');
  const warm = pageNamed('sequence-64k-warm');

  it('has the handshake, and every request from its start to its last byte', () => {
    expect(sequenceOf({ requests: COLD }, cold)).toEqual({
      setUpMs: 20,
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

  it('know the window that took effect only where it was what held up the answer', () => {
    // 64 kB in 1,000 ms of 20 ms round trips: 50 of them, 1310.72 bytes each.
    const held = twice({
      link: 'near-20m-rmem4k',
      requests: sequence({ setUp: 20, firstByte: 20, body: 1000 }, { firstByte: 20, body: 1000 }),
    });
    const [windowed] = sequenceCells(data(held));
    expect(windowed && bytesPerRoundTrip(windowed)).toBeCloseTo(1310.72, 6);
    const [free] = sequenceCells(data(twice({ requests: COLD })));
    expect(free && bytesPerRoundTrip(free)).toBeUndefined();
  });
});

describe('findings', () => {
  it('tell the first request from the later ones, and how much of it is the handshake', () => {
    const { answer, tables } = warmUp.findings(data(twice({ requests: COLD })));
    // 20 + 70 = 90 against 45.
    expect(answer[0]).toBe(
      'Over near-20m (RTT 20 ms), objects of 64 kB: the first over a cold connection takes 90.0 ms, 20.0 of them for the handshake, a later one 45.0 ms: 2.0 times as long, 1.6 times without the handshake.',
    );
    expect(tables[0]?.rows).toEqual([['near-20m', '20', '64 kB', 'cold', '2', '20.0', '70.0', '45.0', '1.56 x', '2.00 x']]);
  });

  it.each([
    ['and the window that it had grown to is still there', WARM_KEPT, '45.0 ms, which spares 45.0 ms'],
    ['the handshake, but not slow start, which begins anew after a pause', WARM_ANEW, '70.0 ms, which spares 20.0 ms'],
  ])('tell what warming up spares: %s', (words, requests, figures) => {
    const { answer } = warmUp.findings(data([...twice({ requests: COLD }), ...twice({ page: 'sequence-64k-warm', requests })]));
    expect(answer[1]).toContain(words);
    expect(answer[1]).toContain(figures);
  });

  it('tell by receive buffer which one slows answers down, and by how much', () => {
    const held = sequence({ setUp: 20, firstByte: 20, body: 430 }, { firstByte: 20, body: 430 });
    const { answer, tables } = warmUp.findings(
      data([
        ...twice({ requests: COLD }),
        ...twice({ link: 'near-20m-rmem4k', requests: held }),
        ...twice({ link: 'near-20m-rmem64k', requests: COLD }),
      ]),
    );
    // 450 is 10 times 45; 65,536 bytes in 21.5 round trips are 3,048 in each.
    expect(answer[1]).toContain('45.0 ms, with 4 kB 450 ms (10.0 times, 3048 bytes a round trip), with 64 kB no longer (within 5 %).');
    expect(tables[1]?.rows.map((row) => row[2])).toEqual(['4 kB', '64 kB', 'own']);
    for (const { columns, rows } of tables) for (const row of rows) expect(row).toHaveLength(columns.length);
  });

  it('compare opening ahead of need on pages of many servers', () => {
    const door = (name: string, start: number): StudyRequest => ({
      name,
      fetchStart: 50,
      connectStart: start,
      connectEnd: start + 20,
      requestStart: start + 20,
      responseStart: start + 40,
      responseEnd: start + 41,
    });
    const [document] = COLD;
    const requests = [...(document ? [document] : []), door('door-0.png', 60), door('door-1.png', 80), door('door-2.png', 100)];
    const { tables, figures } = warmUp.findings(data(twice({ page: 'doors', requests })));
    // First bytes 50, 70 and 90 ms after the fetch; the last of all at 141, 91 ms after it.
    expect(figures).toMatchObject({
      speculation: [{ link: 'near-20m', profileId: 'speculative-20', loads: 2, opened: 3, firstByteMs: 70, allMs: 91 }],
    });
    expect(tables.at(-1)?.rows[0]?.slice(0, 6)).toEqual(['near-20m', 'speculative-20', '2', '3', '70.0', '91.0']);
  });

  it('say that too little was measured, of nothing and of one load', () => {
    const few = 'Too little was measured: no page whose requests came one after another was loaded 2 times over a link.';
    expect(warmUp.findings(data([])).answer).toEqual([few]);
    expect(warmUp.findings(data([])).tables).toEqual([]);
    expect(warmUp.findings(data([load({ requests: COLD })])).answer[0]).toBe(few);
    const some = warmUp.findings(data([...twice({ requests: COLD }), load({ requests: WARM_KEPT, page: 'sequence-64k-warm' })])).answer;
    expect(some.at(-1)).toBe('Left out of these sentences: 1 page over a link with less than 2 loads.');
  });

  it("stand beside the survey's figures", () => {
    const small = sequence({ setUp: 200, firstByte: 200, body: 0 }, { firstByte: 200, body: 0 });
    const { besides } = warmUp.findings(data(twice({ page: 'sequence-1k-cold', link: 'far-20m-rmem4k', requests: small })));
    expect(besides[0]).toMatchObject({ seed: '12.1 ms, 1.9 ms: 6.5 times', ours: '400 ms with the handshake, 200 ms: 2.0 times' });
    expect(besides[1]?.ours).toBe('not measured');
  });
});

describe('the study', () => {
  /** What a load takes besides its own time, ms, as the design allows at most. */
  const AROUND_LOAD_MS = 600;
  /** Measured in Firefox 153 on Linux 6.18: 1,310 bytes come in a round trip with a buffer of 4,096. */
  const windowOf = (bufferBytes: number) => bufferBytes / 3.2;
  /** Measured there: a response of 1 kB with a buffer of 512 bytes. */
  const TINY_BUFFER_MS = 2200;

  /** The simulator knows no receive buffer: what it adds comes on top. */
  function bufferMs({ page, link }: Pick<StudyBlock, 'page' | 'link'>): number {
    const { receiveBufferBytes } = link;
    if (receiveBufferBytes === undefined) return 0;
    const objects = page.recipe.resources.length;
    if (receiveBufferBytes < 1024) return (1 + objects) * (TINY_BUFFER_MS + link.rttMs);
    const bytes = page.recipe.resources[0]?.bytes ?? 0;
    return objects * Math.floor(bytes / windowOf(receiveBufferBytes)) * link.rttMs;
  }

  const minutes = (cut: Parameters<typeof studyPlan>[1]['cut']) => {
    const once = studyPlan(warmUp, { cut: { ...cut, repeats: 1 }, seed: 1 });
    const ms = once.blocks.map((block) => {
      const times = expectedLoadMs(block, once.profiles);
      return block.loads.reduce((sum, { profileId }) => sum + (times.get(profileId) ?? Number.NaN) + AROUND_LOAD_MS + bufferMs(block), 0);
    });
    return ((cut.repeats ?? warmUp.repeats) * ms.reduce((a, b) => a + b, 0)) / 60_000;
  };

  it('is predicted to take at most ten minutes in one lane, and its cut one', () => {
    expect(minutes({})).toBeLessThan(10);
    expect(minutes({})).toBeGreaterThan(2);
    expect(minutes(warmUp.cut)).toBeLessThan(1);
  });

  it('measures no page over a link where a load would take longer than it may', () => {
    const plan = studyPlan(warmUp, { cut: { repeats: 1 }, seed: 1 });
    for (const block of plan.blocks)
      expect(bufferMs(block), `${block.page.name} over ${block.link.name}`).toBeLessThan(warmUp.timeoutS * 1000);
  });

  it('has the buffers of the survey, named by their size, and one connection per server', () => {
    const buffers = (rttMs: number) =>
      warmUp.links.filter((link: LinkSpec) => link.rttMs === rttMs).map(({ name, receiveBufferBytes }) => [name, receiveBufferBytes]);
    expect(buffers(20)).toEqual([
      ['near-20m', undefined],
      ['near-20m-rmem512', 512],
      ['near-20m-rmem4k', 4096],
      ['near-20m-rmem8k', 8192],
      ['near-20m-rmem16k', 16_384],
      ['near-20m-rmem32k', 32_768],
      ['near-20m-rmem64k', 65_536],
    ]);
    expect(buffers(200).map(([name]) => name)).toEqual(['far-20m', 'far-20m-rmem4k', 'far-20m-rmem16k', 'far-20m-rmem64k']);
    for (const profile of warmUp.profiles) {
      checkProfile(profile);
      expect(profile.connections).toBe(1);
    }
    expect(warmUp.profiles.map(({ preferences }) => preferences['network.http.speculative-parallel-limit'])).toEqual([20, 6, 0]);
  });
});
