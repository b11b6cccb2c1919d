/**
 * The extension in a running Firefox: installs it, opens its popup as a page, and sends it the messages of
 * src/protocol/messages.ts from there. The lab reads what the extension's own recorder stored.
 */
import { randomUUID } from 'node:crypto';
import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'puppeteer-core';
import * as v from 'valibot';
import { PlumbfoxError, PreferenceRefused } from '../../core/errors.ts';
import { EXTENSION_ID } from '../../protocol/helper-messages.ts';
import { type Request, type RequestKind, type Responses, replySchema } from '../../protocol/messages.ts';
import { projectRoot } from '../process/own-process.ts';
import type { RunningFirefox } from './launch-firefox.ts';

export interface ExtensionSession {
  readonly page: Page;
  request<K extends RequestKind>(request: Extract<Request, { kind: K }>): Promise<Responses[K]>;
  /** Settles once the extension has stored the load that is looked for. @throws PlumbfoxError `run-void` when it does not in time. */
  nextLoad(wanted: WantedLoad): Promise<Responses['loads-after'][number]>;
  /** Wall clock as the browser's records have it, ms since the epoch. */
  clockMs(): Promise<number>;
}

interface WantedLoad {
  /** Looked for among the records stored after the one of this id; among all, without it. */
  readonly after: string | undefined;
  /** Tells it from records of others; the first that passes is taken. */
  readonly isIt: (load: Responses['loads-after'][number]) => boolean;
  readonly timeoutMs: number;
}

/** The extension's address is random; this fixes it, so that its pages can be opened. */
export function extensionAddress(): { readonly uuid: string; readonly preferences: Readonly<Record<string, string>> } {
  const uuid = randomUUID();
  return { uuid, preferences: { 'extensions.webextensions.uuids': JSON.stringify({ [EXTENSION_ID]: uuid }) } };
}

const OPEN_TIMEOUT_MS = 30_000;

interface OpenOptions {
  readonly uuid: string;
  /** Tried in this order: a Firefox that refuses Experiments refuses the lab build with them. */
  readonly variants: readonly ExtensionVariant[];
}

/** `lab` carries the Experiment that sets preferences; `release` is what a store would take. */
export type ExtensionVariant = 'lab' | 'release';

/** @throws PlumbfoxError `environment` where Firefox takes none of the variants. */
export async function openExtension(firefox: RunningFirefox, options: OpenOptions): Promise<ExtensionSession> {
  await installExtension(firefox, options.variants);
  return openSession(firefox, options);
}

/** The extension must be installed. Its page stays open, in its own tab. */
export async function openSession(firefox: RunningFirefox, options: Pick<OpenOptions, 'uuid'>): Promise<ExtensionSession> {
  const page = await firefox.browser.newPage();
  await openPage(page, `moz-extension://${options.uuid}/popup/popup.html`);
  const ask = async <T>(request: object, waitMs?: number): Promise<T> =>
    answer<T>(await page.evaluate(sendFromPage, JSON.stringify(request), waitMs ?? 0));
  return {
    page,
    request: (request) => ask(request),
    nextLoad: async ({ after, isIt, timeoutMs }) => {
      const deadline = performance.now() + timeoutMs;
      let seen = after;
      for (;;) {
        const remainingMs = Math.max(1, deadline - performance.now());
        const loads = await ask<Responses['loads-after']>(
          { kind: 'loads-after', ...(seen === undefined ? {} : { id: seen }) },
          remainingMs,
        );
        const found = loads.find(isIt);
        if (found) return found;
        // An answer without any load means that the time is up.
        if (loads.length === 0 || performance.now() >= deadline)
          throw new PlumbfoxError('run-void', `The extension stored no load within ${timeoutMs / 1000} s`);
        seen = loads.at(-1)?.id;
      }
    },
    clockMs: async () => v.parse(v.number(), await page.evaluate(BROWSER_CLOCK)),
  };
}

/**
 * The earlier of the two: a record's times are the clock at its process's start and what a steady clock has counted since, which stands
 * still while the machine sleeps.
 */
const BROWSER_CLOCK = 'Math.min(Date.now(), performance.timeOrigin + performance.now())';

/** Installs the first of the builds that this Firefox takes. */
export async function installExtension(firefox: RunningFirefox, [variant, ...others]: readonly ExtensionVariant[]): Promise<void> {
  if (variant === undefined) throw new PlumbfoxError('internal', 'No build of the extension is named');
  // A copy: Firefox reads the package again whenever its event page wakes, and a build may replace it in between.
  const copy = join(firefox.home, `plumbfox-${variant}.xpi`);
  await copyFile(join(projectRoot(), 'dist', `plumbfox-${variant}.xpi`), copy);
  try {
    await firefox.browser.installExtension(copy);
  } catch (error) {
    if (others.length === 0) throw new PlumbfoxError('environment', `Firefox refuses the extension: ${firstLine(error)}`, { cause: error });
    await installExtension(firefox, others);
  }
}

const firstLine = (error: unknown): string => (error instanceof Error ? error.message : String(error)).split('\n')[0] ?? '';

/** The navigation promise of an extension page never settles under BiDi (Firefox 153), so its address is polled. */
async function openPage(page: Page, url: string): Promise<void> {
  page.goto(url, { timeout: 0 }).catch(() => {});
  const deadline = performance.now() + OPEN_TIMEOUT_MS;
  while (performance.now() < deadline) {
    const ready = await page.evaluate('location.href + " " + document.readyState').catch(() => '');
    if (ready === `${url} complete`) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new PlumbfoxError('environment', `The extension's page did not open in ${OPEN_TIMEOUT_MS / 1000} s`);
}

/** The value comes from a build of this project, and is parsed where it leaves the lane's worker (lane-protocol.ts). */
function answer<T>(reply: unknown): T {
  const result = v.safeParse(replySchema, reply);
  if (!result.success) throw new PlumbfoxError('internal', 'The extension gave no usable answer');
  if (result.output.ok) return result.output.value as T;
  const { kind, message, preference, reason } = result.output.error;
  if (preference === undefined || reason === undefined) throw new PlumbfoxError(kind, message);
  // The message names the preference already, and so does the error that is made here.
  const prefix = `${preference}: `;
  throw new PreferenceRefused(preference, reason, message.startsWith(prefix) ? message.slice(prefix.length) : message);
}

/**
 * Runs inside the extension's page. With a wait, asks again whenever the extension says that it stored something, until the
 * answer is not empty or the time is up.
 */
/* v8 ignore next */
async function sendFromPage(text: string, waitMs: number): Promise<unknown> {
  interface Extension {
    runtime: { sendMessage(message: unknown): Promise<unknown> };
    storage: { onChanged: { addListener(listener: () => void): void; removeListener(listener: () => void): void } };
  }
  const extension: Extension = Reflect.get(globalThis, 'browser');
  const send = () => extension.runtime.sendMessage(JSON.parse(text)) as Promise<{ ok: boolean; value?: unknown }>;
  const done = (reply: { ok: boolean; value?: unknown }) => !reply.ok || !Array.isArray(reply.value) || reply.value.length > 0;
  if (waitMs === 0) return send();
  return new Promise((resolve, reject) => {
    const finish = (reply: unknown) => {
      clearTimeout(timer);
      extension.storage.onChanged.removeListener(look);
      resolve(reply);
    };
    const look = () => {
      send().then((reply) => done(reply) && finish(reply), reject);
    };
    const timer = setTimeout(() => send().then(finish, reject), waitMs);
    extension.storage.onChanged.addListener(look);
    look();
  });
}
