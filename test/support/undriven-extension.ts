/** The built extension as it finds itself in a Firefox that nobody drives: the welcome tab is for people, and opens in no other. */
import { cp, mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** @returns a folder of its own, to be removed by whoever asked for it. */
export async function undrivenExtension(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'plumbfox-undriven-'));
  await cp('dist/extension-lab', folder, { recursive: true });
  await writeFile(join(folder, 'undriven.js'), "Object.defineProperty(Navigator.prototype, 'webdriver', { get: () => false });\n");
  const path = join(folder, 'manifest.json');
  const manifest = JSON.parse(await readFile(path, 'utf8'));
  manifest.background.scripts.unshift('undriven.js');
  await writeFile(path, JSON.stringify(manifest));
  return folder;
}
