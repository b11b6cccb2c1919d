import { percent } from '../text/figures.ts';
import type { Modes } from './modes.ts';

/**
 * `loads fall into two groups: 60 % around 1.20 s, 40 % around 3.40 s`; `undefined`: there is one mode, or nothing can be said.
 * @param valueText how a value of the sample is written.
 */
export function modesInWords(modes: Modes, valueText: (value: number) => string): string | undefined {
  if (modes.modes !== 'several') return undefined;
  const count = NUMBERS[modes.peaks.length] ?? String(modes.peaks.length);
  const groups = modes.peaks.map(({ share, at }) => `${percent(share)} around ${valueText(at)}`);
  return `loads fall into ${count} groups: ${groups.join(', ')}`;
}

const NUMBERS: Readonly<Record<number, string>> = { 2: 'two', 3: 'three', 4: 'four', 5: 'five' };
