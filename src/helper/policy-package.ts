/**
 * The package of the extension as a policy has it installed: a copy beside the policies.json, where everybody may read it and only the owner may
 * write. Its name tells its content, because Firefox installs nothing anew from an address that it has installed from (ESR 140, measured).
 */
import { readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { hashOf } from './checked-file.ts';
import { errorCode } from './file-errors.ts';
import { putBeside } from './policy-record.ts';
import { readChecked } from './replace-file.ts';

/** Digits of SHA-256 in the name: enough to tell one build from any other. Our own choice. */
const DIGITS = 12;
const NAME = new RegExp(`^\\.plumbfox-[0-9a-f]{${DIGITS}}\\.xpi$`);

/** @param path - Of the policies.json. */
export const packagePath = (path: string, content: Uint8Array): string => `${path}.plumbfox-${hashOf(content).slice(0, DIGITS)}.xpi`;

export const putPackage = (path: string, uid: number, content: Buffer): Promise<void> =>
  putBeside(packagePath(path, content), uid, content);

/** Not those that the policies name: somebody may have made our way of installing it their own. */
export async function removeUnnamedPackages(path: string, uid: number): Promise<void> {
  const policies = (await readChecked(path, { owner: uid }))?.content;
  for (const copy of packagesBeside(path)) {
    if (!policies?.includes(pathToFileURL(copy).href)) await putBeside(copy, uid, undefined);
  }
}

function packagesBeside(path: string): readonly string[] {
  const name = basename(path);
  return namesIn(dirname(path))
    .filter((one) => one.startsWith(name) && NAME.test(one.slice(name.length)))
    .map((one) => join(dirname(path), one));
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return [];
    throw error;
  }
}
