/** Measures witnesses in a running Firefox: the count of a scenario under each of two values of a preference, or with neither set. */
import { assertNever, PlumbfoxError } from '../../core/errors.ts';
import type { Witness } from '../../core/profiles/witnesses.ts';
import type { Certificate } from './counting-server.ts';
import type { Scenario } from './scenario.ts';
import { SCENARIOS } from './scenarios/all-scenarios.ts';
import type { WitnessBrowser } from './witness-browser.ts';

export interface WitnessCounts {
  readonly preference: string;
  /** In the order of the values. */
  readonly counts: readonly [number, number];
}

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
  return { preference: witness.preference, counts: [await once(witness.values[0]), await once(witness.values[1])] };
}

/** Whether the counts differ as was stated beforehand. */
export function differsAsStated({ direction, atLeast }: Witness, [first, second]: WitnessCounts['counts']): boolean {
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
export const isEqual = ({ atLeast }: Witness, [first, second]: WitnessCounts['counts']): boolean => Math.abs(first - second) < atLeast;
