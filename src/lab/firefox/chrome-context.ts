/**
 * Runs a function in Firefox's parent process, with its full rights: through Firefox's own window, or where that cannot be reached (ESR 140)
 * through an extension with an Experiment. Needs `--remote-allow-system-access`; only for a browser of the lab's own.
 */

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'puppeteer-core';
import * as v from 'valibot';
import { PlumbfoxError } from '../../core/errors.ts';

export interface ChromeContext {
  /** `body` is the source of a function of one argument, `async` or not; its answer, which no schema has seen, is for tests and for what answers nothing. */
  run<T>(body: string, argument: unknown): Promise<T>;
  /** The answer, parsed. @throws PlumbfoxError `internal` when it is not what the schema says. */
  ask<T>(body: string, argument: unknown, answer: v.GenericSchema<unknown, T>): Promise<T>;
}

/** @throws PlumbfoxError `environment` where Firefox offers no way. */
export async function chromeContext(browser: Browser): Promise<ChromeContext> {
  const connection = bidiConnection(browser);
  return contextOver((await chromeWindow(connection)) ?? (await parentExtension(connection)));
}

/** Parses what one way into the parent process answers. */
export const contextOver = (evaluate: EvaluateInParent): ChromeContext => ({
  run: async <T>(body: string, argument: unknown) => (await evaluate(body, argument)) as T,
  ask: async (body, argument, answer) => agreed(answer, await evaluate(body, argument)),
});

/** Firefox 140 passes `moz:scope` over and lists the tabs; where it is known, every context has its own. */
const treeReply = v.object({ contexts: v.array(v.object({ context: v.string(), 'moz:scope': v.optional(v.string()) })) });

/**
 * Reaches the parent process through Firefox's own window, which newer versions list under `moz:scope` chrome (ESR 153).
 * @returns `undefined` where Firefox does not list its window.
 */
export async function chromeWindow(connection: BidiConnection): Promise<EvaluateInParent | undefined> {
  const tree = agreed(treeReply, (await connection.send('browsingContext.getTree', { 'moz:scope': 'chrome' })).result);
  const context = tree.contexts.find((each) => each['moz:scope'] === 'chrome')?.context;
  if (context === undefined) return undefined;
  return async (body, argument) =>
    JSON.parse(
      await evaluateText(connection, context, `(async () => JSON.stringify((await (${body})(${JSON.stringify(argument)})) ?? null))()`),
    );
}

/** WebDriver BiDi below the driver: what it has no method for. */
interface BidiConnection {
  send(method: string, params: object): Promise<{ result: unknown }>;
}

/** @throws PlumbfoxError `internal` where the driver talks another protocol. */
export function bidiConnection(browser: Browser): BidiConnection {
  const connection: BidiConnection | undefined = Reflect.get(browser, 'connection');
  if (!connection) throw new PlumbfoxError('internal', 'The driver has no BiDi connection');
  return connection;
}

/** WebDriver BiDi, `script.EvaluateResult`, of an expression whose value is text. */
const evaluateReply = v.variant('type', [
  v.object({ type: v.literal('success'), result: v.object({ value: v.string() }) }),
  v.object({ type: v.literal('exception'), exceptionDetails: v.object({ text: v.string() }) }),
]);

/** Settles with the text that `expression` comes to in the document of `context`. @throws PlumbfoxError `internal` with what the script threw. */
async function evaluateText(connection: BidiConnection, context: string, expression: string): Promise<string> {
  const { result } = await connection.send('script.evaluate', { expression, target: { context }, awaitPromise: true });
  const reply = agreed(evaluateReply, result);
  if (reply.type === 'exception') throw new PlumbfoxError('internal', `Firefox refused a chrome script: ${reply.exceptionDetails.text}`);
  return reply.result.value;
}

/** The value, parsed. @throws PlumbfoxError `internal` when it is not what the schema says. */
export function agreed<T>(schema: v.GenericSchema<unknown, T>, value: unknown): T {
  const result = v.safeParse(schema, value);
  if (result.success) return result.output;
  const where = v.getDotPath(result.issues[0]) ?? 'the whole';
  throw new PlumbfoxError('internal', `Firefox answered a chrome script with what was not expected, at ${where}`);
}

/** Settles with what the function answers, `null` for nothing. @throws PlumbfoxError `internal` with what it threw. */
type EvaluateInParent = (body: string, argument: unknown) => Promise<unknown>;

/** Firefox's parent process by way of an extension with an Experiment: where its window cannot be reached (ESR 140). */
const OPEN_TIMEOUT_MS = 30_000;
const EVERY_MS = 20;

const NO_WAY =
  'This Firefox lets its parent process be reached neither over WebDriver BiDi (moz:scope) nor by an Experiment, which is needed here; name an ESR, or a newer one, with PLUMBFOX_FIREFOX';

const tabsReply = v.object({ contexts: v.array(v.object({ context: v.string(), url: v.string() })) });
const runReply = v.union([v.object({ error: v.string() }), v.object({ answer: v.unknown() })]);

