/** The XML form of a macOS property list, as `defaults` and configuration profiles write policies: dictionaries, arrays, texts, numbers and truths. */
import { PlumbfoxError } from '../../errors.ts';
import { isObject } from '../../profiles/json-text.ts';

/** Deeper than any policy. */
const MAX_NESTING = 64;

/** @throws PlumbfoxError `bad-input`, one line. */
export function parsePlist(text: string): unknown {
  const body = text.replaceAll(/<!--[\s\S]*?-->/g, '');
  const tokens = [...body.matchAll(/<(\/?)([a-zA-Z]+)(?:\s[^<>]*?)?(\/?)>([^<]*)/g)].map(
    ([, close = '', name = '', empty = '', after = '']) => ({
      ...{ kind: close === '/' ? ('close' as const) : empty === '/' ? ('empty' as const) : ('open' as const), name },
      text: after,
    }),
  );
  let at = tokens.findIndex(({ name, kind }) => name === 'plist' && kind === 'open') + 1;
  const value = (depth: number): unknown => {
    const token = tokens[at++];
    if (token === undefined || token.kind === 'close' || depth > MAX_NESTING) throw damaged();
    if (token.kind === 'empty') return { true: true, false: false, dict: {}, array: [], string: '' }[token.name];
    if (token.name === 'dict') return dictionary(depth);
    if (token.name === 'array') {
      const items: unknown[] = [];
      while (tokens[at]?.kind !== 'close') items.push(value(depth + 1));
      at++;
      return items;
    }
    closed(token.name);
    return token.name === 'integer' || token.name === 'real' ? Number(token.text) : unescaped(token.text);
  };
  const closed = (name: string): void => {
    const end = tokens[at++];
    if (end?.kind !== 'close' || end.name !== name) throw damaged();
  };
  const dictionary = (depth: number): Readonly<Record<string, unknown>> => {
    const entries: [string, unknown][] = [];
    while (tokens[at]?.kind !== 'close') {
      const key = tokens[at++];
      if (key?.name !== 'key') throw damaged();
      if (key.kind === 'open') closed('key');
      entries.push([unescaped(key.text), value(depth + 1)]);
    }
    at++;
    return Object.fromEntries(entries);
  };
  return value(0);
}

const damaged = (): PlumbfoxError => new PlumbfoxError('bad-input', 'begins like a property list and cannot be read as one');

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };
const unescaped = (text: string): string => text.replaceAll(/&(amp|lt|gt|quot|apos);/g, (_, name: string) => ENTITIES[name] ?? '');

/** The policies in it: those of Firefox's own domain, at the top or in the payload of a configuration profile. */
export function plistPolicies(root: unknown): Readonly<Record<string, unknown>> {
  if (!isObject(root)) return {};
  const payloads = Array.isArray(root.PayloadContent) ? root.PayloadContent.filter(isObject) : [];
  const own = payloads.filter(({ PayloadType }) => PayloadType === 'org.mozilla.firefox');
  return nested(Object.assign({}, root, ...own));
}

/** Keys of a nested policy may be joined by two underscores (https://mozilla.github.io/policy-templates/, macOS). */
function nested(flat: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const policies: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(flat)) {
    const [policy = '', ...path] = key.split('__');
    if (path.length === 0) policies[policy] = value;
    else policies[policy] = { ...(isObject(policies[policy]) ? policies[policy] : {}), [path.join('__')]: value };
  }
  return policies;
}
