/** From the bytes of a message to a request, or to why it is none. */
import * as v from 'valibot';
import { HELPER_PROTOCOL, type HelperRequest, helperRequestSchema } from '../../protocol/helper-messages.ts';

/** `nonce`: as far as it could be read, so that a refusal can be told apart. The message is one line. */
export type ReadRequest =
  | { readonly ok: true; readonly request: HelperRequest }
  | { readonly ok: false; readonly nonce: string | undefined; readonly message: string };

const TEXT = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
/** Enough to answer by, whatever else is wrong. */
const addressed = v.object({ version: v.optional(v.unknown()), nonce: v.optional(v.unknown()) });
const nonceSchema = v.pipe(v.string(), v.regex(/^[A-Za-z0-9_-]{8,64}$/));

/** Never throws. What it says names nothing of the message, which may be anything. */
export function readRequest(bytes: Uint8Array): ReadRequest {
  const json = parse(bytes);
  if (json === undefined) return { ok: false, nonce: undefined, message: 'The message is not JSON in UTF-8' };
  const parsed = v.safeParse(helperRequestSchema, json);
  if (parsed.success) return { ok: true, request: parsed.output };
  const { version, nonce } = v.is(addressed, json) ? json : {};
  return {
    ok: false,
    nonce: v.is(nonceSchema, nonce) ? nonce : undefined,
    message:
      typeof version === 'number' && version !== HELPER_PROTOCOL
        ? `The extension speaks version ${version} of the helper's protocol, the helper version ${HELPER_PROTOCOL}: bring the older one up to date`
        : 'The message is no request of this protocol',
  };
}

/** `undefined`: it is not JSON. JSON itself has no such value. */
function parse(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(TEXT.decode(bytes));
  } catch {
    return undefined;
  }
}
