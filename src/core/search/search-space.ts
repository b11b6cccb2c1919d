/**
 * The preferences that a search varies, with the values tried of each besides Firefox's own: all that the simulator models, crossed with each
 * other, and others one at a time, of which only a measurement can tell. Nothing that costs privacy or security is among them.
 */
import { PlumbfoxError } from '../errors.ts';
import type { PageGraph } from '../graph/page-graph.ts';
import { didYouMean } from '../nearest-name.ts';
import {
  BACKUP_AFTER,
  CATALOGUE,
  findKnob,
  HTTP2_CONCURRENT,
  HTTP2_ENABLED,
  HTTP2_PULL_ALLOWANCE,
  HTTP2_PUSH_ALLOWANCE,
  HTTP3_ENABLED,
  HTTP3_MAX_STREAM_DATA,
  PACING_BURST,
  PACING_ENABLED,
  PACING_MIN_PARALLELISM,
  PACING_PER_SECOND,
  PER_SERVER,
  READ_SIZE,
  TOTAL_CONNECTIONS,
} from '../profiles/catalogue.ts';
import { canonicalValue, checkPreference } from '../profiles/check-profile.ts';
import { type PreferenceValue, priceOf } from '../profiles/knob.ts';
import { checkHeededWhileRunning, checkSettable } from '../profiles/settable.ts';
import { isModelled, mayActOn } from '../simulate/simulated-profile.ts';
import type { SearchKnob } from './factorial.ts';
import { choosesProtocol, type Negotiation, needsMemory, PROTOCOL_KNOBS } from './protocol-knobs.ts';

const MIB = 1_048_576;

/** Chosen: Firefox's own doubled or halved about twice; fewer connections in total are what Android ships, a backup connection comes never, or late. */
const MODELLED: readonly SearchKnob[] = [
  { preference: PER_SERVER, values: [4, 8, 10, 12, 16, 24] },
  { preference: PACING_ENABLED, values: [false] },
  { preference: PACING_MIN_PARALLELISM, values: [12, 24] },
  { preference: PACING_PER_SECOND, values: [160, 320] },
  { preference: PACING_BURST, values: [20, 60] },
  { preference: BACKUP_AFTER, values: [0, 1000] },
  { preference: TOTAL_CONNECTIONS, values: [128] },
  { preference: HTTP2_CONCURRENT, values: [250] },
  { preference: HTTP2_PULL_ALLOWANCE, values: [MIB, 32 * MIB] },
];

/** Not modelled: one value each, the other one of a switch. Names of this list that the catalogue does not have are left out. */
const CURIOUS: readonly SearchKnob[] = [
  { preference: 'network.http.speculative-parallel-limit', values: [0] },
  { preference: 'network.http.rendering-critical-requests-prioritization', values: [false] },
  { preference: 'network.http.tailing.enabled', values: [false] },
  { preference: READ_SIZE, values: [131_072] },
  { preference: HTTP2_PUSH_ALLOWANCE, values: [12 * MIB] },
  { preference: HTTP3_MAX_STREAM_DATA, values: [32 * MIB] },
  { preference: 'network.http.http3.recvBufferSize', values: [4 * MIB] },
];

export interface SearchSpace {
  /** Crossed with each other in the simulator. */
  readonly modelled: readonly SearchKnob[];
  /** Measured one at a time. */
  readonly curious: readonly SearchKnob[];
  /** Asked for, or searched by default, and read by no request of these pages. */
  readonly outOfReach: readonly SearchKnob[];
}

/**
 * @param asked - What `--knobs` names; absent: all there are.
 * @param negotiation - Of servers that speak several protocols, of which the pages are given as they come by each; absent: they speak one.
 */
