/**
 * The seed of every property test that names none. It is the same in each run, so that a change is judged by the change alone;
 * `npm run soak:properties` draws others, which is how counterexamples that this one misses are looked for.
 */
import fc from 'fast-check';

const SEED = 20_261_121;

const asked = process.env.PLUMBFOX_PROPERTY_SEED;
const seed = asked === undefined ? SEED : Number(asked);
if (!Number.isInteger(seed)) throw new Error(`PLUMBFOX_PROPERTY_SEED must be an integer, not ${asked}`);

fc.configureGlobal({ ...fc.readConfigureGlobal(), seed });
