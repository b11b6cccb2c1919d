/** The built extension as it finds itself in a Firefox that nobody drives: the welcome tab is for people, and opens in no other. */
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
// @ts-expect-error A build script, checked by its own comments.
import { deterministicZip } from '../../src/tools/deterministic-zip.mjs';

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

/** Writes it as a package that a person could install. */
export async function packUndrivenExtension(archive: string): Promise<void> {
  const folder = await undrivenExtension();
  try {
    const entries = await readdir(folder, { recursive: true, withFileTypes: true });
    const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
    const files = await Promise.all(paths.map(async (path) => [path.slice(folder.length + 1), await readFile(path)] as const));
    await writeFile(archive, deterministicZip(new Map(files)));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
