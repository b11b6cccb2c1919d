/**
 * Units as types, and the only file that converts between them.
 * A branded number cannot be passed where another unit is wanted: the compiler refuses the mix.
 */
import type { Brand } from 'valibot';

/** Valibot's brand, so that a schema gives a number its unit (`schema.ts`). */
type Unit<Name extends string> = number & Brand<Name>;

/** A duration or a point on a stated clock, in milliseconds; full precision is kept until a view rounds it. */
export type Milliseconds = Unit<'ms'>;
/** A count of bytes. */
export type Bytes = Unit<'byte'>;
/** A data rate in kilobits per second; 1 kbit = 1000 bit, as every link is sold and as `tc` and Mahimahi count. */
export type KilobitsPerSecond = Unit<'kbps'>;
/** A share or a ratio without unit. */
export type Ratio = Unit<'ratio'>;

const BITS_PER_BYTE = 8;

/** @throws RangeError when the number is not finite: an unknown duration is `undefined`, never NaN. */
export const milliseconds = (value: number): Milliseconds => finite(value, 'milliseconds') as Milliseconds;
/** @throws RangeError when the number is negative or not finite. */
export const bytes = (value: number): Bytes => notNegative(value, 'bytes') as Bytes;
/** @throws RangeError when the number is negative or not finite. */
export const kilobitsPerSecond = (value: number): KilobitsPerSecond => notNegative(value, 'kilobits per second') as KilobitsPerSecond;
/** @throws RangeError when the number is not finite. */
export const ratio = (value: number): Ratio => finite(value, 'ratio') as Ratio;

/** Time to put `size` on a line of `rate`. 1 kbit/s is 1 bit/ms. @throws RangeError when the rate is 0. */
export function transmissionTime(size: Bytes, rate: KilobitsPerSecond): Milliseconds {
  if (rate === 0) throw new RangeError('A rate of 0 kbit/s never transmits');
  return milliseconds((size * BITS_PER_BYTE) / rate);
}

/** Average rate of `size` over `time`. @throws RangeError when the time is not positive. */
export function averageRate(size: Bytes, time: Milliseconds): KilobitsPerSecond {
  if (time <= 0) throw new RangeError('A rate needs a positive time');
  return kilobitsPerSecond((size * BITS_PER_BYTE) / time);
}

function finite(value: number, what: string): number {
  if (!Number.isFinite(value)) throw new RangeError(`${value} is not a number of ${what}`);
  return value;
}

function notNegative(value: number, what: string): number {
  if (finite(value, what) < 0) throw new RangeError(`${value} is not a number of ${what}: it is negative`);
  return value;
}
