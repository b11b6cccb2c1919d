// @ts-check
// Has both builds of the extension signed by addons.mozilla.org, unlisted, with the maintainer's own keys: dist/signed/. Exit codes: 0, both are signed;
// 1, the release build was refused; 3, the keys are missing; 4, the release build is signed, and the lab build was refused.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';

if (!process.env.WEB_EXT_API_KEY || !process.env.WEB_EXT_API_SECRET) {
  console.error(
    'Nothing was signed: set WEB_EXT_API_KEY and WEB_EXT_API_SECRET to your keys from https://addons.mozilla.org/developers/addon/api/key/.',
  );
  process.exit(3);
}

/** @type {(program: string, args: readonly string[]) => boolean} Whether it succeeded. web-ext reads the keys from the environment. */
const succeeds = (program, args) => spawnSync(program, args, { stdio: 'inherit' }).status === 0;

/** @type {(sourceDir: string) => boolean} The reviewers' archive goes with it, because the scripts are minified. */
const isSigned = (sourceDir) =>
  succeeds('node_modules/.bin/web-ext', [
    'sign',
    '--channel=unlisted',
    `--source-dir=${sourceDir}`,
    '--artifacts-dir=dist/signed',
    '--upload-source-code=dist/plumbfox-source.zip',
  ]);

for (const script of ['src/tools/build.mjs', 'src/tools/source-archive.mjs']) {
  if (!succeeds(process.execPath, [script])) process.exit(1);
}
if (!isSigned('dist/extension-release')) {
  console.error('The release build was not signed; see above.');
  process.exit(1);
}

// A version of an extension is signed once, and both builds are one extension.
const lab = mkdtempSync(join(tmpdir(), 'plumbfox-sign-'));
try {
  cpSync('dist/extension-lab', lab, { recursive: true });
  const path = join(lab, 'manifest.json');
  const manifest = JSON.parse(readFileSync(path, 'utf8'));
  writeFileSync(path, JSON.stringify({ ...manifest, version: `${manifest.version}.1` }));
  if (!isSigned(lab)) {
    console.error(
      'The release build is signed, and the lab build is not: it holds an Experiment API. ESR, Developer Edition and Nightly take it unsigned, and release Firefox runs no Experiment but Mozilla’s own.',
    );
    process.exitCode = 4;
  }
} finally {
  rmSync(lab, { recursive: true, force: true });
}
