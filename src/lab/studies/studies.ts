/** The studies that are simulated, by name. */
import { PlumbfoxError } from '../../core/errors.ts';
import { fennec2008 } from './fennec-2008.ts';
import type { SimulatedStudy } from './simulated-study.ts';

/** What `plumbfox predict --study` knows. */
export const SIMULATED_STUDIES: readonly SimulatedStudy[] = [fennec2008];

/** @throws PlumbfoxError `bad-input` naming the studies there are. */
export function findSimulatedStudy(name: string): SimulatedStudy {
  const study = SIMULATED_STUDIES.find((each) => each.name === name);
  if (study !== undefined) return study;
  throw new PlumbfoxError('bad-input', `There is no study "${name}". Studies: ${SIMULATED_STUDIES.map((each) => each.name).join(', ')}`);
}
