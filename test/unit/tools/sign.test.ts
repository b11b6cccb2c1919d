/** What signing answers without keys, and where one build or both are refused. Nothing is built or sent: a stand-in is in the place of web-ext. */
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';

test.each([{}, { WEB_EXT_API_KEY: 'user:1:2' }, { WEB_EXT_API_SECRET: 'secret' }, { WEB_EXT_API_KEY: '', WEB_EXT_API_SECRET: 'secret' }])(
  'with %j as keys nothing is signed',
  (keys) => {
    const { WEB_EXT_API_KEY: _, WEB_EXT_API_SECRET: __, ...env } = process.env;
    const { status, stdout, stderr } = spawnSync(process.execPath, ['src/tools/sign.mjs'], { env: { ...env, ...keys }, encoding: 'utf8' });
    expect({ status, stdout }).toEqual({ status: 3, stdout: '' });
    expect(stderr).toBe(
      'Nothing was signed: set WEB_EXT_API_KEY and WEB_EXT_API_SECRET to your keys from https://addons.mozilla.org/developers/addon/api/key/.\n',
    );
  },
);

test.each([
  { refuses: 'nothing', code: 0, says: '' },
  { refuses: 'extension-release', code: 1, says: 'The release build was not signed' },
  { refuses: 'plumbfox-sign-', code: 4, says: 'The release build is signed, and the lab build is not' },
])('where $refuses is refused the exit code is $code', ({ refuses, code, says }) => {
  const folder = mkdtempSync(join(tmpdir(), 'plumbfox-signing-'));
  try {
    for (const path of ['src/tools', 'dist/extension-lab', 'node_modules/.bin']) mkdirSync(join(folder, path), { recursive: true });
    for (const script of ['build', 'source-archive']) writeFileSync(join(folder, `src/tools/${script}.mjs`), '');
    writeFileSync(join(folder, 'dist/extension-lab/manifest.json'), '{"version":"1.2.3"}');
    const webExt = join(folder, 'node_modules/.bin/web-ext');
    writeFileSync(webExt, `#!/bin/sh\ncase "$*" in *${refuses}*) exit 1;; esac\n`);
    chmodSync(webExt, 0o755);
    const env = { ...process.env, WEB_EXT_API_KEY: 'user:1:2', WEB_EXT_API_SECRET: 'secret' };
    const { status, stderr } = spawnSync(process.execPath, [resolve('src/tools/sign.mjs')], { cwd: folder, env, encoding: 'utf8' });
    expect(status).toBe(code);
    if (says === '') expect(stderr).toBe('');
    else expect(stderr).toContain(says);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
