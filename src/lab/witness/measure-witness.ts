/** Measures witnesses in a running Firefox: the count of a scenario under each of two values of a preference, or with neither set. */
import { assertNever, PlumbfoxError } from '../../core/errors.ts';
import type { Witness } from '../../core/profiles/witnesses.ts';
import type { Certificate } from './counting-server.ts';
import type { Scenario } from './scenario.ts';
import { SCENARIOS } from './scenarios/all-scenarios.ts';
import type { WitnessBrowser } from './witness-browser.ts';

/** In the order of the values. */
export type WitnessCounts = readonly [number, number];

export interface MeasureDeps {
  readonly browser: WitnessBrowser;
  readonly certificate: Certificate;
  /** `skip` sets nothing but what the scenario needs: then the counts must not differ. */
  readonly setting: 'set' | 'skip';
}

let runs = 0;

export async function measureWitness(witness: Witness, deps: MeasureDeps): Promise<WitnessCounts> {
  const scenario: Scenario = SCENARIOS[witness.scenario];
  const once = async (value: Witness['values'][number]): Promise<number> => {
    const { browser, certificate } = deps;
    try {
      if (scenario.preferences) await browser.set(scenario.preferences);
      if (deps.setting === 'set') {
        const id = `${witness.preference}=${value}`;
        const { mismatches } = await browser.applier.apply({
          id,
          title: id,
          connections: undefined,
          depth: 1,
          preferences: { [witness.preference]: value },
        });
        if (mismatches.length > 0) throw new PlumbfoxError('run-void', `${id} was not taken`);
      }
      return await scenario.run({ browser, certificate, label: `run${runs++}` });
    } finally {
      await browser.applier.revert();
      await browser.clear();
    }
  };
  return [await once(witness.values[0]), await once(witness.values[1])];
}

/**
 * Measures until it is decided whether counts are as expected: where they are not, which a busy machine can bring about, they are measured two times
 * more, and must be so both times. A run that came to no end says nothing, and is repeated; a third one is thrown.
 * @throws PlumbfoxError `run-void`
 */
export async function measuredAs<Counts extends readonly number[]>(
  measure: () => Promise<Counts>,
  isExpected: (counts: Counts) => boolean,
): Promise<{ readonly isAsExpected: boolean; readonly measured: readonly Counts[] }> {
  const measured: Counts[] = [];
  let voids = 0;
  while (true) {
    try {
      measured.push(await measure());
    } catch (error) {
      if (!(error instanceof PlumbfoxError) || error.kind !== 'run-void' || ++voids > MAX_VOID) throw error;
      continue;
    }
    const [first, ...further] = measured;
    if (first !== undefined && isExpected(first)) return { isAsExpected: true, measured };
    if (further.some((counts) => !isExpected(counts))) return { isAsExpected: false, measured };
    if (further.length === 2) return { isAsExpected: true, measured };
  }
}
const MAX_VOID = 2;

/** Whether the counts differ as was stated beforehand. */
export function differsAsStated({ direction, atLeast }: Witness, [first, second]: WitnessCounts): boolean {
  switch (direction) {
    case 'more':
      return second - first >= atLeast;
    case 'fewer':
      return first - second >= atLeast;
    default:
      return assertNever(direction);
  }
}

/** Whether the counts are equal as far as the witness tells counts apart. */
export const isEqual = ({ atLeast }: Witness, [first, second]: WitnessCounts): boolean => Math.abs(first - second) < atLeast;
