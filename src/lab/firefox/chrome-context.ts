/**
 * Runs a function in Firefox's parent process, with its full rights. Needs `--remote-allow-system-access`; only for a
 * browser of the lab's own.
 */
import type { Browser } from 'puppeteer-core';
import { PlumbfoxError } from '../../core/errors.ts';

export interface ChromeContext {
  /** `body` is the source of a function of one argument that returns JSON text. */
  run<T>(body: string, argument: unknown): Promise<T>;
}

interface BidiConnection {
  send(method: string, params: object): Promise<{ result: unknown }>;
}

/** WebDriver BiDi's `script.evaluate` in the browser's own window: Firefox lists it under `moz:scope` chrome. */
export async function chromeContext(browser: Browser): Promise<ChromeContext> {
  const { connection } = browser as unknown as { connection?: BidiConnection };
  if (!connection) throw new PlumbfoxError('internal', 'The driver has no BiDi connection');
  const tree = (await connection.send('browsingContext.getTree', { 'moz:scope': 'chrome' })).result as { contexts: { context: string }[] };
  const context = tree.contexts[0]?.context;
  if (!context)
    throw new PlumbfoxError('environment', 'Firefox shows no chrome context: it was started without --remote-allow-system-access');
  return {
    run: async <T>(body: string, argument: unknown) => {
      const { result } = (await connection.send('script.evaluate', {
        expression: `JSON.stringify((${body})(${JSON.stringify(argument)}) ?? null)`,
        target: { context },
        awaitPromise: true,
      })) as { result: { type: string; result?: { value?: string }; exceptionDetails?: { text?: string } } };
      if (result.type !== 'success')
        throw new PlumbfoxError('internal', `Firefox refused a chrome script: ${result.exceptionDetails?.text ?? 'no reason given'}`);
      return JSON.parse(result.result?.value ?? 'null') as T;
    },
  };
}
