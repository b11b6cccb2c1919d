/**
 * Firefox's own window, as a person sees and uses it: its keys, the toolbar button and the panel below it, questions, and pictures. Everything goes
 * through Firefox's parent process; a driver reaches only what is in tabs.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Page } from 'puppeteer-core';
import * as v from 'valibot';
import type { ChromeContext } from '../../src/lab/firefox/chrome-context.ts';
import { EXTENSION_ID } from '../../src/protocol/helper-messages.ts';
import type { ExtensionGlobal } from './extension-firefox.ts';

const SIZE = { width: 1280, height: 1000 };
/** For what a busy machine may bring late. */
const LONGEST_MS = 30_000;

const NOT_BY_MISTAKE_MS = 1_000;

const panelSchema = v.object({ width: v.number(), height: v.number() });
/** The part of the toolbar's panel that shows the page, in CSS pixels. */
export type PanelBox = v.InferOutput<typeof panelSchema>;

export type BrowserWindow = ReturnType<typeof browserWindow>;

export function browserWindow(chrome: ChromeContext) {
  /** @throws Error that says what did not come about. */
  async function until<T>(what: string, look: () => Promise<T | undefined | false | null>, withinMs = LONGEST_MS): Promise<T> {
    const deadline = Date.now() + withinMs;
    while (Date.now() < deadline) {
      const found = await look();
      if (found !== undefined && found !== false && found !== null) return found;
      await sleep(100);
    }
    throw new Error(`Not seen in ${withinMs / 1000} s: ${what}`);
  }

  const panelBox = (): Promise<PanelBox | null> => chrome.ask(PANEL_BOX, null, v.nullable(panelSchema));
  const openPanel = (): Promise<PanelBox> => until('the toolbar panel', panelBox);

  return {
    until,
    panelBox,
    resize: async () => {
      await chrome.run('({ width, height }) => { window.resizeTo(width, height); window.focus(); return null; }', SIZE);
    },

    /** PNG of the window with what its tab shows, and the toolbar's panel where it is open. Questions of Firefox are not in it. */
    picture: async (): Promise<Buffer> => Buffer.from(await chrome.ask(PICTURE, null, v.string()), 'base64'),

    /** Presses a key where the focus is, with Control and Shift where they are named. */
    press: async (key: string, ...modifiers: readonly ('Control' | 'Shift')[]): Promise<void> => {
      await chrome.run(PRESS, { key, modifiers });
    },

    /** As the question after the installation offers it. */
    pinButton: async (): Promise<void> => {
      await chrome.run(`id => { CustomizableUI.addWidgetToArea(id, CustomizableUI.AREA_NAVBAR); return null; }`, WIDGET_ID);
    },

    /** Presses the toolbar button, and waits for the panel. */
    pressButton: async (): Promise<PanelBox> => {
      await chrome.run(PRESS_BUTTON, WIDGET_ID);
      return openPanel();
    },

    openPanel,
    closePanel: async (): Promise<void> => {
      await chrome.run(CLOSE_PANEL, null);
      await until('the toolbar panel closed', async () => (await panelBox()) === null);
    },

    /** Opens about:addons and begins the installation of a file, as its menu does after the person has chosen it. */
    installFromFile: async (path: string): Promise<void> => {
      await chrome.run(INSTALL_FROM_FILE, path);
    },

    /** The text of the question that Firefox asks; answered by its main button. */
    agree: async (): Promise<string> => {
      const asked = await until('a question of Firefox', () => chrome.ask(QUESTION, null, v.nullable(v.string())));
      // Its buttons do nothing in the first half second, and longer where they are pressed in it (`security.notification_enable_delay`).
      await until('the answer taken', async () => {
        await sleep(NOT_BY_MISTAKE_MS);
        await chrome.run(AGREE, null);
        return (await chrome.ask(QUESTION, null, v.nullable(v.string()))) !== asked;
      });
      return asked;
    },

    /** Whether the extension is installed for good, and runs. */
    isInstalled: (): Promise<boolean> =>
      chrome.ask(
        `async id => { const { AddonManager } = ChromeUtils.importESModule('resource://gre/modules/AddonManager.sys.mjs'); const addon = await AddonManager.getAddonByID(id); return Boolean(addon?.isActive && !addon.temporarilyInstalled); }`,
        EXTENSION_ID,
        v.boolean(),
      ),

    /** A preference as Firefox holds it, and whether it differs from what it ships. */
    preference: (name: string) =>
      chrome.ask(PREFERENCE, name, v.object({ value: v.nullable(v.union([v.string(), v.number(), v.boolean()])), isSet: v.boolean() })),
  };
}

/** As Firefox names the widget of an extension's button (ext-browserAction.js). */
const WIDGET_ID = `${EXTENSION_ID.replaceAll(/[^a-z0-9_-]/gi, '_')}-browser-action`;

const VIEW = `[...document.querySelectorAll('.webextension-popup-browser')].find(one => one.closest('panel')?.state === 'open' && one.getBoundingClientRect().width > 0)`;

const PANEL_BOX = `() => {
  const view = ${VIEW};
  if (!view) return null;
  const { width, height } = view.getBoundingClientRect();
  return { width, height };
}`;

