/**
 * Runs a function in Firefox's parent process, with its full rights. Needs `--remote-allow-system-access`; only for a
 * browser of the lab's own.
 */
import type { Browser } from 'puppeteer-core';
import * as v from 'valibot';
import { agreed, type BidiConnection, bidiConnection, type EvaluateInParent, evaluateText } from './bidi-connection.ts';
import { parentExtension } from './parent-extension.ts';

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

/** Firefox 140 passes `moz:scope` over and lists the tabs; where it is known, every context says its own. */
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
