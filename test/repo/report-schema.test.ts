import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';

it('assets/report.schema.json is made from the schema as it is now (repair: node src/tools/report-json-schema.mjs)', () => {
  const { status, stderr } = spawnSync(process.execPath, ['src/tools/report-json-schema.mjs', '--check'], { encoding: 'utf8' });
  expect(stderr).toBe('');
  expect(status).toBe(0);
});
