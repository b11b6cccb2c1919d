/** What the compiler lets through, the linter refuses: its own configuration, applied to files that reach over a wall. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { jsonOf, ROOT } from './support/source-tree.ts';

const IMPORTS = 'lint/style/noRestrictedImports';
const GLOBALS = 'lint/style/noRestrictedGlobals';

const imports = (from: string): string => `import { thing } from '${from}';\n\nexport const value = thing;\n`;
const uses = (expression: string): string => `export const value: unknown = ${expression};\n`;

/** Path to content, and the rule that refuses it (`undefined`: none does). */
const CASES: readonly { path: string; code: string; rule: string | undefined }[] = [
  { path: 'src/core/measure/plain.ts', code: imports('../units.ts'), rule: undefined },
  { path: 'src/core/measure/neighbour.ts', code: imports('./link.ts'), rule: undefined },
  { path: 'src/core/measure/protocol.ts', code: imports('../../protocol/messages.ts'), rule: IMPORTS },
  { path: 'src/core/schemas.ts', code: imports('valibot'), rule: undefined },
  { path: 'src/core/package.ts', code: imports('puppeteer-core'), rule: IMPORTS },
  { path: 'src/core/node.ts', code: imports('node:fs'), rule: IMPORTS },
  { path: 'src/core/lab.ts', code: imports('../lab/process/rpc.ts'), rule: IMPORTS },
  { path: 'src/core/clock.ts', code: uses('Date.now()'), rule: GLOBALS },
  { path: 'src/core/date.ts', code: uses('new Date()'), rule: GLOBALS },
  { path: 'src/core/locale.ts', code: uses("new Intl.NumberFormat('de')"), rule: GLOBALS },
  { path: 'src/core/global.ts', code: uses('globalThis'), rule: GLOBALS },
  { path: 'src/protocol/plain.ts', code: imports('../core/units.ts'), rule: undefined },
  { path: 'src/protocol/adapters.ts', code: imports('../adapters/browser.ts'), rule: IMPORTS },
  { path: 'src/adapters/background.ts', code: imports('../background/recorder.ts'), rule: IMPORTS },
  { path: 'src/adapters/date.ts', code: uses('Date.now()'), rule: undefined },
  ...['gateway', 'helper', 'lab', 'cli'].flatMap((folder) =>
    ['background', 'content', 'popup', 'controls', 'dashboard', 'welcome', 'views'].map((context) => ({
      path: `src/${folder}/${context}.ts`,
      code: imports(`../${context}/start-up.ts`),
      rule: IMPORTS,
    })),
  ),
  { path: 'src/cli/plain.ts', code: imports('../lab/process/rpc.ts'), rule: undefined },
  { path: 'src/popup/background.ts', code: imports('../background/recorder.ts'), rule: IMPORTS },
  { path: 'src/popup/dashboard.ts', code: imports('../dashboard/dashboard.ts'), rule: IMPORTS },
  { path: 'src/popup/controls.ts', code: imports('../controls/apply.ts'), rule: IMPORTS },
  { path: 'src/controls/popup.ts', code: imports('../popup/card-view.ts'), rule: IMPORTS },
  { path: 'src/popup/views.ts', code: imports('../views/page.ts'), rule: undefined },
  { path: 'src/dashboard/popup.ts', code: imports('../popup/figures.ts'), rule: IMPORTS },
  { path: 'src/welcome/dashboard.ts', code: imports('../dashboard/dashboard.ts'), rule: IMPORTS },
  { path: 'src/dashboard/views.ts', code: imports('../views/page.ts'), rule: undefined },
  { path: 'src/views/popup.ts', code: imports('../popup/figures.ts'), rule: IMPORTS },
  { path: 'src/background/helper.ts', code: imports('../helper/profile/changes.ts'), rule: IMPORTS },
  { path: 'src/background/views.ts', code: imports('../views/page.ts'), rule: IMPORTS },
  { path: 'src/background/popup.ts', code: imports('../popup/figures.ts'), rule: IMPORTS },
  { path: 'src/content/background.ts', code: imports('../background/recorder.ts'), rule: IMPORTS },
];

const directory = mkdtempSync(join(tmpdir(), 'plumbfox-lint-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

function write(path: string, text: string): void {
  const target = join(directory, path);
  mkdirSync(dirname(target), { recursive: true });
  writeFileSync(target, text);
}

write('biome.json', JSON.stringify({ ...(jsonOf('biome.json') as object), vcs: { enabled: false } }));
for (const { path, code } of CASES) write(path, code);
const { stdout } = spawnSync(
  join(ROOT, 'node_modules/.bin/biome'),
  ['lint', '--reporter=json', '--max-diagnostics=none', '--config-path', directory, directory],
  { encoding: 'utf8' },
);
const { diagnostics } = JSON.parse(stdout) as {
  diagnostics: readonly { category: string; severity: string; location: { path: string } }[];
};

it.each(CASES)('$path: $rule', ({ path, rule }) => {
  const errors = diagnostics.filter(({ severity, location }) => severity === 'error' && location.path.endsWith(path));
  expect(errors.map(({ category }) => category)).toEqual(rule === undefined ? [] : [rule]);
});
