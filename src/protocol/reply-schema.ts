/** The envelope of every reply from the background, as whoever asked parses it. The value inside is the asker's to parse. */
import * as v from 'valibot';
import { ERROR_KINDS, REFUSAL_REASONS } from '../core/errors.ts';

export const replySchema = v.variant('ok', [
  v.object({ ok: v.literal(true), value: v.unknown() }),
  v.object({
    ok: v.literal(false),
    error: v.object({
      /** A kind that this build does not know is a fault of ours. */
      kind: v.fallback(v.picklist(ERROR_KINDS), 'internal'),
      message: v.string(),
      reason: v.optional(v.picklist(REFUSAL_REASONS)),
      preference: v.optional(v.string()),
    }),
  }),
]);
