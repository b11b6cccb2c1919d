/** Round ticks for an axis of bytes. */

export interface ByteTick {
  readonly bytes: number;
  /** `150 kB`; 1 kB is 1000 bytes. */
  readonly label: string;
}

const STEPS = [1, 2, 5];

/** From 0 up to `endBytes`, at most `most` besides 0. */
export function byteTicks(endBytes: number, most: number): readonly ByteTick[] {
  if (!(endBytes > 0) || !Number.isFinite(endBytes)) return [{ bytes: 0, label: '0' }];
  const least = endBytes / most;
  const power = 10 ** Math.floor(Math.log10(least));
  const step = Math.max(1, (STEPS.find((each) => each * power >= least * (1 - 1e-9)) ?? 10) * power);
  return Array.from({ length: Math.floor(endBytes / step + 1e-9) + 1 }, (_, at) => ({ bytes: at * step, label: bytesText(at * step) }));
}

/** `640 B`, `150 kB`, `1.5 MB`. */
export function bytesText(bytes: number): string {
  if (bytes === 0) return '0';
  if (bytes < 1000) return `${Math.round(bytes)} B`;
  if (bytes < 1e6) return `${trimmed(bytes / 1000)} kB`;
  return `${trimmed(bytes / 1e6)} MB`;
}

const trimmed = (value: number): string => String(Number(value.toPrecision(3)));
