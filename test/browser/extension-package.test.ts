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

  test('let their pages ask for nothing but their own parts and the probe on this machine', async () => {
    const firefox = await startExtensionFirefox({ archive: 'dist/plumbfox-release.xpi' });
    for (const name of ['popup', 'controls', 'dashboard', 'welcome']) {
      const page = await openExtensionPage(firefox.browser, POPUP_URL.replace('popup/popup.html', `${name}/${name}.html`));
      const stopped = await page.evaluate(async () => {
        const seen: string[] = [];
        document.addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI }) =>
          seen.push(blockedURI.includes('127.0.0.1') ? 'the probe' : effectiveDirective),
        );
        const asked = (url: string) => fetch(url).catch(() => undefined);
        await Promise.all([asked('http://192.0.2.1/'), asked('http://127.0.0.1:9/')]);
        const image = new Image();
        const failed = new Promise((done) => image.addEventListener('error', done));
        image.src = 'http://192.0.2.1/x.png';
        await failed;
        document.body.insertAdjacentHTML('beforeend', '<form action="http://192.0.2.1/"></form><p style="color: red"></p>');
        try {
          document.forms[document.forms.length - 1]?.submit();
        } catch {
          // Firefox throws where the policy stops it.
        }
        await new Promise((done) => setTimeout(done, 200));
        return [...new Set(seen)].sort();
      });
      expect.soft(stopped, name).toEqual(['connect-src', 'form-action', 'img-src', 'style-src-attr']);
      // Charts are pictures of their own, with their own styles.
      const drawn = await page.evaluate(async () => {
        const svg =
          '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><style>rect{fill:#00ff00}</style><rect width="9" height="9"/></svg>';
        const image = new Image();
        image.src = URL.createObjectURL(new Blob([svg], { type: 'image/svg+xml' }));
        await image.decode();
        const canvas = document.createElement('canvas').getContext('2d');
        canvas?.drawImage(image, 0, 0);
        return [...(canvas?.getImageData(4, 4, 1, 1).data ?? [])];
      });
      expect.soft(drawn, name).toEqual([0, 255, 0, 255]);
      await page.close();
    }
    await firefox.stop();
  });

  test('lab: nothing but that it has an Experiment, which a permission for Mozilla’s own pages alone would mend', async () => {
    const lint = promisify(execFile)('node_modules/.bin/web-ext', ['lint', '--source-dir', 'dist/extension-lab', '--output', 'json']);
    const { errors, warnings, notices } = JSON.parse((await lint.catch((failed: { stdout: string }) => failed)).stdout);
    expect([...errors, ...warnings, ...notices].map(({ code }) => code)).toEqual(['MANIFEST_FIELD_PRIVILEGED']);
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