/** Its page stays open in a tab that is not shown, and serves whoever asks again. @throws PlumbfoxError `environment` where Firefox takes no Experiments. */
export async function parentExtension(connection: BidiConnection): Promise<EvaluateInParent> {
  const context = (await pageContext(connection)) ?? (await install(connection));
  return async (body, argument) => {
    const text = await evaluateText(connection, context, runFromPage(`(${body})(${JSON.stringify(argument)})`));
    const reply = agreed(runReply, JSON.parse(text));
    if ('error' in reply) throw new PlumbfoxError('internal', `Firefox refused a chrome script: ${reply.error}`);
    return reply.answer;
  };
}

/** @returns the context of its page. The files are read for the last time when the script of the parent process is there. */
async function install(connection: BidiConnection): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'plumbfox-parent-'));
  try {
    for (const [name, text] of Object.entries(PARENT_EXTENSION)) await writeFile(join(folder, name), text);
    await connection.send('webExtension.install', { extensionData: { type: 'path', path: folder } }).catch((cause: unknown) => {
      throw new PlumbfoxError('environment', NO_WAY, { cause });
    });
    const context = await openedPage(connection);
    await evaluateText(connection, context, runFromPage('null'));
    return context;
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

async function openedPage(connection: BidiConnection): Promise<string> {
  const deadline = performance.now() + OPEN_TIMEOUT_MS;
  while (performance.now() < deadline) {
    const context = await pageContext(connection);
    // A tab that is changing its process has no document for a moment.
    const state = context === undefined ? 'loading' : await evaluateText(connection, context, PAGE_STATE).catch(() => 'loading');
    if (state === 'refused') throw new PlumbfoxError('environment', NO_WAY);
    if (context !== undefined && state === 'ready') return context;
    await new Promise((resolve) => setTimeout(resolve, EVERY_MS));
  }
  throw new PlumbfoxError('environment', `The page of the lab's own extension did not open in ${OPEN_TIMEOUT_MS / 1000} s`);
}

async function pageContext(connection: BidiConnection): Promise<string | undefined> {
  const tree = agreed(tabsReply, (await connection.send('browsingContext.getTree', { maxDepth: 0 })).result);
  return tree.contexts.find(({ url }) => url.startsWith('moz-extension:') && url.endsWith(`/${PARENT_PAGE}`))?.context;
}

/** Its tab is found by this name; no other extension of the lab has such a page. */
const PARENT_PAGE = 'plumbfox-parent.html';

const NAMESPACE = 'plumbfoxParent';

const MANIFEST = {
  manifest_version: 2,
  name: 'Plumbfox lab: parent process',
  version: '1',
  browser_specific_settings: { gecko: { id: 'parent-process@lab.plumbfox.invalid' } },
  background: { scripts: ['open-page.js'], persistent: false },
  experiment_apis: {
    [NAMESPACE]: {
      schema: 'schema.json',
      parent: { scopes: ['addon_parent'], paths: [[NAMESPACE]], script: 'api.js' },
    },
  },
};

const SCHEMA = [
  {
    namespace: NAMESPACE,
    functions: [{ name: 'run', type: 'function', async: true, parameters: [{ name: 'script', type: 'string' }] }],
  },
];

/** The page's address is random: a driver learns it from the tab. */
const OPEN_PAGE = `browser.tabs.create({ url: '/${PARENT_PAGE}', active: false });
`;

/**
 * In the parent process. A script sees what the browser's window has, in a sandbox such as Marionette makes (remote/marionette/evaluate.sys.mjs,
 * Firefox 140). Only a general sentence of an exception would reach the page, so it is passed as data.
 */
const API = `this.${NAMESPACE} = class extends ExtensionAPI {
  getAPI() {
    const run = async script => {
      try {
        const sandboxPrototype = Services.wm.getMostRecentWindow('navigator:browser');
        const sandbox = new Cu.Sandbox(Services.scriptSecurityManager.getSystemPrincipal(), { sandboxPrototype, wantXrays: false });
        return JSON.stringify({ answer: (await Cu.evalInSandbox(script, sandbox)) ?? null });
      } catch (error) {
        return JSON.stringify({ error: String(error) });
      }
    };
    return { ${NAMESPACE}: { run } };
  }
};
`;

/**
 * The files, by name, of an extension of the lab's own, which runs any script in Firefox's parent process. It is no part of what Plumbfox is built into: it
 * is written where it is installed, and only into a Firefox that a driver has started with the rights to the whole system.
 */
const PARENT_EXTENSION: Readonly<Record<string, string>> = {
  'manifest.json': JSON.stringify(MANIFEST),
  'schema.json': JSON.stringify(SCHEMA),
  'api.js': API,
  'open-page.js': OPEN_PAGE,
  [PARENT_PAGE]: '<!doctype html><meta charset="utf-8"><title>Plumbfox lab</title>',
};

/** In the page: `loading`, `ready`, or `refused` where Firefox has passed over the Experiment, as it does with what was not installed by a driver. */
const PAGE_STATE = `String(!location.href.endsWith('/${PARENT_PAGE}') || document.readyState !== 'complete' ? 'loading' : browser.${NAMESPACE} ? 'ready' : 'refused')`;

/** In the page: has `script` run, and comes to the JSON text of `{answer}` or `{error}`. */
const runFromPage = (script: string): string => `browser.${NAMESPACE}.run(${JSON.stringify(script)})`;
