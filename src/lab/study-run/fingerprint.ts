/** Tells whether two runs measure the same: of everything a plan declares. */
import { createHash } from 'node:crypto';
import type { StudyPlan } from './study-plan.ts';

/** 16 hexadecimal digits: enough to tell a study from its next version. */
export function planFingerprint({ pages, links, profiles }: StudyPlan): string {
  return createHash('sha256').update(JSON.stringify({ pages, links, profiles })).digest('hex').slice(0, 16);
}