const PICTURE = `async () => {
  const canvas = document.createElementNS('http://www.w3.org/1999/xhtml', 'canvas');
  canvas.width = innerWidth;
  canvas.height = innerHeight;
  const paper = canvas.getContext('2d');
  const draw = (context, { width, height }) =>
    context.currentWindowGlobal.drawSnapshot(new DOMRect(0, 0, width, height), 1, 'rgb(255, 255, 255)');
  paper.drawImage(await draw(window.browsingContext, { width: innerWidth, height: innerHeight }), 0, 0);
  const view = ${VIEW};
  if (view) {
    const { width, height } = view.getBoundingClientRect();
    const [x, y] = [view.screenX - window.mozInnerScreenX, view.screenY - window.mozInnerScreenY];
    paper.fillStyle = 'rgb(128, 128, 128)';
    paper.fillRect(x - 2, y - 2, width + 4, height + 4);
    paper.drawImage(await draw(view.browsingContext, { width, height }), x, y);
  }
  return canvas.toDataURL('image/png').split(',')[1];
}`;

/** Trusted events at whatever has the focus, in a page or in Firefox's own window: what tests of Firefox use (EventUtils.js). */
const PRESS = `({ key, modifiers }) => {
  const processor = Cc['@mozilla.org/text-input-processor;1'].createInstance(Ci.nsITextInputProcessor);
  if (!processor.beginInputTransactionForTests(window, () => true)) throw new Error('No key can be pressed');
  const codes = { Tab: 9, Shift: 16, Control: 17, Enter: 13, Escape: 27, ' ': 32, ArrowUp: 38, ArrowDown: 40 };
  const event = name => new KeyboardEvent('', {
    key: name,
    code: name === ' ' ? 'Space' : name.length === 1 ? 'Key' + name.toUpperCase() : name === 'Control' || name === 'Shift' ? name + 'Left' : name,
    keyCode: codes[name] ?? (name.length === 1 ? name.toUpperCase().charCodeAt(0) : 0),
  });
  for (const modifier of modifiers) processor.keydown(event(modifier));
  processor.keydown(event(key));
  processor.keyup(event(key));
  for (const modifier of modifiers.toReversed()) processor.keyup(event(modifier));
  return null;
}`;

const PRESS_BUTTON = `id => {
  const { node } = CustomizableUI.getWidget(id).forWindow(window);
  node.querySelector('.unified-extensions-item-action-button').click();
  return null;
}`;

const CLOSE_PANEL = `() => {
  for (const panel of document.querySelectorAll('panel')) if (panel.state === 'open') panel.hidePopup();
  return null;
}`;

const INSTALL_FROM_FILE = `async path => {
  const tab = gBrowser.addTrustedTab('about:addons');
  gBrowser.selectedTab = tab;
  const { FileUtils } = ChromeUtils.importESModule('resource://gre/modules/FileUtils.sys.mjs');
  const { AddonManager } = ChromeUtils.importESModule('resource://gre/modules/AddonManager.sys.mjs');
  const install = await AddonManager.getInstallForFile(new FileUtils.File(path), null, { source: 'about:addons', method: 'install-from-file' });
  AddonManager.installAddonFromAOM(tab.linkedBrowser, Services.io.newURI('about:addons'), install);
  return null;
}`;

const QUESTION = `() => PopupNotifications.panel.state === 'open' ? PopupNotifications.panel.textContent.trim() || PopupNotifications.panel.firstElementChild?.id || 'asked' : null`;

const AGREE = `() => { PopupNotifications.panel.firstElementChild?.button.click(); return null; }`;

const PREFERENCE = `name => {
  const read = { [Services.prefs.PREF_STRING]: 'getStringPref', [Services.prefs.PREF_INT]: 'getIntPref', [Services.prefs.PREF_BOOL]: 'getBoolPref' };
  const how = read[Services.prefs.getPrefType(name)];
  return { value: how === undefined ? null : Services.prefs[how](name), isSet: Services.prefs.prefHasUserValue(name) };
}`;

/** The card as it is in the toolbar's panel. */
export interface SeenCard {
  readonly state: string | undefined;
  readonly text: string;
  readonly main: string;
  readonly focus: string | undefined;
  readonly buttons: readonly string[];
  /** What the page needs and what the panel has, in CSS pixels. */
  readonly needs: { readonly width: number; readonly height: number };
  readonly has: { readonly width: number; readonly height: number };
}

/** All pages of an extension share a process, so one of them sees the panel's. */
function seenCard(): SeenCard | undefined {
  const [view] = (globalThis as unknown as ExtensionGlobal).browser.extension.getViews({ type: 'popup' });
  if (view === undefined || view.document.body === null) return undefined;
  const { document, innerWidth, innerHeight } = view;
  const root = document.documentElement;
  return {
    state: document.getElementById('card')?.dataset.state,
    text: document.body.innerText.replaceAll('\u00a0', ' '),
    main: document.getElementById('main')?.textContent ?? '',
    focus: document.activeElement?.id || undefined,
    buttons: [...document.querySelectorAll('button')].filter((button) => button.checkVisibility()).map(({ id }) => id),
    needs: { width: root.scrollWidth, height: root.scrollHeight },
    has: { width: innerWidth, height: innerHeight },
  };
}

/** @param page - Any page of the extension. @returns `undefined` while the panel is closed. */
export const panelCard = async (page: Page): Promise<SeenCard | undefined> => (await page.evaluate(seenCard)) ?? undefined;
