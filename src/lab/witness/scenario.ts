/** A scenario of a witness: what Firefox is made to do, and what is counted while it does. */
import type { Certificate } from './counting-server.ts';
import type { Preferences, WitnessBrowser } from './witness-browser.ts';

export interface ScenarioDeps {
  readonly browser: WitnessBrowser;
  /** Valid for every name below `witness.test` and for 127.0.0.1. */
  readonly certificate: Certificate;
  /** A label for host names that no run before this one has used, so that nothing is remembered of them. */
  readonly label: string;
}

export interface Scenario {
  /** Preferences without which the count could not differ; the same for both values. */
  readonly preferences?: Preferences;
  /** The count. */
  readonly run: (deps: ScenarioDeps) => Promise<number>;
}
