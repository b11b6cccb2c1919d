/** The figures and the name of each link class, from its loads. */
import { groupBy } from '../../group-by.ts';
import { median } from '../../stats/quantile.ts';
import { type KilobitsPerSecond, kilobitsPerSecond, type Milliseconds, milliseconds } from '../../units.ts';
import type { LinkClasses } from './classify-links.ts';
import type { LinkObservation } from './cluster.ts';
import { quantileInterval, type RankInterval } from './estimate-interval.ts';
import { type DownlinkEstimate, downlinkOf } from './estimate-link.ts';

export interface LinkClass {
  /** When its first load began, ms since the epoch: the same as long as that load is kept. */
  readonly id: number;
  /** Made of its figures, with a number where two classes have the same. */
  readonly name: string;
  readonly rttMs: Milliseconds;
  readonly rttIntervalMs: { readonly low?: Milliseconds; readonly high?: Milliseconds };
  /** Absent: no load has shown a rate. */
  readonly downKbps?: KilobitsPerSecond;
  readonly downIntervalKbps: DownlinkEstimate['downIntervalKbps'];
  readonly loads: number;
}

/** The rank of each site's round trip, whose median is taken. As in `estimateLink`, but of ten loads of a site the lowest is left out. */
const RTT_RANK = 0.1;
/** The fewest sites whose median has bounds of its own (0.5^4 < 0.1). */
const MIN_SITES = 4;

/** The figures of each class, in the order of `founders`; `undefined` where none of its loads shows a round trip. */
export function linkClassFigures(
  loads: readonly LinkObservation[],
  { founders, classOf }: LinkClasses,
): readonly (LinkClass | undefined)[] {
  const members: LinkObservation[][] = founders.map(() => []);
  for (const [at, load] of loads.entries()) members[classOf[at] ?? -1]?.push(load);
  const taken = new Map<string, number>();
  return members.map((own, number) => {
    const id = loads[founders[number] ?? 0]?.startedAt ?? 0;
    const figures = figuresOf(own);
    if (figures === undefined) return undefined;
    const plain = linkName(figures);
    const times = (taken.get(plain) ?? 0) + 1;
    taken.set(plain, times);
    return { id, name: times === 1 ? plain : `${plain} (${times})`, ...figures, loads: own.length };
  });
}

function figuresOf(loads: readonly LinkObservation[]): Omit<LinkClass, 'id' | 'name' | 'loads'> | undefined {
  const withRtt = loads.filter(({ rttMs }) => rttMs !== undefined);
  const sites = [...groupBy(withRtt, ({ site }) => site).values()].map((own) => own.map(({ rttMs }) => rttMs ?? 0).sort((a, b) => a - b));
  const lows = sites.map(lowest).sort((a, b) => a - b);
  const rtt = median(lows);
  if (rtt === undefined) return undefined;
  const bounds = lows.length >= MIN_SITES ? quantileInterval(lows, 0.5) : middleBounds(sites);
  const downlink = downlinkOf(loads.flatMap(({ downKbps }) => (downKbps === undefined ? [] : kilobitsPerSecond(downKbps))));
  return {
    rttMs: milliseconds(rtt),
    rttIntervalMs: {
      ...(bounds.low !== undefined && { low: milliseconds(bounds.low) }),
      ...(bounds.high !== undefined && { high: milliseconds(bounds.high) }),
    },
    ...(downlink && { downKbps: downlink.downKbps }),
    downIntervalKbps: downlink?.downIntervalKbps ?? {},
  };
}

const lowest = (ascending: readonly number[]): number => ascending[Math.ceil(RTT_RANK * ascending.length) - 1] ?? 0;

/** The median of the bounds that each site has. */
function middleBounds(sites: readonly (readonly number[])[]): RankInterval {
  const bounds = sites.map((own) => quantileInterval(own, RTT_RANK));
  return { low: median(bounds.flatMap(({ low }) => low ?? [])), high: median(bounds.flatMap(({ high }) => high ?? [])) };
}

/** ISO 3, series R"10: ten steps of about 25 % per decade. */
const PREFERRED = [1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10] as const;

/**
 * The name of a link: its figures, rounded so that it stays the same while the estimate moves a little. `RTT 50 ms, 10 Mbit/s`; without a
 * rate `RTT 50 ms`.
 */
export function linkName({ rttMs, downKbps }: { readonly rttMs: number; readonly downKbps?: number | undefined }): string {
  const rtt = `RTT ${preferred(rttMs)} ms`;
  return downKbps === undefined ? rtt : `${rtt}, ${rateWords(preferred(downKbps))}`;
}

const rateWords = (kbps: number): string => (kbps < 1000 ? `${kbps} kbit/s` : `${kbps / 1000} Mbit/s`);

/** The preferred number nearest on the log scale; at least 1. */
function preferred(value: number): number {
  if (value <= 1) return 1;
  const decade = 10 ** Math.floor(Math.log10(value));
  const nearest = PREFERRED.reduce((best, step) => (distance(value, step * decade) < distance(value, best * decade) ? step : best));
  // 1.2 x 10 has digits beyond its own in binary.
  return Number((nearest * decade).toPrecision(2));
}

const distance = (a: number, b: number): number => Math.abs(Math.log(a / b));
