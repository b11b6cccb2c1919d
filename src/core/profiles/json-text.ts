/**
 * JSON as text of which single members are set and removed, so that all else stays as it was written, to the byte. What a reader could take
 * in two ways, such as a name twice, is refused.
 */
import { PlumbfoxError } from '../errors.ts';

/** Names from the outermost object inwards. */
export type MemberPath = readonly string[];

interface Node {
  readonly start: number;
  /** Behind its last character. */
  readonly end: number;
  /** `undefined`: no object. */
  readonly members: readonly Member[] | undefined;
}
interface Member {
  readonly name: string;
  /** Offset of its name's quotation mark. */
  readonly start: number;
  readonly value: Node;
}

/** Deeper than any policy; a reader of ours must not run out of stack. */
const MAX_NESTING = 64;
const BYTE_ORDER_MARK = '\uFEFF';

/**
 * The value, if it is an object and can be read in one way only.
 * @throws PlumbfoxError `bad-input` for a byte order mark, an empty or damaged text, anything but an object, a name twice in one object.
 */
export function readJsonObject(text: string): Readonly<Record<string, unknown>> {
  if (text.startsWith(BYTE_ORDER_MARK)) throw refused('It begins with a byte order mark, which Firefox refuses; save it without');
  if (text.trim() === '') throw refused('It is empty');
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new PlumbfoxError('bad-input', 'It is not valid JSON', { cause: error });
  }
  if (!isObject(value)) throw refused('It is not an object');
  nodeOf(text);
  return value;
}

/** Whether it is a JSON object: no array, not null. */
export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The text with the member set to the value; objects that lead to it are made where they are missing. `text` is as `readJsonObject` takes it. */
export function setMember(text: string, path: MemberPath, value: unknown): string {
  let node = nodeOf(text);
  for (const [depth, name] of path.entries()) {
    const members = node.members ?? [];
    const found = members.find((member) => member.name === name);
    if (found === undefined) return insert(text, node, { name, value: wrapped(path.slice(depth + 1), value), depth });
    node = found.value;
  }
  return `${text.slice(0, node.start)}${written(value, path.length)}${text.slice(node.end)}`;
}

/** The text without the member, and without the objects on its way that are empty then, except for the outermost two. */
export function removeMember(text: string, path: MemberPath): string {
  const way = wayTo(text, path);
  if (way === undefined) return text;
  const [parent, ...above] = way.toReversed();
  const at = parent?.members?.findIndex(({ name }) => name === path.at(-1)) ?? -1;
  const members = parent?.members ?? [];
  if (members.length === 1 && above.length > 1) return removeMember(text, path.slice(0, -1));
  const [before, member, after] = [members[at - 1], members[at], members[at + 1]];
  if (parent === undefined || member === undefined) return text;
  if (before !== undefined) return text.slice(0, before.value.end) + text.slice(member.value.end);
  if (after !== undefined) return text.slice(0, member.start) + text.slice(after.start);
  return `${text.slice(0, parent.start)}{}${text.slice(parent.end)}`;
}

/** The objects on the way, the outermost first; `undefined`: the member is not there. */
function wayTo(text: string, path: MemberPath): readonly Node[] | undefined {
  const way: Node[] = [];
  let node: Node | undefined = nodeOf(text);
  for (const name of path) {
    if (node === undefined) return undefined;
    way.push(node);
    node = node.members?.find((member) => member.name === name)?.value;
  }
  return node && way;
}

const wrapped = (path: MemberPath, value: unknown): unknown => path.reduceRight((inner, name) => ({ [name]: inner }), value);

const INDENT = '  ';
const indented = (depth: number): string => `\n${INDENT.repeat(depth)}`;
/** @param depth - Of the member that it is the value of, from 1. */
const written = (value: unknown, depth: number): string => JSON.stringify(value, null, 2).replaceAll('\n', indented(depth));

function insert(text: string, parent: Node, { name, value, depth }: { name: string; value: unknown; depth: number }): string {
  const last = parent.members?.at(-1);
  // As the member before it is set off from what precedes it.
  const gap = last === undefined ? indented(depth + 1) : (/\s*$/.exec(text.slice(0, last.start))?.[0] ?? '');
  const member = `${JSON.stringify(name)}: ${gap.includes('\n') ? written(value, depth + 1) : JSON.stringify(value)}`;
  if (last !== undefined) return `${text.slice(0, last.value.end)},${gap}${member}${text.slice(last.value.end)}`;
  return `${text.slice(0, parent.start)}{${gap}${member}${indented(depth)}}${text.slice(parent.end)}`;
}

/** The text is JSON by now, so only its shape is looked for. */
function nodeOf(text: string): Node {
  return nodeAt(text, skipSpace(text, 0), 0);
}

function nodeAt(text: string, start: number, depth: number): Node {
  if (depth > MAX_NESTING) throw refused(`It is nested more than ${MAX_NESTING} deep`);
  switch (text[start]) {
    case '{':
      return objectAt(text, start, depth);
    case '[':
      return { start, end: arrayEnd(text, start, depth), members: undefined };
    default:
      return { start, end: start + match(text, start, text[start] === '"' ? STRING : LITERAL).length, members: undefined };
  }
}

function objectAt(text: string, start: number, depth: number): Node {
  const members: Member[] = [];
  let at = skipSpace(text, start + 1);
  while (text[at] !== '}') {
    const literal = match(text, at, STRING);
    const name = String(JSON.parse(literal));
    if (members.some((member) => member.name === name)) throw refused(`It names ${JSON.stringify(name)} twice in one object`);
    const value = nodeAt(text, skipSpace(text, skipSpace(text, at + literal.length) + 1), depth + 1);
    members.push({ name, start: at, value });
    at = skipComma(text, value.end);
  }
  return { start, end: at + 1, members };
}

function arrayEnd(text: string, start: number, depth: number): number {
  let at = skipSpace(text, start + 1);
  while (text[at] !== ']') at = skipComma(text, nodeAt(text, at, depth + 1).end);
  return at + 1;
}

const STRING = /"[^"\\]*(?:\\.[^"\\]*)*"/y;
const LITERAL = /[^\s,\]}]+/y;
const SPACE = /\s*/y;

function match(text: string, at: number, pattern: RegExp): string {
  pattern.lastIndex = at;
  const [found] = pattern.exec(text) ?? [];
  if (found === undefined) throw new PlumbfoxError('internal', `JSON that was read is not there at ${at}`);
  return found;
}

const skipSpace = (text: string, at: number): number => at + match(text, at, SPACE).length;

function skipComma(text: string, at: number): number {
  const next = skipSpace(text, at);
  return text[next] === ',' ? skipSpace(text, next + 1) : next;
}

const refused = (message: string): PlumbfoxError => new PlumbfoxError('bad-input', message);
