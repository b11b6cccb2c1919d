/**
 * P(D <= d) for many values: Pelz & Good, "Approximating the lower tail-areas of the Kolmogorov-Smirnov one-sample statistic",
 * Journal of the Royal Statistical Society B 38 (1976): Kolmogorov's limit and three terms in 1 / sqrt(n), each by Jacobi's theta
 * functions in the form that converges for small z = d sqrt(n). As Simard & L'Ecuyer (2011) write it.
 */
export function pelzGoodCdf(n: number, d: number): number {
  const z = d * Math.sqrt(n);
  const last = Math.ceil((16 * z) / Math.PI);
  const terms = [0, 0, 0, 0];
  const add = (index: number, value: number) => {
    terms[index] = (terms[index] ?? 0) + value;
  };
  for (let k = last; k >= 1; k--) {
    const odd = 2 * k - 1;
    const weight = Math.exp((-(odd ** 2) * PI_2) / (8 * z ** 2));
    oddCoefficients(z, odd).forEach((coefficient, index) => {
      add(index, coefficient * weight);
    });
  }
  const scale = [z, 6 * z ** 4, 72 * z ** 7, 6480 * z ** 10];
  const sums = terms.map((term, index) => (term * ROOT_2_PI) / (scale[index] ?? 1));
  let second = 0;
  let third = 0;
  for (let k = last; k >= 1; k--) {
    const weight = k ** 2 * Math.exp((-(k ** 2) * PI_2) / (2 * z ** 2));
    second += weight;
    third += (3 * z ** 2 - PI_2 * k ** 2) * weight;
  }
  sums[2] = (sums[2] ?? 0) - (PI_2 * ROOT_2_PI * second) / (36 * z ** 3);
  sums[3] = (sums[3] ?? 0) + (PI_2 * ROOT_2_PI * third) / (216 * z ** 6);
  return sums.reduce((total, sum, index) => total + sum / n ** (index / 2), 0);
}

const PI_2 = Math.PI ** 2;
const ROOT_2_PI = Math.sqrt(2 * Math.PI);

/** Of the sums over odd m in K0 to K3. */
function oddCoefficients(z: number, m: number): readonly number[] {
  const z2 = z ** 2;
  const m2 = (PI_2 * m ** 2) / 4;
  return [
    1,
    m2 - z2,
    6 * z ** 6 + 2 * z ** 4 + (2 * z ** 4 - 5 * z2) * m2 + (1 - 2 * z2) * m2 ** 2,
    -30 * z ** 6 - 90 * z ** 8 + (135 * z ** 4 - 96 * z ** 6) * m2 + (212 * z ** 4 - 60 * z2) * m2 ** 2 + (5 - 30 * z2) * m2 ** 3,
  ];
}
