import type { Comparison } from '../../core/compare/comparison.ts';
import { BASELINE_ID } from '../../core/profiles/presets.ts';
import { recommendationLines } from '../../core/report/recommendation-lines.ts';
import { counted } from '../../core/text/figures.ts';
import type { Study } from './study.ts';

/** What plumbfox recommends from a study's loads, below the question that this answers: it is another one than the study's own. */
export function recommendedHere({ question }: Pick<Study, 'question'>, comparison: Comparison): readonly string[] {
  const { baseline, control, protocols, scenarios } = comparison;
  const than = baseline === BASELINE_ID ? `Firefox's own settings (${BASELINE_ID})` : baseline;
  const together = `${counted(scenarios.length, 'scenario')} (a page over a link)${scenarios.length === 1 ? '' : ' together'}`;
  const gateway = control === undefined ? '' : ", the gateway's own effect included";
  const each = protocols === undefined ? '' : ', each HTTP version by itself';
  return [
    `Two questions. The study's own is answered above: "${question}"`,
    `Here the question is which profile is faster than ${than} in ${together}${each}${gateway}.`,
    ...recommendationLines(comparison),
  ];
}
