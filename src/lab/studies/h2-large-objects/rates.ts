/** How evenly a large object came, from the bytes that left the link in every 100 ms, of a load and of all loads of a profile. Pure. */

import { findKnob, HTTP2_PULL_ALLOWANCE, HTTP2_PUSH_ALLOWANCE } from '../../../core/profiles/catalogue.ts';
import type { Profile } from '../../../core/profiles/profile.ts';
import { mean } from '../../../core/stats/mean.ts';
import { median } from '../../../core/stats/quantile.ts';
import { INITIAL_WINDOW, PACKET_BYTES, SEGMENT_BYTES } from '../../../core/tcp-constants.ts';
import type { LinkSpec } from '../../link/link-spec.ts';
import { LARGE_OBJECT } from '../../pages/study-pages.ts';
import type { StudyData, StudyLoad, StudyPage, StudyRequest } from '../study.ts';

/** The unit in which `StudyLoad.deliveredBytes` counts. */
export const WINDOW_MS = 100;
/** Fewer windows than this do not show how a rate varies. */
export const MIN_WINDOWS = 5;
/** A window with less than this share of what the link can carry in it is part of a stall. Chosen, not measured. */
const STALLED_BELOW = 0.1;
/** Windows left out at both ends: the counting begins with the load only to within one. */
const MARGIN_WINDOWS = 1;

/** `19.3 Mbit/s`. */
export const megabits = (kbps: number): string => `${(kbps / 1000).toFixed(1)} Mbit/s`;

interface DeliveryRate {
  /** IP bytes in every window after slow start, in order. */
  readonly windows: readonly number[];
  /** In TCP payload of full packets, as the rate of every link is given. */
  readonly meanKbps: number;
  readonly shareOfLink: number;
  /** Standard deviation over mean, from 0. */
  readonly variation: number;
  /** Windows with less than half the mean, of all, 0 to 1. */
  readonly belowHalf: number;
  /** Stretches of windows in which less than a tenth of the link's rate came. */
  readonly stalls: number;
  readonly longestStallMs: number;
}

interface LargeObjectLoad {
  readonly load: StudyLoad;
  /** Body bits over the time from asking for the object to its last byte. */
  readonly goodputKbps: number;
  /** Absent: the object came too fast for five windows after slow start, or there were no counts. */
  readonly rate?: DeliveryRate;
}

/** @param bytes - Body of the object. @returns `undefined` where the object's times are not known. */
export function largeObjectLoad(
  load: StudyLoad,
  { bytes, link }: { readonly bytes: number; readonly link: LinkSpec },
): LargeObjectLoad | undefined {
  const object = load.requests?.find(({ name }) => name === LARGE_OBJECT);
  if (object === undefined || !(object.responseEnd > object.fetchStart)) return undefined;
  const rate = deliveryRate(load.deliveredBytes, { object, link });
  return { load, goodputKbps: (bytes * 8) / (object.responseEnd - object.fetchStart), ...(rate && { rate }) };
}

/**
 * The time that slow start takes until a round trip carries what fills the link, ms: the window doubles every round trip. The same for every profile,
 * so that what is left out is the same.
 */
export function slowStartMs(link: Pick<LinkSpec, 'rttMs' | 'downKbps' | 'initialWindow'>): number {
  const first = (link.initialWindow ?? INITIAL_WINDOW) * SEGMENT_BYTES;
  return link.rttMs * Math.max(1, Math.ceil(Math.log2(bandwidthDelayBytes(link) / first)));
}

function deliveryRate(
  delivered: readonly number[] | undefined,
  { object, link }: { readonly object: StudyRequest; readonly link: LinkSpec },
): DeliveryRate | undefined {
  if (delivered === undefined || object.responseStart === undefined) return undefined;
  const first = Math.ceil((object.responseStart + slowStartMs(link)) / WINDOW_MS) + MARGIN_WINDOWS;
  // The last byte left the link half a round trip before it was read.
  const end = Math.floor((object.responseEnd - link.rttMs / 2) / WINDOW_MS) - MARGIN_WINDOWS;
  const windows = delivered.slice(first, Math.max(first, end));
  return windows.length < MIN_WINDOWS ? undefined : loadRate(windows, link);
}

