/** The slope of one variable on another when the effects of factors have been taken out of both (Frisch & Waugh 1933). */
import { absorbEffects, type Factor } from '../stats/least-squares.ts';

export interface Slope {
  readonly slope: number;
  readonly standardError: number;
  readonly degreesOfFreedom: number;
  /** Sum of squares of what is left of x: the slope's variance is that of y over it. */
  readonly information: number;
}

/** `undefined`: x is a function of the factors, y is without noise, or there are too few values. */
export function absorbedSlope(
  x: readonly number[],
  y: readonly number[],
  factors: readonly (readonly (string | number)[])[],
): Slope | undefined {
  const values = new Float64Array(2 * x.length);
  x.forEach((value, at) => {
    values[2 * at] = value;
    values[2 * at + 1] = y[at] ?? 0;
  });
  const absorbed = factors.map(factorOf);
  absorbEffects({ values, width: 2 }, absorbed);
  let xx = 0;
  let xy = 0;
  let yy = 0;
  for (let at = 0; at < values.length; at += 2) {
    const [a, b] = [values[at] as number, values[at + 1] as number];
    xx += a * a;
    xy += a * b;
    yy += b * b;
  }
  const parameters = absorbed.reduce((sum, { count }) => sum + count - 1, 1);
  const degreesOfFreedom = x.length - parameters - 1;
  const squares = yy - (xy * xy) / xx;
  if (degreesOfFreedom <= 0 || xx <= NOTHING_LEFT * x.length || !(squares > NOTHING_LEFT)) return undefined;
  return { slope: xy / xx, standardError: Math.sqrt(squares / degreesOfFreedom / xx), degreesOfFreedom, information: xx };
}

/** Below it a sum of squares is rounding: indicators and log ratios are of the order of 1. */
const NOTHING_LEFT = 1e-9;

function factorOf(levels: readonly (string | number)[]): Factor {
  const numbers = new Map<string | number, number>();
  for (const level of levels) if (!numbers.has(level)) numbers.set(level, numbers.size);
  return { levels: Int32Array.from(levels, (level) => numbers.get(level) ?? 0), count: numbers.size };
}
