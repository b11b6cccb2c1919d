/** The one place where messages come in: parsed, the sender checked, handled by the table, errors answered as data. */
import * as v from 'valibot';
import { browser } from '../adapters/browser.ts';
import { PlumbfoxError, PreferenceRefused } from '../core/errors.ts';
import { type Reply, type Request, type RequestKind, requestSchema } from '../protocol/messages.ts';
import { handlers, type Sender } from './messages.ts';

/** What a content script may ask; everything else is for the extension's own pages. */
const FOR_CONTENT: readonly RequestKind[] = ['page-timing', 'observation-settings'];

interface MessageSender {
  readonly id?: string;
  readonly url?: string;
  readonly frameId?: number;
  readonly tab?: { readonly id?: number; readonly incognito?: boolean };
}

export async function answer(message: unknown, sender: MessageSender): Promise<Reply<RequestKind>> {
  try {
    const request = parse(message);
    return { ok: true, value: await handle(request, senderOf(request, sender)) };
  } catch (error) {
    return { ok: false, error: asData(error) };
  }
}

function parse(message: unknown): Request {
  const result = v.safeParse(requestSchema, message);
  if (result.success) return result.output;
  throw new PlumbfoxError('bad-input', `Not a message of Plumbfox: ${v.summarize(result.issues)}`);
}

/** The kind chooses the handler, so the request it is given is the one it was written for. */
function handle<K extends RequestKind>(request: Extract<Request, { kind: K }>, sender: Sender) {
  const handler = handlers[request.kind as K];
  return handler(request as never, sender);
}

/** @throws PlumbfoxError `bad-input` for a sender that may not ask this. */
function senderOf(request: Request, sender: MessageSender): Sender {
  const own = sender.id === browser.runtime.id;
  const ownPage = sender.url?.startsWith(browser.runtime.getURL('')) === true;
  if (own && ownPage) return { from: 'own-page' };
  const tabId = sender.tab?.id;
  if (!own || tabId === undefined || sender.frameId !== 0 || !FOR_CONTENT.includes(request.kind)) {
    throw new PlumbfoxError('bad-input', `This sender may not ask for ${request.kind}`);
  }
  return { from: 'content', tabId, incognito: sender.tab?.incognito !== false };
}

function asData(error: unknown): Extract<Reply<RequestKind>, { ok: false }>['error'] {
  if (error instanceof PreferenceRefused) {
    return { kind: error.kind, message: error.message, reason: error.reason, preference: error.preference };
  }
  if (error instanceof PlumbfoxError) return { kind: error.kind, message: error.message };
  return { kind: 'internal', message: error instanceof Error ? `${error.name}: ${error.message}` : String(error) };
}
