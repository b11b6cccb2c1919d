/** Steps for a person as text for a terminal. */
import type { ByHandStep } from '../core/profiles/by-hand-step.ts';

interface ByHandSaid {
  readonly title: string;
  /** Which browser, and where in it. */
  readonly way: string;
  readonly notes: readonly string[];
  readonly steps: readonly ByHandStep[];
}

/** Numbered; what is to be copied is on lines of its own. */
export function byHandText({ title, way, notes, steps }: ByHandSaid): string {
  const width = String(steps.length).length;
  const lines = steps.flatMap(({ text, copies }, at) => [
    '',
    `${String(at + 1).padStart(width)}. ${text}`,
    ...copies.flatMap((copy) => copy.text.trimEnd().split('\n')).map((line) => `      ${line}`),
  ]);
  return `${[title, way, ...notes, ...lines].join('\n')}\n`;
}
