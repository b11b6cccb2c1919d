/**
 * How Firefox knows the native messaging host: the file that names it, and the two words by which Firefox calls it
 * (https://developer.mozilla.org/docs/Mozilla/Add-ons/WebExtensions/Native_manifests).
 */
import { basename, isAbsolute } from 'node:path';
import * as v from 'valibot';
import { PlumbfoxError } from '../../core/errors.ts';
import { EXTENSION_ID } from '../../protocol/extension-id.ts';
import { HELPER_HOST } from '../../protocol/helper-messages.ts';

/** Firefox looks for the name that the extension asks for, with `.json`. */
export const MANIFEST_NAME = `${HELPER_HOST}.json`;

export interface HostManifest {
  readonly name: string;
  readonly description: string;
  /** Of the program; absolute, as Firefox asks for on Linux and macOS. */
  readonly path: string;
  readonly type: 'stdio';
  readonly allowed_extensions: readonly [typeof EXTENSION_ID];
}

export const hostManifest = (path: string): HostManifest => ({
  name: HELPER_HOST,
  description: 'Plumbfox: writes network profiles into Firefox and takes them back',
  path,
  type: 'stdio',
  allowed_extensions: [EXTENSION_ID],
});

/** Ours as it was written; with anything added to the list of extensions it is not. */
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
    `This is the helper that Firefox starts for the Plumbfox extension (${EXTENSION_ID}), and nobody else; people use the command plumbfox`,
  );
}
