/** The two packages: small, equal when built again, clean for the linter, and the released one without anything privileged. */

import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { CATALOGUE } from '../../src/core/profiles/catalogue.ts';
// @ts-expect-error A build script, checked by its own comments.
import { buildExtension } from '../../src/tools/build-extension.mjs';
import { countBar } from '../support/bar-count.ts';
import { openExtensionPage, POPUP_URL, startExtensionFirefox } from '../support/extension-firefox.ts';

const read = (path: string) => readFile(path, 'utf8');

describe('packages', () => {
  test('are the same bytes when built again, and at most 450 kB', async () => {
    await buildExtension();
    const first = await Promise.all(['release', 'lab'].map((variant) => readFile(`dist/plumbfox-${variant}.xpi`)));
    await buildExtension();
    const second = await Promise.all(['release', 'lab'].map((variant) => readFile(`dist/plumbfox-${variant}.xpi`)));
    for (const [at, xpi] of first.entries()) {
      expect(second[at]?.equals(xpi)).toBe(true);
      expect(xpi.length).toBeLessThanOrEqual(450_000);
    }
  });

  test('are archives that Firefox reads', async () => {
    const firefox = await startExtensionFirefox({ archive: 'dist/plumbfox-lab.xpi' });
    expect(await firefox.ask({ kind: 'browser-facts' })).toMatchObject({ experimentApi: true });
    for (const name of ['popup', 'controls', 'dashboard', 'welcome']) {
      const page = await openExtensionPage(firefox.browser, POPUP_URL.replace('popup/popup.html', `${name}/${name}.html`));
      // What scripts call is what webextension-polyfill returned: Firefox's own object, not wrapped.
      const isOwn = await page.evaluate("import('/views/first-browser.js').then((shared) => Object.values(shared).includes(browser))");
      expect.soft(isOwn, name).toBe(true);
      await page.close();
    }
    await firefox.stop();
  });

  test('release: 0 errors, 0 warnings, 0 notices', async () => {
    const { stdout } = await promisify(execFile)('node_modules/.bin/web-ext', [
      'lint',
      '--source-dir',
      'dist/extension-release',
      '--output',
      'json',
    ]);
    const { errors, warnings, notices } = JSON.parse(stdout).summary;
    countBar(29, 'packages of which the linter says nothing', errors + warnings + notices === 0 ? 1 : 0, 1);
  });

  test('release has no Experiment and asks for nothing that only the lab needs', async () => {
    const manifest = JSON.parse(await read('dist/extension-release/manifest.json'));
    expect(manifest).not.toHaveProperty('experiment_apis');
    expect(manifest.permissions).toEqual(['webRequest', 'storage', 'unlimitedStorage', 'alarms']);
    const named = { default_locale: 'en', description: '__MSG_manifest_description__' };
    const { commands, ...source } = JSON.parse(await read('manifest.json'));
    expect(manifest).toEqual({ ...source, ...named, ...(commands && { commands: expect.anything() }) });
  });

  test('lab may set what is in the catalogue and in a route, and nothing else', async () => {
    const api = await read('dist/extension-lab/experiment-api/network-preferences/api.js');
    const settable = CATALOGUE.filter(({ class: knobClass }) => knobClass !== 'never').map(({ preference }) => preference);
    const list = JSON.parse(/\bALLOWED=(\{(?:"[^"]+":\{[^{}]*\},?)+\})/.exec(api)?.[1] ?? 'null') as Record<string, unknown>;
    expect(Object.keys(list)).toEqual(expect.arrayContaining(settable));
    expect(
      Object.keys(list)
        .filter((name) => !settable.includes(name))
        .every((name) => name.startsWith('network.proxy.')),
    ).toBe(true);
  });
});
