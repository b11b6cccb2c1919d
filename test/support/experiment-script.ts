/** The Experiment's privileged script, run over preferences in memory. Firefox's checks by its schema are not made here. */
import { readFileSync } from 'node:fs';
import { createContext, runInContext } from 'node:vm';
import type { NetworkPreferences } from '../../src/adapters/applier-experiment-api.ts';
import type { RefusalReason } from '../../src/core/errors.ts';
import { ROUTE_BOUNDS } from '../../src/core/profiles/carrier.ts';
import { CATALOGUE } from '../../src/core/profiles/catalogue.ts';
import type { PreferenceValue } from '../../src/core/profiles/knob.ts';

interface Verdict {
  readonly refusal?: { readonly preference: string; readonly reason: RefusalReason; readonly detail: string };
}
type Values = Readonly<Record<string, PreferenceValue>>;

/** As a page of the extension sees it. */
export interface ExperimentScript extends Omit<NetworkPreferences, 'check' | 'set' | 'journal'> {
  check(values: Values): Promise<Verdict>;
  set(values: Values): Promise<Verdict>;
  journal(): Promise<readonly string[] | null>;
}

const SOURCE = readFileSync(new URL('../../src/experiment-api/network-preferences/api.js', import.meta.url), 'utf8');
const ALLOWED = { ...Object.fromEntries(CATALOGUE.map(({ preference, bounds }) => [preference, bounds])), ...ROUTE_BOUNDS };

/** `preferences`: an nsIPrefBranch, as far as the script asks. */
export function experimentScript(preferences: { asBranch(which: 'user'): unknown }): ExperimentScript {
  const Services = {
    prefs: preferences.asBranch('user'),
    obs: { notifyObservers: () => undefined },
    appinfo: {
      name: 'Firefox',
      version: '153.0',
      appBuildID: '20261103151912',
      OS: 'Linux',
      XPCOMABI: 'x86_64-gcc3',
      defaultUpdateChannel: 'esr',
    },
    policies: { status: 0 },
  };
  const context = createContext({ Services, PLUMBFOX_ALLOWED_PREFERENCES: ALLOWED, ExtensionAPI: class {} });
  runInContext(SOURCE, context);
  const api = new context.plumbfoxNetwork().getAPI().plumbfoxNetwork as ExperimentScript;
  // Answers of another realm are not equal to those of this one.
  return Object.fromEntries(
    Object.entries(api).map(([name, method]) => [
      name,
      async (...given: unknown[]) => {
        const answer: unknown = await (method as (...all: unknown[]) => Promise<unknown>)(...given);
        return answer === undefined ? undefined : structuredClone(answer);
      },
    ]),
  ) as unknown as ExperimentScript;
}