/** What such a link carries in a window, headers included. */
const fullWindowBytes = (downKbps: number): number => ((downKbps * PACKET_BYTES) / SEGMENT_BYTES / 8) * WINDOW_MS;

/** From the IP bytes of a window to a rate as those of links are given. */
export const rateKbps = (windowBytes: number): number => ((windowBytes * 8) / WINDOW_MS) * (SEGMENT_BYTES / PACKET_BYTES);

function loadRate(windows: readonly number[], { downKbps }: LinkSpec): DeliveryRate | undefined {
  const average = mean(windows);
  if (!(average > 0)) return undefined;
  const full = fullWindowBytes(downKbps);
  const lengths = stretches(windows.map((bytes) => bytes < STALLED_BELOW * full));
  return {
    windows,
    meanKbps: rateKbps(average),
    shareOfLink: average / full,
    variation: Math.sqrt(mean(windows.map((bytes) => (bytes - average) ** 2))) / average,
    belowHalf: windows.filter((bytes) => bytes < average / 2).length / windows.length,
    stalls: lengths.length,
    longestStallMs: Math.max(0, ...lengths) * WINDOW_MS,
  };
}

/** Lengths of the runs of `true`. */
function stretches(marks: readonly boolean[]): readonly number[] {
  const lengths: number[] = [];
  marks.forEach((mark, at) => {
    if (!mark) return;
    if (at > 0 && marks[at - 1]) lengths.push((lengths.pop() ?? 0) + 1);
    else lengths.push(1);
  });
  return lengths;
}

/** Least and most of the loads, in the unit of what it is a range of. */
export interface Range {
  readonly low: number;
  readonly high: number;
}

export interface LargeObjectCell {
  readonly page: StudyPage;
  readonly link: LinkSpec;
  readonly profile: Profile;
  /** Receive window of HTTP/2 as the profile has it, bytes. */
  readonly windowBytes: number;
  readonly loads: readonly LargeObjectLoad[];
  readonly goodputKbps: number;
  /** Medians over the loads; absent: none has a rate. */
  readonly rate?: {
    readonly loads: number;
    readonly meanKbps: number;
    readonly shareOfLink: number;
    readonly variation: number;
    readonly belowHalf: number;
    /** Mean over the loads. */
    readonly stalls: number;
    readonly longestStallMs: number;
    /** From the smallest to the largest of the loads. */
    readonly spread: Readonly<Record<'meanKbps' | 'shareOfLink' | 'variation', Range>>;
  };
  /** Mean over the loads; absent: not counted. */
  readonly droppedDown?: number;
}

/** In the order of pages, links and profiles; those without a usable load are left out. */
export function largeObjectCells({ study, pages, links, loads }: StudyData): readonly LargeObjectCell[] {
  return pages.flatMap((page) => {
    const bytes = page.recipe.resources.find(({ name }) => name === LARGE_OBJECT)?.bytes;
    if (bytes === undefined) return [];
    return links.flatMap((link) =>
      study.profiles.flatMap((profile) => {
        const own = loads.filter((load) => load.page === page.name && load.link === link.name && load.profileId === profile.id);
        return cellOf(
          { page, link, profile },
          own.flatMap((load) => largeObjectLoad(load, { bytes, link }) ?? []),
        );
      }),
    );
  });
}

function cellOf(where: Pick<LargeObjectCell, 'page' | 'link' | 'profile'>, loads: readonly LargeObjectLoad[]): readonly LargeObjectCell[] {
  const goodputKbps = median(loads.map((load) => load.goodputKbps));
  if (goodputKbps === undefined) return [];
  const rate = cellRate(loads);
  const dropped = loads.flatMap(({ load }) => load.dropped?.down ?? []);
  return [
    {
      ...where,
      windowBytes: windowOf(where.profile),
      loads,
      goodputKbps,
      ...(rate && { rate }),
      ...(dropped.length > 0 && { droppedDown: mean(dropped) }),
    },
  ];
}

