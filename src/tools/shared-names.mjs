// @ts-check
// One name for what a chunk has and others import. The bundler names it three times: in the chunk, in its list of exports, and in each script that
// imports it; 760 names in 14 scripts make lists that do not pack. A name is changed only where it is sure what it stands for: in a script that binds
// it once, every use of it is of that binding, and a name that the script does not have yet can hide nothing.
import { posix } from 'node:path';
import { parseAst } from 'rolldown/parseAst';

/** @typedef {{ type: string, start: number, end: number, [member: string]: any }} Node */
/** @typedef {{ places: { start: number, end: number, isShort: boolean }[], bindings: number }} Name */
/** @typedef {{ fileName: string, code: string, names: Map<string, Name>, imports: Node[], exports: Node[] }} Script */
/** @typedef {{ script: Script, local: string, node: Node }} Use Of something shared, in the script that has it, or in one that imports it */
/** @typedef {{ home: Use, users: Use[] }} Shared */

/** Names that are not read: of a property, of a label, and what another module calls it. @type {Record<string, readonly string[]>} */
const NOT_READ = {
  MemberExpression: ['property'],
  Property: ['key'],
  MethodDefinition: ['key'],
  PropertyDefinition: ['key'],
  LabeledStatement: ['label'],
  BreakStatement: ['label'],
  ContinueStatement: ['label'],
  MetaProperty: ['meta', 'property'],
  ImportSpecifier: ['imported'],
  ExportSpecifier: ['exported'],
};
/** Where a node binds names. @type {Record<string, readonly string[]>} */
const BINDS = {
  VariableDeclarator: ['id'],
  FunctionDeclaration: ['id', 'params'],
  FunctionExpression: ['id', 'params'],
  ArrowFunctionExpression: ['params'],
  ClassDeclaration: ['id'],
  ClassExpression: ['id'],
  CatchClause: ['param'],
  ImportSpecifier: ['local'],
  ImportDefaultSpecifier: ['local'],
  ImportNamespaceSpecifier: ['local'],
};

/** @type {(fileName: string, code: string) => Script} */
function read(fileName, code) {
  const body = /** @type {Node[]} */ (/** @type {unknown} */ (parseAst(code).body));
  /** @type {Map<string, Name>} */
  const names = new Map();
  /** @type {(node: Node, isShort: boolean) => Name} */
  const place = ({ name, start, end }, isShort) => {
    const known = names.get(name) ?? { places: [], bindings: 0 };
    names.set(name, known);
    if (!known.places.some((one) => one.start === start)) known.places.push({ start, end, isShort });
    return known;
  };
  /** @type {(pattern: any) => void} Counts the names that a pattern binds. */
  const bind = (pattern) => {
    if (Array.isArray(pattern)) pattern.forEach(bind);
    else if (pattern?.type === 'Identifier') place(pattern, false).bindings += 1;
    else if (pattern?.type === 'ObjectPattern') bind(pattern.properties);
    else if (pattern?.type === 'ArrayPattern') bind(pattern.elements);
    else if (pattern?.type === 'Property') bind(pattern.value);
    else if (pattern?.type === 'RestElement') bind(pattern.argument);
    else if (pattern?.type === 'AssignmentPattern') bind(pattern.left);
  };
  /** @type {(value: any) => void} */
  const follow = (value) => {
    if (Array.isArray(value)) return value.forEach(follow);
    if (typeof value !== 'object' || value === null || typeof value.type !== 'string') return;
    // Before it is read as a name: the value of `{a}` and of `{a = 1}` stands where its key does.
    if (value.type === 'Property' && value.shorthand)
      place(value.value.type === 'AssignmentPattern' ? value.value.left : value.value, true);
    for (const member of BINDS[value.type] ?? []) bind(value[member]);
    if (value.type === 'Identifier') place(value, false);
    const skipped = value.computed ? [] : (NOT_READ[value.type] ?? []);
    for (const [member, inner] of Object.entries(value)) if (!skipped.includes(member)) follow(inner);
  };
  follow(body);
  const passedOn = body.find(({ type, source }) => type.startsWith('Export') && source);
  if (passedOn !== undefined) throw new Error(`${fileName} exports what ${passedOn.source.value} has: such a list is not known here`);
  return {
    fileName,
    code,
    names,
    imports: body.filter(({ type }) => type === 'ImportDeclaration'),
    exports: body.filter(({ type }) => type === 'ExportNamedDeclaration'),
  };
}

