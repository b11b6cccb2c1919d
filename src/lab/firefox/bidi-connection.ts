/** WebDriver BiDi below the driver: what it has no method for. */
import type { Browser } from 'puppeteer-core';
import * as v from 'valibot';
import { PlumbfoxError } from '../../core/errors.ts';

export interface BidiConnection {
  send(method: string, params: object): Promise<{ result: unknown }>;
}

/** @throws PlumbfoxError `internal` where the driver talks another protocol. */
export function bidiConnection(browser: Browser): BidiConnection {
  const { connection } = browser as unknown as { connection?: BidiConnection };
  if (!connection) throw new PlumbfoxError('internal', 'The driver has no BiDi connection');
  return connection;
}

/** WebDriver BiDi, `script.EvaluateResult`, of an expression whose value is text. */
const evaluateReply = v.variant('type', [
  v.object({ type: v.literal('success'), result: v.object({ value: v.string() }) }),
  v.object({ type: v.literal('exception'), exceptionDetails: v.object({ text: v.string() }) }),
]);

/** Settles with the text that `expression` comes to in the document of `context`. @throws PlumbfoxError `internal` with what the script threw. */
export async function evaluateText(connection: BidiConnection, context: string, expression: string): Promise<string> {
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
export type EvaluateInParent = (body: string, argument: unknown) => Promise<unknown>;
