/** Which scenarios a model may be calibrated on, and which say how good it is. */
export const HALVES = ['calibration', 'reporting'] as const;
export type Half = (typeof HALVES)[number];

interface Named {
  readonly name: string;
  readonly page: string;
  readonly link: string;
}

/**
 * Pages in alphabetical order, and the links of each in alphabetical order, are dealt out in turn; every second page begins with the other half.
 * Fixed before anything was predicted; it asks for nothing but names. Each page has as many links in one half as in the other, or
 * one more; that every link is in both halves is tested.
 */
export function halvesOf(scenarios: readonly Named[]): ReadonlyMap<string, Half> {
  const halves = new Map<string, Half>();
  for (const [pageAt, page] of [...new Set(scenarios.map((scenario) => scenario.page))].sort().entries()) {
    const ofPage = scenarios.filter((scenario) => scenario.page === page).sort((a, b) => (a.link < b.link ? -1 : 1));
    for (const [linkAt, { name }] of ofPage.entries()) halves.set(name, (pageAt + linkAt) % 2 === 0 ? 'calibration' : 'reporting');
  }
  return halves;
}
