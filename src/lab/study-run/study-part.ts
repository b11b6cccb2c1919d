/** Says of a run that measured a part of its study how large a part: what it finds rests on that. */
import { countText } from '../studies/findings.ts';
import type { Study } from '../studies/study.ts';
import { type StudyPlan, studyPlan } from './study-plan.ts';

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
