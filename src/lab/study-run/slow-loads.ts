/** Loads that are likely to take longer than a load may: to be told before hours go into tries that come to nothing. Pure. */
import { LONGEST_LOAD_MS } from '../../core/measure/load-window.ts';
import { expectedLoadMs, type StudyBlock, type StudyPlan } from './study-plan.ts';

/** More would bury the rest of what a run says. Our own choice. */
const MOST_NAMED = 3;

/** @returns one sentence; `undefined`: the simulator expects none. */
export function slowLoadsSentence(
  plan: Pick<StudyPlan, 'blocks' | 'profiles'>,
  { timeoutMs }: { readonly timeoutMs: number },
): string | undefined {
  const mostMs = Math.min(timeoutMs, LONGEST_LOAD_MS);
  const slow = plan.blocks
    .filter(({ repeat }) => repeat === 0)
    .map((block) => ({ block, ms: longestMs(block, plan) }))
    .filter(({ ms }) => ms > mostMs);
  if (slow.length === 0) return undefined;
  const named = slow
    .slice(0, MOST_NAMED)
    .map(({ block, ms }) => `${block.page.name} over ${block.link.name} (about ${Math.round(ms / 1000)} s)`);
  const more = slow.length > named.length ? `, and ${slow.length - named.length} more` : '';
  return `Loads are likely to take over ${mostMs / 1000} s, and then to be void: ${named.join(', ')}${more}. --only leaves pages, links and profiles out`;
}

/** Of one load, without the one that warms connections up. By HTTP/2 and 3 the limit on connections is without effect: taken is the quickest profile. */
function longestMs(block: StudyBlock, { profiles }: Pick<StudyPlan, 'profiles'>): number {
  const times = [...expectedLoadMs(block, profiles).values()].map((ms) => (block.page.connections === 'warm' ? ms / 2 : ms));
  const { servedBy } = block.page;
  return servedBy === 'http2' || servedBy === 'http3' ? Math.min(...times) : Math.max(...times);
}
