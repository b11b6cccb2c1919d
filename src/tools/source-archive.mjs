// @ts-check
// What a reviewer of the extension needs to build its packages again, as one zip whose bytes depend only on the committed files:
// dist/plumbfox-source.zip. Build steps are in CONTRIBUTING.md, "The packages, built again".
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { deterministicZip } from './deterministic-zip.mjs';

/** Reports, recordings and tests build nothing. */
const LEFT_OUT = /^(docs\/results|test)\//;

const names = execFileSync('git', ['ls-tree', '-r', '--name-only', '-z', 'HEAD'], { encoding: 'utf8' })
  .split('\0')
  .filter((name) => name !== '' && !LEFT_OUT.test(name));
const files = new Map(names.map((name) => [name, execFileSync('git', ['cat-file', 'blob', `HEAD:${name}`], { maxBuffer: 64 << 20 })]));
mkdirSync('dist', { recursive: true });
writeFileSync('dist/plumbfox-source.zip', deterministicZip(files));
console.log(`${files.size} files in dist/plumbfox-source.zip`);
