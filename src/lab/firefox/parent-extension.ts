/** Firefox's parent process by way of an extension with an Experiment: where its window cannot be reached (ESR 140). */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as v from 'valibot';
import { PlumbfoxError } from '../../core/errors.ts';
import { agreed, type BidiConnection, type EvaluateInParent, evaluateText } from './bidi-connection.ts';
import { PAGE_STATE, PARENT_EXTENSION, PARENT_PAGE, runFromPage } from './parent-extension-files.ts';

const OPEN_TIMEOUT_MS = 30_000;
const EVERY_MS = 20;

const NO_WAY =
  'This Firefox lets its parent process be reached neither over WebDriver BiDi (moz:scope) nor by an Experiment, which is needed here; name an ESR, or a newer one, with PLUMBFOX_FIREFOX';

const treeReply = v.object({ contexts: v.array(v.object({ context: v.string(), url: v.string() })) });
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
  const tree = agreed(treeReply, (await connection.send('browsingContext.getTree', { maxDepth: 0 })).result);
  return tree.contexts.find(({ url }) => url.startsWith('moz-extension:') && url.endsWith(`/${PARENT_PAGE}`))?.context;
}
