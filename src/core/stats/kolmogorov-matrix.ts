/**
 * P(D <= d) exactly, as an entry of the n-th power of Durbin's matrix: Marsaglia, Tsang & Wang, "Evaluating Kolmogorov's distribution",
 * Journal of Statistical Software 8 (2003). No entry is negative, so no digits cancel. Cost: (2 n d)^3 log n steps.
 */
export function kolmogorovMatrixCdf(n: number, d: number): number {
  const half = Math.ceil(n * d);
  const size = 2 * half - 1;
  const power = raised({ cells: durbinMatrix(size, half - n * d), exponent: 0 }, n, size);
  let chance = power.cells[(half - 1) * size + half - 1] ?? 0;
  let exponent = power.exponent;
  for (let i = 1; i <= n; i++) {
    chance *= i / n;
    if (chance < 1 / SCALE) {
      chance *= SCALE;
      exponent -= SCALE_EXPONENT;
    }
  }
  return chance * 10 ** exponent;
}

/** Theirs: entries are kept below it, the powers of ten beside them. */
const SCALE = 1e140;
const SCALE_EXPONENT = 140;

/** `gap` is what n d lacks to the next integer: h in the paper. */
function durbinMatrix(size: number, gap: number): Float64Array {
  const cells = new Float64Array(size * size);
  const inverseFactorials = [1];
  for (let i = 1; i <= size; i++) inverseFactorials.push((inverseFactorials[i - 1] ?? 0) / i);
  for (let row = 0; row < size; row++) {
    for (let column = 0; column < size; column++) {
      const order = row - column + 1;
      const corner = row === size - 1 && column === 0;
      let numerator = 1;
      if (corner) numerator += -2 * gap ** size + Math.max(0, 2 * gap - 1) ** size;
      else if (column === 0) numerator -= gap ** (row + 1);
      else if (row === size - 1) numerator -= gap ** (size - column);
      // Beyond the place right of the diagonal the order is negative, and the entry 0.
      cells[row * size + column] = numerator * (inverseFactorials[order] ?? 0);
    }
  }
  return cells;
}

interface Scaled {
  readonly cells: Float64Array;
  /** The matrix is cells * 10^exponent. */
  readonly exponent: number;
}

function raised(base: Scaled, power: number, size: number): Scaled {
  if (power === 1) return base;
  const root = raised(base, Math.floor(power / 2), size);
  const square = product(root, root, size);
  return power % 2 === 0 ? square : product(square, base, size);
}

function product(left: Scaled, right: Scaled, size: number): Scaled {
  const cells = new Float64Array(size * size);
  for (let row = 0; row < size; row++) {
    for (let k = 0; k < size; k++) {
      const factor = left.cells[row * size + k] ?? 0;
      for (let column = 0; column < size; column++) {
        const cell = row * size + column;
        cells[cell] = (cells[cell] ?? 0) + factor * (right.cells[k * size + column] ?? 0);
      }
    }
  }
  const exponent = left.exponent + right.exponent;
  const centre = cells[((size - 1) / 2) * (size + 1)] ?? 0;
  if (centre <= SCALE) return { cells, exponent };
  return { cells: cells.map((cell) => cell / SCALE), exponent: exponent + SCALE_EXPONENT };
}
