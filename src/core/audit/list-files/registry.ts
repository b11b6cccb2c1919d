/** A registry file of Windows (.reg) with the policies of Firefox below `Software\Policies\Mozilla\Firefox`. */

const SECTION = /^\[(-?)[^\]]*?\\Policies\\Mozilla\\Firefox(?:\\([^\]]*))?\]/i;
const VALUE = /^"((?:[^"\\]|\\.)*)"\s*=\s*(.*)$/;

/** Whether the file begins as regedit writes it. */
export const isRegistryFile = (text: string): boolean => /^(?:\xef\xbb\xbf)?\s*(?:Windows Registry Editor|REGEDIT4)/.test(text);

/** What its keys and values say, as a policies.json would; lists are keys of the values `1`, `2` and so on. */
export function registryPolicies(text: string): Readonly<Record<string, unknown>> {
  const root: Tree = new Map();
  let branch: Tree | undefined;
  // A long value goes on in the next line after a backslash.
  for (const line of text.replaceAll(/\\\r?\n\s*/g, '').split(/\r\n|\n|\r/)) {
    if (line.startsWith('[')) {
      const [, gone, path = ''] = SECTION.exec(line) ?? [];
      branch =
        gone === ''
          ? below(
              root,
              path.split('\\').filter((part) => part !== ''),
            )
          : undefined;
    }
    const [, name, data = ''] = VALUE.exec(line) ?? [];
    const value = dataOf(data.trim());
    if (branch !== undefined && name !== undefined && value !== undefined) branch.set(unescaped(name), value);
  }
  return plain(root) as Readonly<Record<string, unknown>>;
}

type Tree = Map<string, string | number | Tree>;

function below(root: Tree, path: readonly string[]): Tree {
  let tree = root;
  for (const part of path) {
    const next = tree.get(part);
    const child: Tree = next instanceof Map ? next : new Map();
    tree.set(part, child);
    tree = child;
  }
  return tree;
}

function plain(tree: Tree): unknown {
  const entries = [...tree].map(([name, value]): [string, unknown] => [name, value instanceof Map ? plain(value) : value]);
  const isList = entries.length > 0 && entries.every(([name], at) => name === String(at + 1));
  return isList ? entries.map(([, value]) => value) : Object.fromEntries(entries);
}

const unescaped = (text: string): string => text.replaceAll(/\\(["\\])/g, '$1');

/** A number, a text, or a text of several lines in UTF-16 (`hex(7)`). */
function dataOf(data: string): string | number | undefined {
  const number = /^dword:([0-9a-f]{1,8})$/i.exec(data)?.[1];
  if (number !== undefined) return Number.parseInt(number, 16);
  const quoted = /^"((?:[^"\\]|\\.)*)"/.exec(data)?.[1];
  if (quoted !== undefined) return unescaped(quoted);
  const hex = /^hex\([127]\):([0-9a-f,\s]*)$/i.exec(data)?.[1];
  if (hex === undefined) return undefined;
  const bytes = hex.split(',').map((byte) => Number.parseInt(byte, 16) || 0);
  const units = Array.from({ length: Math.floor(bytes.length / 2) }, (_, at) => (bytes[2 * at] ?? 0) | ((bytes[2 * at + 1] ?? 0) << 8));
  return String.fromCharCode(...units)
    .replace(/\0+$/, '')
    .replaceAll('\0', '\n');
}
