/**
 * Every preference Plumbfox may set, with what is known of it. Nothing outside this list is ever written.
 * Desktop defaults are read out of builds of Firefox ESR for Linux (`catalogue/builds.ts`); Android defaults are those of
 * `mobile/android/app/geckoview-prefs.js` and, where it is silent, of `all.js` and `StaticPrefList.yaml`, of ESR 140 and a little after 153; those of
 * Windows follow from conditions in the same two (XP_WIN), read on 29 November 2026.
 * Paths under "Firefox" are files of https://searchfox.org/mozilla-esr140/source/ ; "Gecko 52" of the ESR 52 tree.
 */
import { BUILDS } from './catalogue/builds.ts';
import { CACHES } from './catalogue/caches.ts';
import { CONNECTIONS } from './catalogue/connections.ts';
import { DNS } from './catalogue/dns.ts';
import type { AndroidDefault, Entry } from './catalogue/entry.ts';
import { HTTP2 } from './catalogue/http2.ts';
import { HTTP3 } from './catalogue/http3.ts';
import { LEGACY } from './catalogue/legacy.ts';
import { PACING } from './catalogue/pacing.ts';
import { policyTakes } from './catalogue/policy-engine.ts';
import { SCHEDULING } from './catalogue/scheduling.ts';
import { SPECULATION } from './catalogue/speculation.ts';
import { TLS } from './catalogue/tls.ts';
import type { BuildPreference, Knob, KnobApplier, KnobSubject, PreferenceValue, ReadVersion } from './knob.ts';

export {
  BACKUP_AFTER,
  HTTP2_CONCURRENT,
  HTTP2_ENABLED,
  HTTP2_PULL_ALLOWANCE,
  HTTP2_PUSH_ALLOWANCE,
  HTTP3_ENABLED,
  HTTP3_MAX_STREAM_DATA,
  KEEP_ALIVE,
  PACING_BURST,
  PACING_ENABLED,
  PACING_MIN_PARALLELISM,
  PACING_PER_SECOND,
  PER_PROXY,
  PER_SERVER,
  READ_COUNT,
  READ_SIZE,
  SPECULATIVE_CONNECTIONS,
  TOTAL_CONNECTIONS,
  URGENT_START,
} from './catalogue/names.ts';

/** Each preference once; the order is the order of tables and of everything written. */
export const CATALOGUE: readonly Knob[] = Object.entries<readonly Entry[]>({
  connections: CONNECTIONS,
  pacing: PACING,
  http2: HTTP2,
  http3: HTTP3,
  speculation: SPECULATION,
  scheduling: SCHEDULING,
  caches: CACHES,
  dns: DNS,
  tls: TLS,
  legacy: LEGACY,
} satisfies Record<KnobSubject, readonly Entry[]>).flatMap(([subject, entries]) =>
  entries.map((entry) => knobOf(entry, subject as KnobSubject)),
);

function knobOf({ android: onAndroid, ...entry }: Entry, subject: KnobSubject): Knob {
  const builds = { 140: buildPreference(entry.preference, '140'), 153: buildPreference(entry.preference, '153') };
  const shipped = (version: ReadVersion) => (builds[version].state === 'default' ? builds[version].value : undefined);
  const desktop = shipped('153');
  const android = androidOf(onAndroid);
  return {
    subject,
    versions: {},
    readByUxp: false,
    takesEffect: 'live',
    class: 'free',
    appliers: appliersOf(entry, desktop),
    ...entry,
    builds,
    defaults: {
      desktop,
      android: android.state === 'value' ? android.value : android.state === 'as-desktop' ? (desktop ?? shipped('140')) : undefined,
    },
    android,
  };
}

function androidOf(android: AndroidDefault): Knob['android'] {
  if (typeof android === 'object') return { state: 'value', ...android };
  return android === 'none' ? { state: 'value' } : { state: android };
}

function buildPreference(preference: string, version: ReadVersion): BuildPreference {
  const value = BUILDS[preference]?.[version];
  if (value === undefined) return { state: 'absent' };
  return value === null ? { state: 'hidden' } : { state: 'default', value };
}

/**
 * The Experiment API and the person take any name; what a knob is not written for, nothing carries. The helper app has Firefox itself return to
 * the default value, so that it needs one.
 */
function appliersOf(
  { preference, class: knobClass, takesEffect }: Pick<Entry, 'preference' | 'class' | 'takesEffect'>,
  desktop: PreferenceValue | undefined,
): readonly KnobApplier[] {
  if (knobClass === 'never') return [];
  if (takesEffect === 'never') return ['helper', 'experiment-api'];
  const policy = policyTakes(preference) ? (['policy'] as const) : [];
  const helper = desktop === undefined ? [] : (['helper'] as const);
  return [...policy, ...helper, 'experiment-api', 'about-config'];
}

const byPreference: ReadonlyMap<string, Knob> = new Map(CATALOGUE.map((knob) => [knob.preference, knob]));

/** The catalogue's entry of a preference; `undefined`: it is not in the catalogue and must not be set. */
export const findKnob = (preference: string): Knob | undefined => byPreference.get(preference);

/** The place of a preference in the catalogue's order, by which other languages have its name; -1: it is not in the catalogue. */
export const placeOf = (preference: string): number => CATALOGUE.findIndex((knob) => knob.preference === preference);

/** Preferences in the catalogue's order, so that the same profile always gives the same file. What is not in the catalogue is left out. */
export function inCatalogueOrder(preferences: Readonly<Record<string, PreferenceValue>>): readonly (readonly [string, PreferenceValue])[] {
  return CATALOGUE.flatMap(({ preference }) => {
    const value = Object.hasOwn(preferences, preference) ? preferences[preference] : undefined;
    return value === undefined ? [] : [[preference, value] as const];
  });
}
