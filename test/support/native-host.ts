/** Puts a native messaging host in place for a Firefox of the tests: in its private HOME, where Firefox looks for hosts of a user. */
import { chmod, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { build } from 'esbuild';
import { EXTENSION_ID, HELPER_HOST, type HelperRequest } from '../../src/protocol/helper-messages.ts';

export interface NativeHost {
  /** Replaces how it behaves (see `stub-helper.ts`); `missing`: there is none; `not-allowed`: for another extension alone. */
  readonly behave: (manner: string) => Promise<void>;
  /** Every message it was sent so far. */
  readonly heard: () => Promise<readonly HelperRequest[]>;
  readonly forgetHeard: () => Promise<void>;
}

/** `directory`: the one that `startExtensionFirefox` is given as its `profile`. */
export async function nativeHost(directory: string): Promise<NativeHost> {
  const folder = join(directory, 'host');
  const manifests = join(directory, 'home/.mozilla/native-messaging-hosts');
  await mkdir(folder, { recursive: true });
  await mkdir(manifests, { recursive: true });
  const bundle = join(folder, 'stub-helper.mjs');
  await build({ entryPoints: [resolve('test/support/stub-helper.ts')], outfile: bundle, bundle: true, platform: 'node', format: 'esm' });
  const program = join(folder, 'host.sh');
  const manifest = join(manifests, `${HELPER_HOST}.json`);
  const log = join(folder, 'heard.jsonl');
  return {
    behave: async (manner) => {
      await rm(manifest, { force: true });
      if (manner === 'missing') return;
      await writeFile(program, `#!/bin/sh\nexec '${process.execPath}' '${bundle}' '${manner}' '${folder}' "$@"\n`);
      await chmod(program, 0o755);
      const allowed = manner === 'not-allowed' ? 'other@example.org' : EXTENSION_ID;
      const path = manner === 'no-program' ? join(folder, 'nothing.sh') : program;
      const text = { name: HELPER_HOST, description: 'test', path, type: 'stdio', allowed_extensions: [allowed] };
      await writeFile(manifest, JSON.stringify(text));
    },
    heard: async () => {
      const lines = await readFile(log, 'utf8').catch(() => '');
      return lines
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line) as HelperRequest);
    },
    forgetHeard: () => rm(log, { force: true }),
  };
}
