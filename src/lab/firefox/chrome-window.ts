/** Firefox's parent process by way of its own window, which newer ones list under `moz:scope` chrome (ESR 153). */
import * as v from 'valibot';
import { agreed, type BidiConnection, type EvaluateInParent, evaluateText } from './bidi-connection.ts';

/** Firefox 140 passes `moz:scope` over and lists the tabs; where it is known, every context says its own. */
const treeReply = v.object({ contexts: v.array(v.object({ context: v.string(), 'moz:scope': v.optional(v.string()) })) });

/** @returns `undefined` where Firefox does not list its window. */
export async function chromeWindow(connection: BidiConnection): Promise<EvaluateInParent | undefined> {
  const tree = agreed(treeReply, (await connection.send('browsingContext.getTree', { 'moz:scope': 'chrome' })).result);
  const context = tree.contexts.find((each) => each['moz:scope'] === 'chrome')?.context;
  if (context === undefined) return undefined;
  return async (body, argument) =>
    JSON.parse(
      await evaluateText(connection, context, `(async () => JSON.stringify((await (${body})(${JSON.stringify(argument)})) ?? null))()`),
    );
}
