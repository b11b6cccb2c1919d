import * as v from 'valibot';
import type { PreferenceReadback } from '../../core/profiles/profile.ts';
import { preferenceReadbackSchema } from '../../protocol/messages.ts';

/** One preference as another process read it. JSON leaves out a value that is undefined; the parsed object has the key again. */
export const readbackAnswer: v.GenericSchema<unknown, PreferenceReadback> = v.object({
  ...preferenceReadbackSchema.entries,
  value: v.optional(preferenceReadbackSchema.entries.value.wrapped, () => undefined),
});
