/** The built helper where a Firefox with a private HOME looks for it, as `plumbfox helper install` puts it there. */
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { expect } from 'vitest';
import { EXTENSION_ID, HELPER_HOST } from '../../src/protocol/helper-messages.ts';
import type { HelperFacts } from '../../src/protocol/helper-state.ts';
import type { ExtensionFirefox } from './extension-firefox.ts';

type ReadyHelper = Extract<HelperFacts, { state: 'ready' }>;

/** What the popup is told. On a machine at its limit the helper may be too slow for an answer, and is asked again. */
export async function helperReady(firefox: ExtensionFirefox): Promise<ReadyHelper> {
  let facts: HelperFacts | undefined;
  await expect
    .poll(
      async () => {
        facts = await firefox.ask({ kind: 'helper-state' });
        return facts;
      },
      { timeout: 30_000 },
    )
    .toMatchObject({ state: 'ready' });
  return facts as ReadyHelper;
}

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
