/** What every way into Firefox's parent process must do, for what the lab's scripts ask of it. */
import { describe, expect, test } from 'vitest';
import type { ChromeContext } from '../../src/lab/firefox/chrome-context.ts';

/** @param open - `undefined` where this Firefox does not have the way. */
export function chromeContextContract(name: string, open: () => Promise<ChromeContext | undefined>): void {
  describe(`a way into the parent process: ${name}`, () => {
    const check = (what: string, body: (chrome: ChromeContext) => Promise<void>) =>
      test(what, async (context) => {
        const chrome = await open();
        if (chrome === undefined) return context.skip('This Firefox does not have it');
        await body(chrome);
      });

    check('a function gets its argument, and its answer comes back', async (chrome) => {
      const argument = { text: 'a "b" \\ \u2028', list: [1, null, true] };
      expect(await chrome.run('x => x', argument)).toEqual(argument);
      expect(await chrome.run('async ({ list }) => (await Promise.resolve(list)).length', argument)).toBe(3);
      expect(await chrome.run('() => {}', null)).toBeNull();
    });

    check('it has the rights of the parent process, and what its window has', async (chrome) => {
      expect(await chrome.run('() => Services.appinfo.processType === Ci.nsIXULRuntime.PROCESS_TYPE_DEFAULT', null)).toBe(true);
      expect(await chrome.run('() => gBrowser.tabs.length', null)).toBeGreaterThan(0);
      // Not the clock of a page, which is coarse.
      expect(await chrome.run('() => performance.now() > 0', null)).toBe(true);
      expect(
        await chrome.run("() => typeof Cc['@mozilla.org/security/x509certdb;1'].getService(Ci.nsIX509CertDB).addCertFromBase64", null),
      ).toBe('function');
    });

    check('it waits for what takes a while', async (chrome) => {
      const body = `async name => {
        const changed = new Promise(resolve => Services.prefs.addObserver(name, { observe(_, __, which) { Services.prefs.removeObserver(name, this); resolve(which); } }));
        ChromeUtils.importESModule('resource://gre/modules/Timer.sys.mjs').setTimeout(() => Services.prefs.setIntPref(name, 1), 10);
        return changed;
      }`;
      expect(await chrome.run(body, 'plumbfox.test.contract')).toBe('plumbfox.test.contract');
      await chrome.run('name => Services.prefs.clearUserPref(name)', 'plumbfox.test.contract');
    });

    check('what is thrown is told, and so is what cannot be read', async (chrome) => {
      await expect(chrome.run("async () => { throw new Error('no such thing'); }", null)).rejects.toThrow(
        'Firefox refused a chrome script: Error: no such thing',
      );
      await expect(chrome.run('() => {{', null)).rejects.toThrow(/refused a chrome script: SyntaxError/);
    });
  });
}