export function searchSpace(
  pages: readonly PageGraph[],
  asked?: readonly SearchKnob[],
  negotiation?: Pick<Negotiation, 'visit'>,
): SearchSpace {
  const usual = [...MODELLED, ...CURIOUS.filter(({ preference }) => findKnob(preference) !== undefined)];
  const all = asked ?? [...(negotiation ? PROTOCOL_KNOBS : []), ...usual];
  const isOutOf = (preference: string) =>
    (negotiation?.visit === 'first' && needsMemory(preference)) ||
    // HTTP/2 is what is left where HTTP/3 is off.
    (negotiation !== undefined && preference === HTTP2_ENABLED && all.every((other) => other.preference !== HTTP3_ENABLED));
  const acting = all.flatMap(({ preference, values }) => {
    const left = isOutOf(preference) ? [] : values.filter((value) => mayActOn(preference, value, pages));
    return left.length === 0 ? [] : [{ preference, values: left }];
  });
  const isSimulated = (preference: string) => isModelled(preference) || (negotiation !== undefined && choosesProtocol(preference));
  return {
    modelled: acting.filter(({ preference }) => isSimulated(preference)),
    curious: acting.filter(({ preference }) => !isSimulated(preference)),
    outOfReach: all.filter(({ preference }) => acting.every((other) => other.preference !== preference)),
  };
}

/** What settings cost in privacy or security, a sentence each with the preference that costs it; empty: nothing. */
export const pricesOf = (
  settings: Readonly<Record<string, PreferenceValue>>,
): readonly { readonly preference: string; readonly price: string }[] =>
  Object.entries(settings).flatMap(([preference, value]) => {
    const knob = findKnob(preference);
    const price = knob && priceOf(knob, value);
    return price === undefined ? [] : [{ preference, price }];
  });

/** What separates the values of a preference in `--knobs`. */
const BETWEEN_VALUES = '|';

/**
 * Reads one entry of `--knobs`: a preference, with values (`network.http.pacing.requests.hz=160|320`) or with those that are tried by default.
 * @throws PlumbfoxError `bad-input`, and `PreferenceRefused` for a value that the catalogue refuses, one line each.
 */
export function readSearchKnob(text: string): SearchKnob {
  const equals = text.indexOf('=');
  const preference = (equals < 0 ? text : text.slice(0, equals)).trim();
  const knob = findKnob(preference);
  if (knob === undefined) {
    const name = JSON.stringify(preference.slice(0, MAX_ECHO));
    const known = CATALOGUE.map((each) => each.preference);
    throw new PlumbfoxError(
      'bad-input',
      `--knobs: there is no preference ${name} in the catalogue.${didYouMean(preference.slice(0, MAX_ECHO), known)}`,
    );
  }
  checkSettable(knob);
  checkHeededWhileRunning([preference]);
  if (equals >= 0) return { preference, values: readValues(preference, text.slice(equals + 1)) };
  const values = [...MODELLED, ...CURIOUS].find((each) => each.preference === preference)?.values ?? otherOf(knob.defaults.desktop);
  if (values !== undefined) return { preference, values };
  throw new PlumbfoxError('bad-input', `--knobs: say which values of ${preference} to try, such as ${preference}=A${BETWEEN_VALUES}B`);
}

const MAX_ECHO = 100;
const MAX_VALUES = 8;

const otherOf = (shipped: PreferenceValue | undefined): readonly PreferenceValue[] | undefined =>
  typeof shipped === 'boolean' ? [!shipped] : undefined;

function readValues(preference: string, text: string): readonly PreferenceValue[] {
  const knob = findKnob(preference);
  const shipped = knob?.defaults.desktop;
  const values = text.split(BETWEEN_VALUES).map((each) => canonicalValue(knob, readValue(each.trim())));
  if (values.length > MAX_VALUES)
    throw new PlumbfoxError('bad-input', `--knobs: at most ${MAX_VALUES} values of ${preference} can be tried`);
  for (const value of values) checkPreference(preference, value);
  const others = [...new Set(values)].filter((value) => value !== shipped);
  if (others.length === 0)
    throw new PlumbfoxError('bad-input', `--knobs: ${preference} is ${String(shipped)} in Firefox already: name another value`);
  return others;
}

/** A text that is neither a number nor a switch stays as it is, and is refused with the bounds. */
function readValue(text: string): PreferenceValue {
  if (text === 'true' || text === 'false') return text === 'true';
  return /^-?\d{1,15}$/.test(text) ? Number(text) : text;
}
