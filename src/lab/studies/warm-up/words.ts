/** Figures of the warm-up study in words. */
import { UNKNOWN } from '../../../core/text/figures.ts';
import type { Spread } from './spread.ts';

/** `20.9`, `412`, `2,209`. */
export const msText = (ms: number | undefined): string => (ms === undefined ? UNKNOWN : figure(ms));

/** `1 KiB`, `64 KiB`, `512 B`: of 1,024 bytes, as the survey counts. */
export const bytesText = (bytes: number): string => (bytes < 1024 ? `${bytes} B` : `${Number((bytes / 1024).toFixed(1))} KiB`);

/** `15.8 kB`, of 1,000 bytes: what no buffer size is. */
export const kilobytes = (bytes: number): string => `${(bytes / 1000).toFixed(1)} kB`;

/** `2.0 times`, `107 times`. */
export const timesText = (ratio: number): string => `${figure(ratio)} times`;

/** `2.0 times`, `1.9 to 3.6 times`. */
export function timesRange(ratios: readonly number[]): string {
  const [low, high] = [Math.min(...ratios), Math.max(...ratios)].map(timesText);
  return low === high ? `${low}` : `${low?.replace(' times', '')} to ${high}`;
}

/** `1.50 (1.47 to 1.52)`. */
export const ratioText = (spread: Spread | undefined): string =>
  spread === undefined ? UNKNOWN : `${spread.middle.toFixed(2)} (${spread.low.toFixed(2)} to ${spread.high.toFixed(2)})`;

/** `582 (581 to 583)`, ms. */
export const msSpreadText = (spread: Spread | undefined): string =>
  spread === undefined ? UNKNOWN : `${msText(spread.middle)} (${msText(spread.low)} to ${msText(spread.high)})`;

/** Every one of two, of more their median: `73.1, 74.0`, `73.2 (70.1 to 80.0)`. */
export const eachText = (values: readonly number[], spread: Spread | undefined): string =>
  values.length <= 2 ? values.map(msText).join(', ') : msSpreadText(spread);

const figure = (value: number): string => (Math.abs(value) < 99.95 ? value.toFixed(1) : Math.round(value).toLocaleString('en'));
