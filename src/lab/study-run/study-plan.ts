/** Which loads a study comes to, in which blocks, and how long each is likely to take. Pure. */

import { createHash } from 'node:crypto';
import { blockOrder, type PlannedLoad } from '../../core/compare/block-order.ts';
import type { GatewayVisit } from '../../core/gateway-policy.ts';
import { predict } from '../../core/predict/predict.ts';
import { carrierFor } from '../../core/profiles/carrier.ts';
import { CONTROL, FIREFOX_DEFAULT } from '../../core/profiles/presets.ts';
import type { Profile } from '../../core/profiles/profile.ts';
import type { LinkSpec } from '../link/link-spec.ts';
import { recipeGraph } from '../pages/recipe-graph.ts';
import type { Study, StudyPage } from '../studies/study.ts';

/** Every profile once on one page over one link, in an order drawn: never split, so that all of it is measured alike. */
export interface StudyBlock {
  readonly page: StudyPage;
  readonly link: LinkSpec;
  /** Number of the repeat, from 0. */
  readonly repeat: number;
  readonly loads: readonly PlannedLoad[];
  /** How often loads were tried before, by `cellKey`, where a lane broke in the middle of it. */
  readonly tries?: ReadonlyMap<string, number>;
}

export interface StudyPlan {
  readonly profiles: readonly Profile[];
  readonly pages: readonly StudyPage[];
  readonly links: readonly LinkSpec[];
  readonly blocks: readonly StudyBlock[];
  readonly loads: number;
  readonly gatewayVisit: GatewayVisit;
  /** Seeds the order, and what is random on the links. */
  readonly seed: number;
}

/** The part of a study that is requested; absent: all of it. */
export interface StudyCut {
  readonly pages?: readonly string[];
  readonly links?: readonly string[];
  readonly profiles?: readonly string[];
  readonly repeats?: number;
}

export function studyPlan(study: Study, { cut, seed }: { readonly cut: StudyCut; readonly seed: number }): StudyPlan {
  const pages = study.pages.filter(({ name }) => cut.pages?.includes(name) ?? true);
  const links = study.links.filter(({ name }) => cut.links?.includes(name) ?? true);
  const profiles = withControl(study.profiles.filter(({ id }) => id === study.baseline || (cut.profiles?.includes(id) ?? true)));
  const scenarios = links.flatMap((link) =>
    pages.filter((page) => !(study.without?.(page, link) ?? false)).map((page) => ({ page: page.name, link: link.name })),
  );
  const planned = blockOrder({ profiles: profiles.map(({ id }) => id), scenarios, blocks: cut.repeats ?? study.repeats, seed });
  return {
    profiles,
    pages,
    links,
    blocks: blocksOf(planned, { pages, links }),
    loads: planned.length,
    gatewayVisit: study.gatewayVisit ?? 'first-visit',
    seed,
  };
}

/** Adds the control and the baseline where a profile needs the gateway, so that the gateway's own cost shows. */
export function withControl(profiles: readonly Profile[]): readonly Profile[] {
  if (!profiles.some((profile) => carrierFor(profile, { gateway: true }) === 'gateway')) return profiles;
  return [...profiles, ...[FIREFOX_DEFAULT, CONTROL].filter(({ id }) => profiles.every((profile) => profile.id !== id))];
}

function blocksOf(planned: readonly PlannedLoad[], { pages, links }: Pick<StudyPlan, 'pages' | 'links'>): readonly StudyBlock[] {
  const blocks = new Map<string, StudyBlock & { loads: PlannedLoad[] }>();
  for (const load of planned) {
    const key = JSON.stringify([load.page, load.link, load.block]);
    const known = blocks.get(key);
    if (known) {
      known.loads.push(load);
      continue;
    }
    const page = pages.find(({ name }) => name === load.page);
    const link = links.find(({ name }) => name === load.link);
    if (page && link) blocks.set(key, { page, link, repeat: load.block, loads: [load] });
  }
  return [...blocks.values()];
}

/** Identifies a cell, by a planned load or by one that was made. */
export const cellKey = ({ page, link, profileId, block }: Pick<PlannedLoad, 'page' | 'link' | 'profileId' | 'block'>): string =>
  JSON.stringify([page, link, profileId, block]);

/** Load times by profile as the simulator predicts them, ms: for the order of work and the time left. */
export function expectedLoadMs(block: Pick<StudyBlock, 'page' | 'link'>, profiles: readonly Profile[]): ReadonlyMap<string, number> {
  const { rttMs, downKbps, upKbps, queue, initialWindow } = block.link;
  const predictions = predict({
    page: recipeGraph(block.page.recipe, block.page.servedBy),
    link: { rttMs, downKbps, upKbps, queuePackets: queue, ...(initialWindow !== undefined && { initialWindow }) },
    profiles,
  });
  const twice = block.page.connections === 'warm' ? 2 : 1;
  return new Map(predictions.map(({ profileId, loadTimeMs }) => [profileId, twice * loadTimeMs]));
}

/** 16 hexadecimal digits: enough to distinguish a study from its next version. */
export function planFingerprint({ pages, links, profiles }: StudyPlan): string {
  return createHash('sha256').update(JSON.stringify({ pages, links, profiles })).digest('hex').slice(0, 16);
}
