/**
 * Seeded random numbers: every random procedure takes a `Random` as an argument, so that a seed in a report repeats it.
 * Generator: sfc32 (Chris Doty-Humphrey, PractRand), seeded through splitmix32; period at least 2^32, passes PractRand to 32 TB.
 */
export interface Random {
  /** Uniform in [0, 1), 32 bits. */
  next(): number;
  /** Uniform integer in [0, below). */
  integer(below: number): number;
  /** A new array with the same members in random order (Fisher-Yates). */
  shuffle<T>(members: readonly T[]): T[];
}

/** The same seed gives the same numbers. @param seed its lowest 32 bits count. */
export function seededRandom(seed: number): Random {
  let mixed = seed | 0;
  const splitmix = () => {
    mixed = (mixed + 0x9e3779b9) | 0;
    let t = mixed ^ (mixed >>> 16);
    t = Math.imul(t, 0x21f0aaad);
    t ^= t >>> 15;
    t = Math.imul(t, 0x735a2d97);
    return (t ^ (t >>> 15)) | 0;
  };
  let a = splitmix();
  let b = splitmix();
  let c = splitmix();
  let counter = 1;
  const next = () => {
    const sum = (((a + b) | 0) + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = ((c << 21) | (c >>> 11)) + sum;
    c |= 0;
    return (sum >>> 0) / 4294967296;
  };
  for (let warmUp = 0; warmUp < 12; warmUp++) next();
  const integer = (below: number) => Math.floor(next() * below);
  return {
    next,
    integer,
    shuffle: (members) => {
      const result = [...members];
      for (let i = result.length - 1; i > 0; i--) {
        const j = integer(i + 1);
        [result[i], result[j]] = [result[j] as never, result[i] as never];
      }
      return result;
    },
  };
}
