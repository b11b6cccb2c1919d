/** The ways to choose some of a number of things. */

/** How many there are: exact below 2^53, else close, up to Infinity. */
export function numberOfCombinations(all: number, chosen: number): number {
  let count = 1;
  for (let i = 1; i <= Math.min(chosen, all - chosen); i++) count = (count * (all - i + 1)) / i;
  return count;
}

/** Every one once, as ascending indices from 0; `chosen` from 1 to `all`. The array is changed for the next one. */
export function* combinations(all: number, chosen: number): Generator<readonly number[], void> {
  const indices = Array.from({ length: chosen }, (_, index) => index);
  const at = (place: number) => indices[place] ?? 0;
  for (;;) {
    yield indices;
    let place = chosen - 1;
    while (place >= 0 && at(place) === all - chosen + place) place--;
    if (place < 0) return;
    indices[place] = at(place) + 1;
    for (let after = place + 1; after < chosen; after++) indices[after] = at(after - 1) + 1;
  }
}
