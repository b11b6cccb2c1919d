/**
 * The dip of a sample: how far its distribution is from the nearest one with a single mode. J. A. and P. M. Hartigan, "The Dip
 * Test of Unimodality", Annals of Statistics 13 (1985); algorithm: P. M. Hartigan, "Algorithm AS 217", Applied Statistics 34
 * (1985), with the two corrections of M. Maechler (R package diptest, 0.75-5 of 2009), whose variable names are kept in the comments.
 */

/** The corners of a hull, as indices into the sample. */
type Hull = readonly number[];

interface Interval {
  readonly low: number;
  readonly high: number;
}

/**
 * The largest distance between the sample's distribution and the unimodal one nearest to it. Range: from 1 / (2n) to 1/4; 0 for
 * less than two distinct values.
 *
 * @param sorted ascending and finite.
 */
export function dipOf(sorted: ArrayLike<number>): number {
  const count = sorted.length;
  if (count < 2 || at(sorted, 0) === at(sorted, count - 1)) return 0;
  const minorant = convexMinorant(sorted);
  const majorant = concaveMajorant(sorted);
  let modal: Interval = { low: 0, high: count - 1 };
  // In units of 1 / (2n).
  let dip = 1;
  for (;;) {
    const { low, high } = modal;
    // The minorant from its high end down, the majorant from its low end up.
    const gcm = corners(minorant, high, (corner) => corner > low);
    const lcm = corners(majorant, low, (corner) => corner < high);
    const { distance, ig, ih } = widestGap(sorted, gcm, lcm);
    if (distance < dip) break;
    for (let k = ig; k < gcm.length - 1; k++)
      dip = Math.max(
        dip,
        furthest(sorted, { low: at(gcm, k + 1), high: at(gcm, k) }, (steps, rise) => steps + 1 - rise),
      );
    for (let k = ih; k < lcm.length - 1; k++)
      dip = Math.max(
        dip,
        furthest(sorted, { low: at(lcm, k), high: at(lcm, k + 1) }, (steps, rise) => rise - (steps - 1)),
      );
    const next = { low: at(gcm, ig), high: at(lcm, ih) };
    if (next.low === modal.low && next.high === modal.high) break;
    modal = next;
  }
  return dip / (2 * count);
}

/** For each value the one before it on the greatest convex minorant that ends there (`mn`). */
function convexMinorant(x: ArrayLike<number>): Int32Array {
  const before = new Int32Array(x.length);
  for (let j = 1; j < x.length; j++) {
    let k = j - 1;
    while (k !== 0) {
      const further = at(before, k);
      if ((at(x, j) - at(x, k)) * (k - further) < (at(x, k) - at(x, further)) * (j - k)) break;
      k = further;
    }
    before[j] = k;
  }
  return before;
}

/** For each value the one after it on the least concave majorant that begins there (`mj`). */
function concaveMajorant(x: ArrayLike<number>): Int32Array {
  const last = x.length - 1;
  const after = new Int32Array(x.length);
  after[last] = last;
  for (let k = last - 1; k >= 0; k--) {
    let j = k + 1;
    while (j !== last) {
      const further = at(after, j);
      if ((at(x, k) - at(x, j)) * (j - further) < (at(x, j) - at(x, further)) * (k - j)) break;
      j = further;
    }
    after[k] = j;
  }
  return after;
}

/** The corners of a hull, from one on as long as they lie within the modal interval. */
function corners(next: Int32Array, from: number, isInside: (corner: number) => boolean): Hull {
  const found = [from];
  for (let corner = from; isInside(corner); ) {
    corner = at(next, corner);
    found.push(corner);
  }
  return found;
}

interface WidestGap {
  /** Between the two hulls, in steps of the distribution; the corners where it is. */
  readonly distance: number;
  readonly ig: number;
  readonly ih: number;
}

/** Both hulls are walked from the low end; each corner of one is compared with the chord of the other. */
function widestGap(x: ArrayLike<number>, gcm: Hull, lcm: Hull): WidestGap {
  let ig = gcm.length - 1;
  let ih = lcm.length - 1;
  if (gcm.length === 2 && lcm.length === 2) return { distance: 1, ig, ih };
  let distance = 0;
  let ix = gcm.length - 2;
  let iv = 1;
  do {
    const low = at(gcm, ix);
    const high = at(lcm, iv);
    if (low > high) {
      const from = at(gcm, ix + 1);
      const gap = high - from + 1 - ((at(x, high) - at(x, from)) * (low - from)) / (at(x, low) - at(x, from));
      iv += 1;
      if (gap >= distance) {
        distance = gap;
        ig = ix + 1;
        ih = iv - 1;
      }
    } else {
      const from = at(lcm, iv - 1);
      const gap = ((at(x, low) - at(x, from)) * (high - from)) / (at(x, high) - at(x, from)) - (low - from - 1);
      ix -= 1;
      if (gap >= distance) {
        distance = gap;
        ig = ix + 1;
        ih = iv;
      }
    }
    ix = Math.max(ix, 0);
    iv = Math.min(iv, lcm.length - 1);
  } while (at(gcm, ix) !== at(lcm, iv));
  return { distance, ig, ih };
}

/**
 * How far the distribution is from the chord between two corners, at most, and at least 1 step: above the minorant left of the modal interval,
 * below the majorant right of it.
 */
function furthest(x: ArrayLike<number>, { low, high }: Interval, distance: (steps: number, rise: number) => number): number {
  let most = 1;
  if (high - low <= 1 || at(x, high) === at(x, low)) return most;
  const slope = (high - low) / (at(x, high) - at(x, low));
  for (let j = low; j <= high; j++) most = Math.max(most, distance(j - low, (at(x, j) - at(x, low)) * slope));
  return most;
}

/** Every index used here is within the array. */
function at(values: ArrayLike<number>, index: number): number {
  return values[index] as number;
}
