/**
 * Runs a function in Firefox's parent process, with its full rights. Needs `--remote-allow-system-access`; only for a
 * browser of the lab's own.
 */
import type { Browser } from 'puppeteer-core';
import * as v from 'valibot';
import { PlumbfoxError } from '../../core/errors.ts';

export interface ChromeContext {
  /** `body` is the source of a function of one argument, `async` or not; its answer, which no schema has seen, is for tests and for what answers nothing. */
  run<T>(body: string, argument: unknown): Promise<T>;
  /** The answer, parsed. @throws PlumbfoxError `internal` when it is not what the schema says. */
  ask<T>(body: string, argument: unknown, answer: v.GenericSchema<unknown, T>): Promise<T>;
}

interface BidiConnection {
  send(method: string, params: object): Promise<{ result: unknown }>;
}

/** Firefox 140 passes `moz:scope` over and lists the tabs; where it is known, every context says its own. */
const treeReply = v.object({ contexts: v.array(v.object({ context: v.string(), 'moz:scope': v.optional(v.string()) })) });
/** WebDriver BiDi, `script.EvaluateResult`; a value is JSON text here, by the way it is asked for. */
const evaluateReply = v.variant('type', [
  v.object({ type: v.literal('success'), result: v.object({ value: v.string() }) }),
  v.object({ type: v.literal('exception'), exceptionDetails: v.object({ text: v.string() }) }),
]);

/** ESR 140 is one of these, ESR 153 is not (seen on Debian 13 and 12). */
const NO_CHROME_CONTEXT =
  'This Firefox does not let its parent process be reached (moz:scope of WebDriver BiDi), which servers over TLS need here; name a newer one, such as ESR 153, with PLUMBFOX_FIREFOX';

/** WebDriver BiDi's `script.evaluate` in the browser's own window: Firefox lists it under `moz:scope` chrome. */
export async function chromeContext(browser: Browser): Promise<ChromeContext> {
  const { connection } = browser as unknown as { connection?: BidiConnection };
  if (!connection) throw new PlumbfoxError('internal', 'The driver has no BiDi connection');
  const tree = agreed(treeReply, (await connection.send('browsingContext.getTree', { 'moz:scope': 'chrome' })).result);
  const context = tree.contexts.find((each) => each['moz:scope'] === 'chrome')?.context;
  if (!context) throw new PlumbfoxError('environment', NO_CHROME_CONTEXT);
  const evaluate = async (body: string, argument: unknown): Promise<unknown> => {
    const { result } = await connection.send('script.evaluate', {
      expression: `(async () => JSON.stringify((await (${body})(${JSON.stringify(argument)})) ?? null))()`,
      target: { context },
      awaitPromise: true,
    });
    const reply = agreed(evaluateReply, result);
    if (reply.type === 'exception') throw new PlumbfoxError('internal', `Firefox refused a chrome script: ${reply.exceptionDetails.text}`);
    return JSON.parse(reply.result.value);
  };
  return {
    run: async <T>(body: string, argument: unknown) => (await evaluate(body, argument)) as T,
    ask: async (body, argument, answer) => agreed(answer, await evaluate(body, argument)),
  };
}

function agreed<T>(schema: v.GenericSchema<unknown, T>, value: unknown): T {
  const result = v.safeParse(schema, value);
  if (result.success) return result.output;
  const where = v.getDotPath(result.issues[0]) ?? 'the whole';
  throw new PlumbfoxError('internal', `Firefox answered a chrome script with what was not expected, at ${where}`);
}
