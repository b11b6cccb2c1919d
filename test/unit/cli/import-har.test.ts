import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { importHarCommand, parseImportHarArguments } from '../../../src/cli/import-har.ts';
import { PlumbfoxError } from '../../../src/core/errors.ts';
import { parseRecipe } from '../../../src/lab/pages/page-recipe.ts';

const HAR = fileURLToPath(new URL('../../fixtures/har/chrome.har', import.meta.url));

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'import-har-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** What the command prints. */
async function run(...args: readonly string[]): Promise<{ readonly code: number; readonly out: string; readonly err: string }> {
  const printed = { out: '', err: '' };
  const [out, err] = (['stdout', 'stderr'] as const).map((stream) =>
    vi.spyOn(process[stream], 'write').mockImplementation((text) => {
      printed[stream === 'stdout' ? 'out' : 'err'] += String(text);
      return true;
    }),
  );
  try {
    return { code: await importHarCommand(args), ...printed };
  } finally {
    out?.mockRestore();
    err?.mockRestore();
  }
}

async function refusal(...args: readonly string[]): Promise<string> {
  const error = await run(...args).then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof PlumbfoxError)) throw new Error(`refused by a PlumbfoxError, not ${error}`);
  expect(error.kind).toBe('bad-input');
  expect(error.message).not.toContain('\n');
  return error.message;
}

describe('import-har', () => {
  it('prints the recipe alone, and its remarks elsewhere', async () => {
    const { code, out, err } = await run(HAR, '--name', 'shop-page');
    expect(code).toBe(0);
    expect(parseRecipe(JSON.parse(out)).name).toBe('shop-page');
    expect(err).toContain('chrome.har as page "shop-page": 7 requests, 2 servers');
    expect(err).toContain("moved to the document's server");
  });

  it('writes the recipe where it is told to, once', async () => {
    const path = join(folder, 'recipe.json');
    const { out, err } = await run(HAR, '--out', path);
    expect(out).toContain(`Written: ${path}`);
    expect(err).toBe('');
    expect(parseRecipe(JSON.parse(await readFile(path, 'utf8'))).name).toBe('imported');
    expect(await refusal(HAR, '--out', path)).toContain('is there already');
  });

  it('refuses in one line what it cannot use', async () => {
    const file = async (name: string, text: string) => {
      await writeFile(join(folder, name), text);
      return join(folder, name);
    };
    expect(await refusal()).toBe('Name one file: plumbfox import-har FILE.har');
    expect(await refusal(HAR, HAR)).toContain('Name one file');
    expect(await refusal(join(folder, 'none.har'))).toContain('ENOENT');
    expect(await refusal(await file('no.har', '{"log":'))).toContain('is not valid JSON');
    expect(await refusal(await file('other.har', '{"a": 1}'))).toContain('This is not a HAR');
    expect(await refusal(await file('empty.har', '{"log": {"entries": []}}'))).toContain('no requests');
    expect(await refusal(HAR, '--page', 'elsewhere')).toContain('has no page "elsewhere"');
    expect(await refusal(HAR, '--name', 'a/b')).toContain('--name');
    expect(await refusal(HAR, '--out', '')).toBe('--out needs a value');
    expect(await refusal(HAR, '--out', join(folder, 'none', 'recipe.json'))).toContain(
      'cannot be written: there is no such file or folder (ENOENT)',
    );
    expect(await refusal(HAR, '--size', '3')).toContain('See plumbfox import-har --help');
  });

  it('says how it is used', async () => {
    expect((await run('--help')).out).toContain('plumbfox import-har FILE.har [--out recipe.json] [--name NAME]');
    expect(parseImportHarArguments(['--help']).help).toBe(true);
  });
});
