import { describe, expect, it } from 'vitest';
import type { PageGraph } from '../../../src/core/graph/page-graph.ts';
import type { Lantern, LanternNode, LanternOptions, LanternRequest, LanternTask } from '../../accuracy/lantern/lantern.ts';
import { lanternGraph } from '../../accuracy/lantern/lantern-graph.ts';
import { lanternPredict, withNames } from '../../accuracy/lantern/lantern-predict.ts';
import { lanternPredictors } from '../../accuracy/lantern/lantern-predictors.ts';
import { measuredScenario } from './measured-corpus.ts';

/** Keeps what it is given; a load takes 1 ms, and 1 ms more for every round trip that a name costs. */
class FakeNode<Of = LanternRequest | LanternTask> implements LanternNode {
  readonly of: Of;
  readonly dependencies: FakeNode[] = [];
  constructor(of: Of) {
    this.of = of;
  }
  addDependency(on: LanternNode): void {
    if (on instanceof FakeNode) this.dependencies.push(on);
  }
}
const nodes = new Map<string, FakeNode<LanternRequest>>();
const asked: LanternOptions[] = [];
const DNSCache = { rttMultiplier: 2 };
const fake: Lantern = {
  Graph: {
    CPUNode: FakeNode<LanternTask>,
    NetworkNode: class extends FakeNode<LanternRequest> {
      constructor(request: LanternRequest) {
        super(request);
        nodes.set(request.requestId, this);
      }
    },
  },
  Simulation: {
    DNSCache,
    Simulator: class {
      constructor(options: LanternOptions) {
        asked.push(options);
      }
      simulate() {
        return { timeInMs: 1 + DNSCache.rttMultiplier };
      }
    },
  },
};

const page: PageGraph = {
  requests: [
    { id: 'document', bytes: 9000, class: 'document', origin: 'a', serverMs: 40 },
    { id: 'style', bytes: 5000, class: 'stylesheet', origin: 'a', serverMs: 4, after: { id: 'document', bytes: 700, delayMs: 3 } },
    { id: 'icon', bytes: 600, origin: 'b', after: [{ id: 'document' }, { id: 'style' }] },
    { id: 'script', bytes: 900, class: 'script', origin: 'a', serverMs: 6, after: { id: 'document', bytes: 800, delayMs: 3 } },
    { id: 'later', bytes: 900, origin: 'a', serverMs: 6, after: { id: 'document', delayMs: 5 } },
    { id: 'picture', bytes: 700, class: 'image', origin: 'a', serverMs: 6, after: { id: 'document' } },
  ],
};

describe('a page for Lantern', () => {
  const { serverResponseTimeByOrigin } = lanternGraph(fake, page);
  const requestOf = (id: string) => nodes.get(id)?.of;
  const parentsOf = (id: string) => nodes.get(id)?.dependencies ?? [];

  it('has the same sizes, servers and dependencies', () => {
    expect(requestOf('style')).toMatchObject({
      transferSize: 5000,
      protocol: 'http/1.1',
      parsedURL: { scheme: 'http', host: 'a', securityOrigin: 'http://a' },
      resourceType: 'Stylesheet',
      priority: 'VeryHigh',
    });
    expect(parentsOf('icon')).toEqual([nodes.get('document'), nodes.get('style')]);
    expect(parentsOf('document')).toEqual([]);
  });

  it('has the delays as tasks, one for all requests that wait equally long for the same', () => {
    const [task] = parentsOf('style');
    expect(task?.of).toEqual({ tid: 1, ts: 1, dur: 3000 });
    expect(task?.dependencies).toEqual([nodes.get('document')]);
    expect(parentsOf('script')).toEqual([task]);
    expect(parentsOf('later')[0]?.of).toEqual({ tid: 2, ts: 2, dur: 5000 });
  });

  it('keeps the order of the page, and needs one new connection per server beside its 6', () => {
    const starts = page.requests.map(({ id }) => requestOf(id)?.rendererStartTime ?? Number.NaN);
    expect(starts).toEqual(starts.toSorted((a, b) => a - b));
    // A request that was sent after another of its server had ended used that one's connection.
    expect(requestOf('style')?.networkRequestTime).toBeGreaterThanOrEqual(requestOf('document')?.networkEndTime ?? Number.NaN);
  });

  it('has one server time per server: the median, and never 0, which would be taken for 30 ms', () => {
    expect(serverResponseTimeByOrigin.get('http://a')).toBe(6);
    expect(serverResponseTimeByOrigin.get('http://b')).toBe(1e-6);
  });

  it('has one root', () => {
    expect(() => lanternGraph(fake, { requests: [...page.requests, { id: 'alone', bytes: 1 }] })).toThrow(/"alone" comes after none/);
    expect(() => lanternGraph(fake, { requests: [{ id: 'a', bytes: 1, after: { id: 'gone' } }] })).toThrow(/no request "gone"/);
  });
});

describe('a prediction by Lantern', () => {
  it('is asked for in bits per second', () => {
    lanternPredict(fake, lanternGraph(fake, page), { rttMs: 300, downKbps: 2000, upKbps: 384 });
    expect(asked.at(-1)).toMatchObject({ rtt: 300, throughput: 2_000_000, cpuSlowdownMultiplier: 1 });
  });

  it('is the same for every profile, with names that cost nothing or what they cost as shipped', () => {
    const scenario = measuredScenario('a/1', 'reporting', { 'firefox-default': [1], 'c4-d6': [2] });
    const found = [...lanternPredictors(fake)].map(([what, predict]) => [what, [...predict(scenario)]]);
    expect(found).toEqual([
      [
        'Lantern',
        [
          ['firefox-default', 1],
          ['c4-d6', 1],
        ],
      ],
      [
        'Lantern as shipped',
        [
          ['firefox-default', 3],
          ['c4-d6', 3],
        ],
      ],
    ]);
  });

  it('leaves what names cost as it was, even after a failure', () => {
    expect(() =>
      withNames(fake, 'known', () => {
        throw new Error('failed');
      }),
    ).toThrow('failed');
    expect(DNSCache.rttMultiplier).toBe(2);
  });
});
