/** Signing without keys: one line that says what is missing, and its exit code. Nothing is built or sent. */
import { spawnSync } from 'node:child_process';
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
