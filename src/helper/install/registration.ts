/**
 * How Firefox knows and starts the native messaging host: the manifest that names it, the two arguments that Firefox passes, and the launcher script
 * (https://developer.mozilla.org/docs/Mozilla/Add-ons/WebExtensions/Native_manifests).
 */
import { basename, isAbsolute } from 'node:path';
import * as v from 'valibot';
import { PlumbfoxError } from '../../core/errors.ts';
import { EXTENSION_ID, HELPER_HOST } from '../../protocol/helper-messages.ts';

/** Firefox looks for the name that the extension asks for, with `.json`. */
export const MANIFEST_NAME = `${HELPER_HOST}.json`;

interface HostManifest {
  readonly name: string;
  readonly description: string;
  /** Path of the program; absolute, as Firefox requires on Linux and macOS. */
  readonly path: string;
  readonly type: 'stdio';
  readonly allowed_extensions: readonly [typeof EXTENSION_ID];
}

/** The manifest of the launcher at an absolute path. */
export const hostManifest = (path: string): HostManifest => ({
  name: HELPER_HOST,
  description: 'Plumbfox: writes network profiles into Firefox and undoes them',
  path,
  type: 'stdio',
  allowed_extensions: [EXTENSION_ID],
});

/** Matches our own manifest only: nothing may be added to its list of extensions. */
export const hostManifestSchema = v.object({
  name: v.literal(HELPER_HOST),
  description: v.string(),
  path: v.pipe(v.string(), v.check(isAbsolute, 'not an absolute path')),
  type: v.literal('stdio'),
  allowed_extensions: v.strictTuple([v.literal(EXTENSION_ID)]),
});

/**
 * Firefox calls a host with the path of its manifest and the id of the extension that asks, and nothing else (seen in 153).
 * @throws PlumbfoxError `bad-input` for any other caller.
 */
export function checkCaller(args: readonly string[]): void {
  const [manifest, extension, ...others] = args;
  const named = manifest !== undefined && isAbsolute(manifest) && basename(manifest) === MANIFEST_NAME;
  if (named && extension === EXTENSION_ID && others.length === 0) return;
  throw new PlumbfoxError(
    'bad-input',
    `Firefox starts this helper app for the Plumbfox extension (${EXTENSION_ID}); to apply profiles yourself, use the command plumbfox`,
  );
}

/** The word in quotes, as a POSIX shell takes it unchanged. */
export const quotedWord = (word: string): string => `'${word.replaceAll("'", `'\\''`)}'`;

/** Usual paths of Node, in case it has moved since: Homebrew's on Apple's processors, /usr/local, the distribution's. */
const ELSEWHERE = ['/opt/homebrew/bin/node', '/usr/local/bin/node', '/usr/bin/node'];

/**
 * The `/bin/sh` script that Firefox starts. A Firefox started from the desktop has another PATH than a terminal, so Node is named by its absolute
 * path. Any character may be in the two paths.
 */
export function launcherScript({ node, program }: { readonly node: string; readonly program: string }): string {
  return `#!/bin/sh
# Made by "plumbfox helper install". Firefox starts it for the Plumbfox extension, and nobody else need.
# Nothing of a developer's settings may get between.
unset NODE_OPTIONS NODE_PATH NODE_REPL_EXTERNAL_MODULE NODE_V8_COVERAGE
for node in ${[node, ...ELSEWHERE].map(quotedWord).join(' ')} "$(command -v node)"; do
  [ -x "$node" ] && exec "$node" ${quotedWord(program)} "$@"
done
echo 'plumbfox-helper: Node is not where it was any more; run "plumbfox helper install" again' >&2
exit 127
`;
}

/** The Node that a launcher names first; `undefined` for a script that is not ours. */
export function nodeOf(script: string): string | undefined {
  const found = /^for node in '((?:[^']|'\\'')*)'/m.exec(script)?.[1];
  return found?.replaceAll(`'\\''`, "'");
}
