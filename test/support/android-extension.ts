/**
 * The released extension as it finds itself on Firefox for Android: without the namespaces that are missing there, with a managed storage of
 * which every call fails, and told that the system is Android. A stand-in, made of the built extension: no Android runs here.
 */
import { cp, mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Runs before any other script of the extension. Native messaging, the privacy API and proxies are gone; managed storage fails with the
 * words Firefox for Android fails with (test_ext_geckoView_nativeMessaging.js: the reason is redacted).
 */
const WITHOUT = `
const refused = async () => { throw new Error('An unexpected error occurred'); };
const replace = (holder, name, value) => Object.defineProperty(holder, name, { value, configurable: true, writable: true });
for (const name of ['privacy', 'proxy', 'browserSettings', 'plumbfoxNetwork']) replace(browser, name, undefined);
for (const name of ['connectNative', 'sendNativeMessage']) replace(browser.runtime, name, undefined);
replace(browser.storage, 'managed', { get: refused, set: refused, remove: refused, clear: refused });
replace(browser.runtime, 'getPlatformInfo', async () => ({ os: 'android', arch: 'aarch64' }));
`;

/** @returns a folder of its own, to be removed by whoever asked for it. */
export async function androidExtension(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'plumbfox-android-'));
  await cp('dist/extension-release', folder, { recursive: true });
  await writeFile(join(folder, 'android.js'), WITHOUT);
  const change = async (file: string, edit: (text: string) => string) => {
    const text = await readFile(join(folder, file), 'utf8');
    const edited = edit(text);
    if (edited === text) throw new Error(`${file} is not as it was thought to be`);
    await writeFile(join(folder, file), edited);
  };
  await change('manifest.json', (text) => {
    const { optional_permissions: _, ...manifest } = JSON.parse(text);
    const scripts = ['android.js', ...manifest.background.scripts];
    return JSON.stringify({ ...manifest, background: { ...manifest.background, scripts } });
  });
  for (const page of ['popup/popup.html', 'controls/controls.html', 'dashboard/dashboard.html']) {
    await change(page, (text) => text.replace(/<script /, '<script src="../android.js"></script><script '));
  }
  return folder;
}
