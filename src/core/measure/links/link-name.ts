/** A link in words: its figures, rounded so that the name stays the same while the estimate moves a little. */

/** ISO 3, series R"10: ten steps of about 25 % per decade. */
const PREFERRED = [1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10] as const;

/** `RTT 50 ms, 10 Mbit/s`; without a rate `RTT 50 ms`. */
export function linkName({ rttMs, downKbps }: { readonly rttMs: number; readonly downKbps?: number | undefined }): string {
  const rtt = `RTT ${preferred(rttMs)} ms`;
  return downKbps === undefined ? rtt : `${rtt}, ${rateWords(preferred(downKbps))}`;
}

const rateWords = (kbps: number): string => (kbps < 1000 ? `${kbps} kbit/s` : `${kbps / 1000} Mbit/s`);

/** The preferred number nearest on the log scale; at least 1. */
function preferred(value: number): number {
  if (value <= 1) return 1;
  const decade = 10 ** Math.floor(Math.log10(value));
  const nearest = PREFERRED.reduce((best, step) => (distance(value, step * decade) < distance(value, best * decade) ? step : best));
  // 1.2 x 10 has digits beyond its own in binary.
  return Number((nearest * decade).toPrecision(2));
}

const distance = (a: number, b: number): number => Math.abs(Math.log(a / b));
