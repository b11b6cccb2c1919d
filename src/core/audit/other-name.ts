/** What Firefox calls a preference that a list has by a name which the build lacks: since a rename, or because the name is misspelt. */
import type { PreferenceValue } from '../profiles/knob.ts';
import type { BuildFacts } from './build-facts.ts';

/** Renames of a whole branch; `enabled.http2` was the switch of HTTP/2 beside that of SPDY. */
const SPDY = /^network\.http\.spdy\.(?:enabled\.http2|(.+))$/;
const SPDY_SOURCE = 'bug 1752621, Firefox 100';

/** `undefined`: no rename of it is known, or the build has no preference of the new name. */
export function renamedTo(name: string, { stateOf }: BuildFacts): { readonly to: string; readonly source: string } | undefined {
  const match = SPDY.exec(name);
  if (match === null) return undefined;
  const to = `network.http.http2.${match[1] ?? 'enabled'}`;
  return stateOf(to).state === 'default' ? { to, source: SPDY_SOURCE } : undefined;
}

/** Names that are looked for among those known; a list with more unknown ones is not misspelt, it is of something else. */
const MAX_MISSPELT = 200;

interface Setting {
  readonly name: string;
  readonly value: PreferenceValue;
}

/** For names that the build lacks: a preference of its own whose name is nearly the same, with a value of the same type. */
export function misspelt(lines: readonly Setting[], { stateOf, knownNames }: BuildFacts): ReadonlyMap<string, string> {
  const absent = new Map(lines.filter(({ name }) => stateOf(name).state === 'absent').map(({ name, value }) => [name, value]));
  const found = new Map<string, string>();
  for (const [name, value] of [...absent].slice(0, MAX_MISSPELT)) {
    const near = closest(name, knownNames);
    const state = near === undefined ? undefined : stateOf(near);
    if (near !== undefined && (state?.state !== 'default' || typeof state.value === typeof value)) found.set(name, near);
  }
  return found;
}

/** Letters that a slip adds, or omits, in one place: `network.disableIPv6` omits `dns.`. */
const MAX_ADDED = 12;
/** Letters that it replaces: `keep-alive-timeout` for `keep-alive.timeout`. */
const MAX_REPLACED = 2;
/** Letters that it adds, or omits, at the end: `http3.enabled` for `http3.enable`. */
const MAX_AT_END = 2;

/** The known name that differs in one place only; of several the one that differs least. */
function closest(name: string, known: readonly string[]): string | undefined {
  let best: { readonly name: string; readonly differs: number } | undefined;
  for (const other of known) {
    if (Math.abs(other.length - name.length) > MAX_ADDED) continue;
    const shorter = Math.min(name.length, other.length);
    const begin = sameFor(shorter, (at) => name[at] === other[at]);
    const end = sameFor(shorter - begin, (at) => name[name.length - 1 - at] === other[other.length - 1 - at]);
    const differs = Math.max(name.length, other.length) - begin - end;
    if (differs >= (best?.differs ?? Number.POSITIVE_INFINITY)) continue;
    const places = [name, other].map((text) => text.slice(begin, text.length - end));
    if (isSlip({ name, other, places, atEnd: begin === shorter, replaced: shorter - begin - end })) best = { name: other, differs };
  }
  return best?.name;
}

/** Words of which each has another effect than its fellow. */
const OPPOSITES = /^(?:min|max|first|last|in|out|up|down|on|off|enable|disable|allow|block)/i;

interface Difference {
  readonly name: string;
  readonly other: string;
  /** What differs of each. */
  readonly places: readonly string[];
  readonly atEnd: boolean;
  readonly replaced: number;
}

/** A number, and a word that has an opposite, is no slip: `http2` is not `http3`, and `max` is not `min`. */
function isSlip({ name, other, places, atEnd, replaced }: Difference): boolean {
  if (places.some((place) => /\d/.test(place))) return false;
  // A name that goes on, or stops short, at a dot is another preference.
  if (atEnd) return places.every((place) => place.length <= MAX_AT_END && !place.includes('.'));
  const words = [name, other].map(wordsOf);
  const [own, known] = words.map((all, at) => all.filter((word) => OPPOSITES.test(word) && !words[1 - at]?.includes(word)));
  return replaced <= MAX_REPLACED && !(own?.length && known?.length);
}

/** `disable`, `I`, `Pv6` of `disableIPv6`: parts begin at dots, dashes and capitals. */
const wordsOf = (name: string): readonly string[] => name.split(/[._-]|(?=[A-Z])/).map((word) => word.toLowerCase());

function sameFor(length: number, same: (at: number) => boolean): number {
  let at = 0;
  while (at < length && same(at)) at++;
  return at;
}
