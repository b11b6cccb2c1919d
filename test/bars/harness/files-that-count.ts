/** Which state of the repository a result is of: by the files that can change it, so that a change of docs throws nothing away. */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { cpus } from 'node:os';

const FOLDERS = ['src', 'test/support', 'test/fixtures'];
const FILES = ['package-lock.json', 'manifest.json', 'vitest.config.ts'];

let ofCode: string | undefined;

/** SHA-256 of code, locked packages, a file of tests and what else is given, shortened. */
export function hashFor(testFile: string, more = ''): string {
  ofCode ??= hashOfFiles([...FOLDERS.flatMap(filesUnder), ...FILES]);
  return createHash('sha256')
    .update(`${ofCode} ${hashOfFiles([testFile])} ${more}`)
    .digest('hex')
    .slice(0, 16);
}

const filesUnder = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true, encoding: 'utf8' })
    .filter((entry) => entry.isFile() && !entry.name.endsWith('.tsbuildinfo'))
    .map((entry) => `${entry.parentPath}/${entry.name}`)
    .toSorted();

function hashOfFiles(files: readonly string[]): string {
  const hash = createHash('sha256');
  for (const file of files) hash.update(`${file}\0`).update(readFileSync(file)).update('\0');
  return hash.digest('hex');
}

export interface Standing {
  readonly commit?: string;
  readonly date: string;
  readonly machine: string;
}

/** Where the repository stands now. Without a commit where it is no clone, as in an archive of its source. */
export function standingNow(): Standing {
  const commit = git('rev-parse', '--short=10', 'HEAD');
  const changed = git('status', '--porcelain', '--', 'src', 'test', ...FILES);
  return {
    ...(commit === undefined ? {} : { commit: changed === '' ? commit : `${commit}+` }),
    date: new Date().toISOString().slice(0, 10),
    machine: `${process.platform} ${process.arch}, ${cpus().length} processors, Node ${process.versions.node}`,
  };
}

function git(...words: readonly string[]): string | undefined {
  const { status, stdout } = spawnSync('git', words, { encoding: 'utf8' });
  return status === 0 ? stdout.trim() : undefined;
}
