/** The typed face of the Experiment API `browser.plumbfoxNetwork`; every answer is parsed. */
import * as v from 'valibot';
import { PlumbfoxError, PreferenceRefused } from '../core/errors.ts';
import type { PreferenceValue } from '../core/profiles/knob.ts';
import { preferenceReadbackSchema } from '../protocol/messages.ts';
import { browser } from './browser.ts';

const valueSchema = preferenceReadbackSchema.entries.value;

const detailedReadbackSchema = v.object({ ...preferenceReadbackSchema.entries, defaultValue: valueSchema });
const refusalSchema = v.object({
  preference: v.string(),
  reason: v.picklist(['not-in-catalogue', 'wrong-type', 'out-of-range', 'locked']),
  detail: v.string(),
});
const verdictSchema = v.object({ refusal: v.nullish(refusalSchema) });
const restoredSchema = v.object({ refusals: v.array(refusalSchema) });
const journalSchema = v.array(
  v.object({ preference: v.string(), userSet: v.boolean(), value: valueSchema, setTo: v.nonOptional(valueSchema) }),
);
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

/** One preference of ours: what was there, and what we set. */
export type JournalEntry = v.InferOutput<typeof journalSchema>[number];

/** As it was before us; without `userSet` it had its default, and `value` does not matter. */
export interface FormerValue {
  readonly preference: string;
  readonly userSet: boolean;
  readonly value?: PreferenceValue;
}

export interface NetworkPreferences {
  allowed(): Promise<readonly string[]>;
  readBack(names: readonly string[]): Promise<readonly DetailedReadback[]>;
  /** @throws PreferenceRefused what `set` would refuse; changes nothing. */
  check(values: Readonly<Record<string, PreferenceValue>>): Promise<void>;
  /** All or nothing. @throws PreferenceRefused */
  set(values: Readonly<Record<string, PreferenceValue>>): Promise<void>;
  /** Answers the preferences that could not be put back. */
  restore(former: readonly FormerValue[]): Promise<readonly string[]>;
  /**
   * What was set and is to be put back, in the order in which it was set. Firefox's parent process keeps it: it puts everything back by
   * itself when the extension is disabled or removed, and keeps nothing then. @throws PlumbfoxError `environment`
   */
  journal(): Promise<readonly JournalEntry[]>;
  keepJournal(entries: readonly JournalEntry[]): Promise<void>;
  pruneConnections(): Promise<void>;
  browserFacts(): Promise<v.InferOutput<typeof factsSchema>>;
}

type RawApi = Readonly<Record<keyof NetworkPreferences, (...values: readonly unknown[]) => Promise<unknown>>>;

/** `undefined` in the release build, and on a Firefox that ignores Experiments: then the namespace is missing without any error. */
export function networkPreferences(): NetworkPreferences | undefined {
  const raw = (browser as unknown as { plumbfoxNetwork?: RawApi }).plumbfoxNetwork;
  if (raw === undefined) return undefined;
  const accept = (answer: unknown) => {
    const { refusal } = v.parse(verdictSchema, answer);
    if (refusal) throw new PreferenceRefused(refusal.preference, refusal.reason, refusal.detail);
  };
  return {
    allowed: async () => v.parse(v.array(v.string()), await raw.allowed()),
    readBack: async (names) => v.parse(v.array(detailedReadbackSchema), await raw.readBack([...names])),
    check: async (values) => accept(await raw.check({ ...values })),
    set: async (values) => accept(await raw.set({ ...values })),
    restore: async (former) => v.parse(restoredSchema, await raw.restore([...former])).refusals.map((refusal) => refusal.preference),
    journal: async () => readable(v.safeParse(journalSchema, await raw.journal())),
    keepJournal: async (entries) => {
      await raw.keepJournal([...entries]);
    },
    pruneConnections: async () => {
      await raw.pruneConnections();
    },
    browserFacts: async () => v.parse(factsSchema, await raw.browserFacts()),
  };
}

function readable(journal: v.SafeParseResult<typeof journalSchema>): readonly JournalEntry[] {
  if (journal.success) return journal.output;
  throw new PlumbfoxError(
    'environment',
    'What was there before cannot be read any more: in about:config, reset extensions.plumbfox.former and the preferences that Plumbfox has set.',
  );
}
