import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';

it('each schema in assets is made from the run-time schema as it is now (repair: node src/tools/json-schemas.mjs)', () => {
  const { status, stderr } = spawnSync(process.execPath, ['src/tools/json-schemas.mjs', '--check'], { encoding: 'utf8' });
  expect(stderr).toBe('');
  expect(status).toBe(0);
});
