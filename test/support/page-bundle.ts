/** Code of the extension as one script for a page, so that a browser test can call what it names; its packages are for Firefox 140 as well. */
import { type BuildOptions, build } from 'esbuild';

/** @param before - Runs before it, as where the code expects the extension's own globals. */
export async function pageBundle(source: { readonly contents: string } | { readonly file: string }, before = ''): Promise<string> {
  const entry: BuildOptions =
    'file' in source ? { entryPoints: [source.file] } : { stdin: { contents: source.contents, resolveDir: process.cwd() } };
  const { outputFiles } = await build({
    ...entry,
    bundle: true,
    write: false,
    format: 'iife',
    target: 'firefox140',
    banner: { js: before },
  });
  return outputFiles?.[0]?.text ?? '';
}