/** @type {(scripts: readonly Script[], isChunk: (fileName: string) => boolean) => Shared[]} What chunks export, and who imports it; the most used first. */
function sharedBy(scripts, isChunk) {
  /** @type {Map<string, Shared>} */
  const shared = new Map();
  for (const script of scripts.filter(({ fileName }) => isChunk(fileName))) {
    const specifiers = script.exports.flatMap((node) => node.specifiers);
    const locals = specifiers.map(({ local }) => local.name);
    const twice = locals.find((name, at) => locals.indexOf(name) !== at);
    if (twice !== undefined) throw new Error(`${script.fileName} exports ${twice} under two names`);
    for (const node of specifiers) {
      shared.set(`${script.fileName} ${node.exported.name}`, { home: { script, local: node.local.name, node }, users: [] });
    }
  }
  for (const script of scripts) {
    for (const { source, specifiers } of script.imports) {
      const from = posix.join(posix.dirname(script.fileName), source.value);
      if (!isChunk(from)) continue;
      for (const node of specifiers) {
        const one = node.type === 'ImportSpecifier' ? shared.get(`${from} ${node.imported.name}`) : undefined;
        if (one === undefined) throw new Error(`${script.fileName} imports from ${from} what is not known there`);
        one.users.push({ script, local: node.local.name, node });
      }
    }
  }
  return [...shared.values()].sort((a, b) => b.users.length - a.users.length);
}

const [FIRST, FURTHER] = [
  'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ',
  'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789',
];
/** Two characters are as short as most names are already. */
const NEW_NAMES = [...FIRST]
  .flatMap((first) => [...FURTHER].map((second) => first + second))
  .filter((name) => !/^(?:do|if|in|of|as)$/.test(name));

/** @type {(use: Use) => boolean} */
const canChange = ({ script, local }) => script.names.get(local)?.bindings === 1;

/** @type {(one: Shared, given: ReadonlySet<string>) => string | undefined} A name that all can take who can take another; `given`: what its chunk exports. */
function nameFor({ home, users }, given) {
  const changing = [home, ...users].filter(canChange);
  const isFree = (/** @type {string} */ name) =>
    !given.has(name) && changing.every(({ script, local }) => local === name || !script.names.has(name));
  const names = canChange(home) ? [home.local, ...users.map(({ local }) => local), ...NEW_NAMES] : [home.local, ...NEW_NAMES];
  return names.find((name) => name.length > 1 && isFree(name));
}

/**
 * @param {ReadonlyMap<string, string>} codes of scripts that are modules, by their path
 * @param {(fileName: string) => boolean} isChunk whether a script is there for others alone, which import it by name and at once
 * @returns {Map<string, string>} the same, with shorter lists
 */
export function withSharedNames(codes, isChunk) {
  const scripts = [...codes].map(([fileName, code]) => read(fileName, code));
  /** @type {Map<Script, { start: number, end: number, text: string }[]>} */
  const edits = new Map(scripts.map((script) => [script, []]));
  /** @type {Map<Node, string>} A name, or two, in place of each entry of the lists. */
  const entries = new Map();
  /** @type {Map<Script, Set<string>>} */
  const exported = new Map(scripts.map((script) => [script, new Set()]));
  for (const one of sharedBy(scripts, isChunk)) {
    const given = exported.get(one.home.script) ?? new Set();
    const name = nameFor(one, given);
    if (name === undefined) throw new Error(`${one.home.script.fileName} exports more than there are names of two characters`);
    given.add(name);
    for (const use of [one.home, ...one.users]) {
      const { script, local, node } = use;
      const inside = canChange(use) ? name : local;
      const isHome = use === one.home;
      entries.set(node, inside === name ? name : isHome ? `${inside} as ${name}` : `${name} as ${inside}`);
      if (inside === local) continue;
      const known = script.names.get(local);
      for (const { start, end, isShort } of known?.places ?? []) {
        edits.get(script)?.push({ start, end, text: isShort ? `${local}:${inside}` : inside });
      }
      script.names.delete(local);
      script.names.set(inside, { places: [], bindings: 1 });
    }
  }
  return new Map(
    scripts.map((script) => {
      const lists = [...script.imports, ...script.exports].flatMap(({ specifiers }) => listEdit(specifiers, entries));
      // What stands within a list is in it.
      const others = (edits.get(script) ?? []).filter(({ start }) => !lists.some((list) => list.start <= start && start < list.end));
      return [script.fileName, edited(script.code, [...lists, ...others])];
    }),
  );
}

/** @type {(specifiers: Node[], entries: ReadonlyMap<Node, string>) => { start: number, end: number, text: string }[]} */
function listEdit(specifiers, entries) {
  const [first, last] = [specifiers[0], specifiers.at(-1)];
  const names = specifiers.map((node) => entries.get(node));
  if (first === undefined || last === undefined || names.includes(undefined)) return [];
  return [{ start: first.start, end: last.end, text: names.sort().join(',') }];
}

/** @type {(code: string, edits: { start: number, end: number, text: string }[]) => string} */
function edited(code, edits) {
  let [text, at] = ['', 0];
  for (const { start, end, text: instead } of edits.sort((a, b) => a.start - b.start)) {
    text += code.slice(at, start) + instead;
    at = end;
  }
  return text + code.slice(at);
}
