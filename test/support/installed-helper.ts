/** The built helper where a Firefox with a private HOME looks for it, as `plumbfox helper install` puts it there. */
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { EXTENSION_ID } from '../../src/protocol/extension-id.ts';
import { HELPER_HOST } from '../../src/protocol/helper-messages.ts';

/** `directory`: as `startExtensionFirefox` is given for its profile, whose HOME is `home` in it. */
export async function installHelperIn(directory: string): Promise<void> {
  const manifests = join(directory, 'home/.mozilla/native-messaging-hosts');
  const program = join(directory, 'helper.sh');
  await mkdir(manifests, { recursive: true });
  await writeFile(program, `#!/bin/sh\nexec '${process.execPath}' '${resolve('dist/helper/plumbfox-helper.mjs')}' "$@"\n`);
  await chmod(program, 0o755);
  const manifest = { name: HELPER_HOST, description: 'test', path: program, type: 'stdio', allowed_extensions: [EXTENSION_ID] };
  await writeFile(join(manifests, `${HELPER_HOST}.json`), JSON.stringify(manifest));
}
