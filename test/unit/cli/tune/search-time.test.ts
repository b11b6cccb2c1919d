/** A search that does not begin: it does not fit into its minutes, or has nothing to measure. */
import { expect, it } from 'vitest';
import { checkTimeForSearch, nothingToMeasure } from '../../../../src/cli/tune/search/run.ts';
import type { Screened } from '../../../../src/cli/tune/search/screening.ts';

/** Firefox's own settings take 1.25 x 1600 ms. */
const screened = {
  entries: [{ why: 'curious', settings: {} }],
  screening: { screened: [{ predicted: { loadTimeMs: 1600, ratio: 1.25 } }] },
} as unknown as Screened;
const asked =
  (side: number, minutes: number, of: Screened = screened) =>
  () =>
    checkTimeForSearch({
      options: { pages: Array.from({ length: side }), links: Array.from({ length: side }) },
      screened: of,
      now: () => 12_000,
      begunMs: 2000,
      minutes,
    });

it('refuses minutes into which no search fits, and says which do', () => {
  // Three blocks of nine pages over links, two loads each, are 54 of the 62 there must be time for; 2.6 s each are 161.2 s, and 18 s are gone or reserved.
  expect(asked(3, 2)).toThrow(
    '--minutes 2 is too short: a search of 3 pages over 3 links makes at least 62 loads. Give it --minutes 3 or more, or fewer pages and links',
  );
  expect(asked(3, 3)).not.toThrow();
  // Eleven blocks of one page over one link: 25 loads, 65 s.
  expect(asked(1, 1)).toThrow('Give it --minutes 2');
  expect(asked(1, 2)).not.toThrow();
});

it('refuses nothing where nothing was simulated, or nothing is to be measured', () => {
  expect(asked(3, 1, { ...screened, screening: { ...screened.screening, screened: [] } })).not.toThrow();
  expect(asked(3, 1, { ...screened, entries: [] })).not.toThrow();
});

it('keeps what the predictions leave possible where none is worth a load', () => {
  const space = { modelled: [{ preference: 'a', values: [1] }], curious: [], outOfReach: [] };
  const of = (...highs: readonly (number | undefined)[]) =>
    nothingToMeasure({
      space,
      screening: { screened: highs.map((high) => ({ predicted: high === undefined ? {} : { ratioBand: { low: 1, high } } })) },
    } as unknown as Screened);
  expect(of(1.01, 1.15)).toEqual({ state: 'nothing-beats', because: 'none-predicted', highest: 1.15 });
  expect(of(1.01, undefined)).toEqual({ state: 'nothing-beats', because: 'none-predicted' });
  expect(nothingToMeasure({ space: { ...space, modelled: [] }, screening: screened.screening })).toMatchObject({ because: 'out-of-reach' });
});
