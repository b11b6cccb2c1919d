/** What a run says of its plan: how large a part of the study it is, and which loads are likely to take longer than they may. Pure. */

import { MAX_LOAD_MS } from '../../core/measure/load-window.ts';
import { countText } from '../studies/findings.ts';
import type { Study } from '../studies/study.ts';
import { expectedLoadMs, type StudyBlock, type StudyPlan, studyPlan } from './study-plan.ts';

/** @returns `undefined` when all of the study was asked for, or more of it. */
export function partSentence(study: Study, plan: StudyPlan): string | undefined {
  const whole = studyPlan(study, { cut: {}, seed: 0 });
  const parts = [
    { name: 'pages', here: plan.pages.length, all: whole.pages.length },
    { name: 'links', here: plan.links.length, all: whole.links.length },
    { name: 'profiles', here: plan.profiles.length, all: whole.profiles.length },
    { name: 'repeats', here: repeatsOf(plan), all: repeatsOf(whole) },
  ].filter(({ here, all }) => here < all);
  if (parts.length === 0) return undefined;
  const words = parts.map(({ name, here, all }) => `${countText(here)} of ${countText(all)} ${name}`).join(', ');
  return `This is a part of the study, ${words}: ${countText(plan.loads)} loads where the whole has ${countText(whole.loads)}. What it finds holds for the part.`;
}

const repeatsOf = ({ blocks }: StudyPlan): number => new Set(blocks.map(({ repeat }) => repeat)).size;

/** More would bury the rest of what a run says. Our own choice. */
const MAX_NAMED = 3;

/** @returns one sentence; `undefined`: the simulator expects none. */
export function slowLoadsSentence(
  plan: Pick<StudyPlan, 'blocks' | 'profiles'>,
  { timeoutMs }: { readonly timeoutMs: number },
): string | undefined {
  const mostMs = Math.min(timeoutMs, MAX_LOAD_MS);
  const slow = plan.blocks
    .filter(({ repeat }) => repeat === 0)
    .map((block) => ({ block, ms: longestMs(block, plan) }))
    .filter(({ ms }) => ms > mostMs);
  if (slow.length === 0) return undefined;
  const named = slow
    .slice(0, MAX_NAMED)
    .map(({ block, ms }) => `${block.page.name} over ${block.link.name} (about ${Math.round(ms / 1000)} s)`);
  const more = slow.length > named.length ? `, and ${slow.length - named.length} more` : '';
  return `Loads are likely to take over ${mostMs / 1000} s, and then to be void: ${named.join(', ')}${more}. --only leaves pages, links and profiles out`;
}

/** One load, without the one that warms connections up. The limit on connections has no effect on HTTP/2 and 3, so the quickest profile is taken there. */
function longestMs(block: StudyBlock, { profiles }: Pick<StudyPlan, 'profiles'>): number {
  const times = [...expectedLoadMs(block, profiles).values()].map((ms) => (block.page.connections === 'warm' ? ms / 2 : ms));
  const { servedBy } = block.page;
  return servedBy === 'http2' || servedBy === 'http3' ? Math.min(...times) : Math.max(...times);
}
