/**
 * The effects of chance on a link during one load: losses, jitter, and where its trace begins. Drawn from the run's seed, page, link and block, so
 * that all profiles of a block meet the same weather, other blocks meet another, and the same seed repeats a run. Set again before every
 * load: a sequence that restarts in every block would be one draw, however many blocks there are. Pure.
 */
import type { PlannedLoad } from '../../core/compare/block-order.ts';
import { seededRandom } from '../../core/random.ts';
import { hasWeather } from '../../core/report/link-variation.ts';
import type { LinkSpec } from './link-spec.ts';

/** FNV-1a, 32 bits (RFC 9923). */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(text)) hash = Math.imul(hash ^ byte, 0x01000193);
  return hash >>> 0;
}

/** @returns a whole number from 0 to 2^32 - 1. @param seed - Of the run. */
export const weatherSeed = (seed: number, { page, link, block }: Pick<PlannedLoad, 'page' | 'link' | 'block'>): number =>
  seededRandom(hashOf(JSON.stringify([seed, page, link, block]))).integer(2 ** 32);

/** Whether there is anything on these links for chance to decide; as `provenance.weather` has it. */
export const weatherOf = (links: readonly LinkSpec[]): { readonly weather?: 'by-block' } =>
  links.some(hasWeather) ? { weather: 'by-block' } : {};

/** Another one from the same: of the load before, that warms the connections up. */
export const weatherBefore = (weather: number): number => seededRandom(weather).integer(2 ** 32);
