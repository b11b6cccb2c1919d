/** Sends requests to the background. */
import * as v from 'valibot';
import { PlumbfoxError, PreferenceRefused } from '../core/errors.ts';
import { type Request, type RequestKind, type Responses, replySchema } from '../protocol/messages.ts';
import { browser } from './browser.ts';
import { takeEarlyReply } from './early-start.ts';

/**
 * @returns the response that the message map names for this kind. Its value comes from our own background and is not parsed again.
 * @throws PlumbfoxError the error that the background answered, or `internal` when it gives no usable answer.
 */
export async function sendRequest<K extends RequestKind>(request: Extract<Request, { kind: K }>): Promise<Responses[K]> {
  const reply = v.safeParse(replySchema, await ask(request));
  if (!reply.success) throw new PlumbfoxError('internal', `The background gave no usable answer to ${request.kind}.`);
  if (reply.output.ok) return reply.output.value as Responses[K];
  throw asError(reply.output.error);
}

async function ask(request: Request): Promise<unknown> {
  try {
    return await (takeEarlyReply(request.kind) ?? browser.runtime.sendMessage(request));
  } catch (cause) {
    // Firefox reports this when no event page can be started; see `noteUnrecordedPage` in the content script.
    const isStopped = String(cause).includes('Receiving end');
    const message = isStopped
      ? 'Firefox stopped Plumbfox, whose process kept ending. What was recorded is kept; nothing is recorded until you restart Firefox, or switch Plumbfox off and on in about:addons.'
      : `The background did not answer ${request.kind}.`;
    throw new PlumbfoxError('internal', message, { cause });
  }
}

type ErrorData = Extract<v.InferOutput<typeof replySchema>, { readonly ok: false }>['error'];

function asError({ kind, message, reason, preference }: ErrorData): PlumbfoxError {
  if (reason === undefined || preference === undefined) return new PlumbfoxError(kind, message);
  const prefix = `${preference}: `;
  return new PreferenceRefused(preference, reason, message.startsWith(prefix) ? message.slice(prefix.length) : message);
}
