/**
 * The welcome tab in the first moments after an installation. Firefox restarts an extension when the person allows private windows, and may do so at
 * any moment: before the tab is made; while its page loads, which then stays blank or is an error page; or afterwards, when it closes the tab
 * (`page-shutdown` in ext-browser.js). What is intended is therefore kept in `storage.local` before it is done, and each start completes it.
 */
import * as v from 'valibot';
import { browser, platformHere } from './browser.ts';

const KEY = 'welcomeTab';
const WELCOME_PATH = '/welcome/welcome.html';
/**
 * Firefox ends an event page that has nothing to do after 30 s. Within a shorter time the background starts again only because the extension was
 * restarted: somebody who closes the tab and goes on browsing does not get it again.
 */
const FRESH_MS = 25_000;

const intentSchema = v.object({
  since: v.number(),
  /** The tab in front, as opener of this one: by it a tab is known whose number a restart kept from being stored. Not on Android. */
  openerTabId: v.optional(v.number()),
  tabId: v.optional(v.number()),
  /** Whether a tab was to be made before. It may have been closed by Firefox or the person, which cannot be known: it is made once more at most. */
  isSecond: v.boolean(),
});

type Intent = v.InferOutput<typeof intentSchema>;

type Tab = Awaited<ReturnType<typeof browser.tabs.query>>[number];

/** What Firefox announces an installation or an update with. */
export interface Installed {
  readonly reason: string;
  readonly previousVersion?: string | undefined;
}

/** Whether Firefox announces an installation. A temporary extension that was restarted before anything was stored is an update of itself to it. */
export const isInstallation = ({ reason, previousVersion }: Installed): boolean =>
  reason === 'install' || (reason === 'update' && previousVersion === browser.runtime.getManifest().version);

/** Opens the tab in front, once for each installation: what is stored stays, and says that it was. */
export async function welcomeInstallation(): Promise<void> {
  if ((await readIntent()) === undefined) await open({ since: Date.now(), isSecond: false });
}

/** Completes what a restart of the extension has interrupted. Call at each start of the background, before `welcomeInstallation`. */
export async function resumeWelcomeTab(): Promise<void> {
  const stored = v.safeParse(intentSchema, await readIntent());
  if (!stored.success || Math.abs(Date.now() - stored.output.since) > FRESH_MS) return;
  if (browser.extension.getViews({ type: 'tab' }).some(({ location }) => location.pathname === WELCOME_PATH)) return;
  const { since, tabId, openerTabId, isSecond } = stored.output;
  const isOpened = (tab: Tab) => openerTabId !== undefined && tab.openerTabId === openerTabId && isBlank(tab);
  const tab = (await browser.tabs.query({})).find((one) => (tabId === undefined ? isOpened(one) : one.id === tabId));
  if (tab?.id === undefined) return isSecond ? undefined : open({ since, isSecond: true });
  if (isBlank(tab)) await browser.tabs.update(tab.id, { url: welcomeUrl() });
}

async function open(intent: Pick<Intent, 'since' | 'isSecond'>): Promise<void> {
  const isAndroid = (await platformHere()) === 'android';
  const [inFront] = isAndroid ? [] : await browser.tabs.query({ active: true, lastFocusedWindow: true, windowType: 'normal' });
  const opener = inFront?.id !== undefined && { openerTabId: inFront.id };
  const keep = (more: Pick<Intent, 'tabId'>) => browser.storage.local.set({ [KEY]: { ...intent, ...opener, ...more } satisfies Intent });
  await keep({});
  // Firefox wants both in one window.
  const { id } = await browser.tabs.create({ url: welcomeUrl(), ...(opener && { windowId: inFront?.windowId, ...opener }) });
  if (id !== undefined) await keep({ tabId: id });
}

const readIntent = async (): Promise<unknown> => (await browser.storage.local.get(KEY))[KEY];

const welcomeUrl = () => browser.runtime.getURL(WELCOME_PATH);

/** Firefox names the address of a website, and of this page, for which an error page may stand where none of these pages lives; about:blank has none. */
const isBlank = ({ url }: Tab): boolean => url === undefined || url === welcomeUrl();