function cellRate(loads: readonly LargeObjectLoad[]): LargeObjectCell['rate'] {
  const rates = loads.flatMap(({ rate }) => rate ?? []);
  const middle = (of: (rate: DeliveryRate) => number) => median(rates.map(of)) ?? 0;
  const range = (of: (rate: DeliveryRate) => number): Range => ({ low: Math.min(...rates.map(of)), high: Math.max(...rates.map(of)) });
  if (rates.length === 0) return undefined;
  return {
    loads: rates.length,
    meanKbps: middle(({ meanKbps }) => meanKbps),
    shareOfLink: middle(({ shareOfLink }) => shareOfLink),
    variation: middle(({ variation }) => variation),
    belowHalf: middle(({ belowHalf }) => belowHalf),
    stalls: mean(rates.map(({ stalls }) => stalls)),
    longestStallMs: Math.max(...rates.map(({ longestStallMs }) => longestStallMs)),
    spread: {
      meanKbps: range(({ meanKbps }) => meanKbps),
      shareOfLink: range(({ shareOfLink }) => shareOfLink),
      variation: range(({ variation }) => variation),
    },
  };
}

/** The larger of the two allowances, each as the profile sets it or as Firefox ships it. */
export function windowOf({ preferences }: Pick<Profile, 'preferences'>): number {
  const bytes = (preference: string) => Number(preferences[preference] ?? findKnob(preference)?.defaults.desktop);
  return Math.max(bytes(HTTP2_PULL_ALLOWANCE), bytes(HTTP2_PUSH_ALLOWANCE));
}

/**
 * What a receive window of HTTP/2 does to one response, by arithmetic. Firefox acknowledges a response when 4 MiB have come since it last did,
 * or when 96 KiB of its window are left (Gecko, netwerk/protocol/http/Http2Session.h kMinimumToAck and kEmergencyWindowThreshold,
 * Http2Session.cpp UpdateLocalStreamWindow). What is left must last until the acknowledgement has reached the server: a round trip. Where it
 * does not, the server pauses, however much larger than the bandwidth-delay product the whole window is.
 */
const MINIMUM_TO_ACKNOWLEDGE = 4 * 1024 * 1024;
const EMERGENCY_THRESHOLD = 96 * 1024;
/** Largest DATA frame a server sends unless more is allowed (RFC 9113, SETTINGS_MAX_FRAME_SIZE): what comes at once is acknowledged at once. */
const FRAME_BYTES = 16 * 1024;

interface WindowCourse {
  readonly acknowledgedBytes: number;
  /** Bytes of the window that are left when one is sent. */
  readonly leftBytes: number;
  /** How long the server has nothing to send in every cycle, ms; 0: it never pauses. */
  readonly pauseMs: number;
  /** Share of the link's rate the response gets, in (0, 1]; headers of packets not counted. */
  readonly share: number;
}

/** Bytes in flight when the link is full. */
export const bandwidthDelayBytes = ({ rttMs, downKbps }: Pick<LinkSpec, 'rttMs' | 'downKbps'>): number => (downKbps * rttMs) / 8;

/**
 * In the steady state: with `k` acknowledgements to a window, `k` of them are worth as many bytes in every round trip, and in the time that
 * the last of them needs on the line.
 *
 * @param windowBytes - The larger of pull and push allowance.
 */
export function windowCourse(windowBytes: number, link: Pick<LinkSpec, 'rttMs' | 'downKbps'>): WindowCourse {
  const bytesPerMs = link.downKbps / 8;
  const acknowledgedBytes = Math.min(MINIMUM_TO_ACKNOWLEDGE, Math.max(FRAME_BYTES, windowBytes - EMERGENCY_THRESHOLD), windowBytes);
  const perWindow = Math.floor(windowBytes / acknowledgedBytes);
  const cycleBytes = perWindow * acknowledgedBytes;
  const cycleMs = link.rttMs + (cycleBytes + acknowledgedBytes - windowBytes) / bytesPerMs;
  const busyMs = cycleBytes / bytesPerMs;
  return {
    acknowledgedBytes,
    leftBytes: windowBytes - acknowledgedBytes,
    pauseMs: Math.max(0, cycleMs - busyMs),
    share: Math.min(1, busyMs / cycleMs),
  };
}

const KIBI = 1024;
const MEBI = KIBI * KIBI;

/** `64 KiB`, `12 MiB`, `250 kB`: binary where the preference is, else decimal. */
export function bytesText(bytes: number): string {
  if (bytes >= MEBI && bytes % MEBI === 0) return `${bytes / MEBI} MiB`;
  if (bytes >= KIBI && bytes % KIBI === 0) return `${bytes / KIBI} KiB`;
  return `${Math.round(bytes / 1000)} kB`;
}
