/** What the build left in dist/. Repository tests run after a build: `npm run check` and `npm test` see to it. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './source-tree.ts';

/** @throws when it was not built. */
export function builtFile(path: string): string {
  const file = join(ROOT, 'dist', path);
  if (!existsSync(file)) throw new Error(`dist/${path} is not there: npm run build`);
  return file;
}

export const builtBytes = (path: string): Buffer => readFileSync(builtFile(path));
export const builtText = (path: string): string => readFileSync(builtFile(path), 'utf8');
