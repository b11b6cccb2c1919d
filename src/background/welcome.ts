/** The tab that says, once, what Plumbfox records and how to begin. */
import { browser } from '../adapters/browser.ts';

/** Never rejects: nothing awaits it. Nobody reads it in a Firefox that a program drives, such as the lab's. */
export async function welcome({ reason }: { readonly reason: string }): Promise<void> {
  if (reason !== 'install' || navigator.webdriver) return;
  await browser.tabs.create({ url: browser.runtime.getURL('welcome/welcome.html') }).catch(() => undefined);
}
