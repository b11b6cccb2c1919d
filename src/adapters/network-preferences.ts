/** The typed face of the Experiment API `browser.plumbfoxNetwork`; every answer is parsed. */
import * as v from 'valibot';
import { PlumbfoxError, PreferenceRefused, REFUSAL_REASONS } from '../core/errors.ts';
import type { PreferenceValue } from '../core/profiles/knob.ts';
import { preferenceReadbackSchema } from '../protocol/messages.ts';
import { browser } from './browser.ts';

const valueSchema = preferenceReadbackSchema.entries.value;

const detailedReadbackSchema = v.object({ ...preferenceReadbackSchema.entries, defaultValue: valueSchema });
const refusalSchema = v.object({
  preference: v.string(),
  reason: v.picklist(REFUSAL_REASONS),
  detail: v.string(),
});
const verdictSchema = v.object({ refusal: v.nullish(refusalSchema) });
const namesSchema = v.array(v.string());
const restoredSchema = v.object({ restored: namesSchema, locked: namesSchema });
const factsSchema = v.object({
  name: v.string(),
  version: v.string(),
  buildId: v.string(),
  os: v.string(),
  architecture: v.string(),
  channel: v.string(),
  policies: v.picklist(['inactive', 'active', 'failed', 'unknown']),
});

export type DetailedReadback = v.InferOutput<typeof detailedReadbackSchema>;

export interface NetworkPreferences {
  allowed(): Promise<readonly string[]>;
  readBack(names: readonly string[]): Promise<readonly DetailedReadback[]>;
  /** @throws PreferenceRefused for a value that `set` would refuse; changes nothing. */
  check(values: Readonly<Record<string, PreferenceValue>>): Promise<void>;
  /**
   * Sets all of the values, and puts back what was set before and is not among them; or changes nothing. What was there before the first of them
   * is kept first, by Firefox's parent process, which puts it back by itself when the extension is disabled or removed. @throws PreferenceRefused
   */
  set(values: Readonly<Record<string, PreferenceValue>>): Promise<void>;
  /**
   * Puts back what was there before: all but what somebody else has changed since, which is forgotten. `locked`: of these and of earlier ones, what
   * cannot be put back now; it is by the next call, or at the next start of Firefox, that finds it unlocked.
   */
  restore(names: readonly string[]): Promise<{ readonly restored: readonly string[]; readonly locked: readonly string[] }>;
  /** What was set and nobody has asked back, in the order in which it was set. @throws PlumbfoxError `environment` */
  journal(): Promise<readonly string[]>;
  /**
   * Forgets what was set and is as it was before, as where Firefox was killed before it wrote its preferences. Only where nobody can have changed
   * them meanwhile; otherwise a reset by someone else would go unnoticed.
   */
  forgetLost(): Promise<void>;
  pruneConnections(): Promise<void>;
  browserFacts(): Promise<v.InferOutput<typeof factsSchema>>;
}

type RawApi = Readonly<Record<keyof NetworkPreferences, (...values: readonly unknown[]) => Promise<unknown>>>;

/** `undefined` in the release build, and on a Firefox that ignores Experiments: then the namespace is missing without any error. */
export function networkPreferences(): NetworkPreferences | undefined {
  const raw = (browser as { plumbfoxNetwork?: RawApi }).plumbfoxNetwork;
  if (raw === undefined) return undefined;
  const accept = (answer: unknown) => {
    const { refusal } = v.parse(verdictSchema, answer);
    if (refusal) throw new PreferenceRefused(refusal.preference, refusal.reason, refusal.detail);
  };
  return {
    allowed: async () => v.parse(namesSchema, await raw.allowed()),
    readBack: async (names) => v.parse(v.array(detailedReadbackSchema), await raw.readBack([...names])),
    check: async (values) => accept(await raw.check({ ...values })),
    set: async (values) => accept(await raw.set({ ...values })),
    restore: async (names) => v.parse(restoredSchema, await raw.restore([...names])),
    journal: async () => readable(v.safeParse(namesSchema, await raw.journal())),
    forgetLost: async () => {
      await raw.forgetLost();
    },
    pruneConnections: async () => {
      await raw.pruneConnections();
    },
    browserFacts: async () => v.parse(factsSchema, await raw.browserFacts()),
  };
}

function readable(journal: v.SafeParseResult<typeof namesSchema>): readonly string[] {
  if (journal.success) return journal.output;
  throw new PlumbfoxError(
    'environment',
    'The former values cannot be read any more: in about:config, reset extensions.plumbfox.former and the preferences that Plumbfox has set.',
  );
}
