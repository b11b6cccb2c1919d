/** The loads of large objects by page, link and profile, with the middle of what was measured of each. Pure. */

import { HTTP2_PULL_ALLOWANCE, HTTP2_PUSH_ALLOWANCE } from '../../../core/profiles/catalogue.ts';
import { findKnob } from '../../../core/profiles/find-knob.ts';
import type { Profile } from '../../../core/profiles/profile.ts';
import { mean } from '../../../core/stats/mean.ts';
import { median } from '../../../core/stats/median.ts';
import type { LinkSpec } from '../../link/link-spec.ts';
import { LARGE_OBJECT } from '../../pages/large-objects.ts';
import type { StudyData, StudyPage } from '../study.ts';
import { type DeliveryRate, type LargeObjectLoad, largeObjectLoad } from './rate.ts';

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
    /** Of all loads. */
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
  const rate = rateOf(loads);
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

function rateOf(loads: readonly LargeObjectLoad[]): LargeObjectCell['rate'] {
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
