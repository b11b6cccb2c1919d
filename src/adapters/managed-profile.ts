/** The profile that an enterprise policy names for this extension, and the trial it may define (policies.json, `3rdparty.Extensions`), read through managed storage. */
import * as v from 'valibot';
import { PlumbfoxError } from '../core/errors.ts';
import { managedTrialSchema } from '../protocol/managed-trial.ts';
import { browser } from './browser.ts';
import { platformHere } from './platform.ts';

const managedSchema = v.object({
  profile: v.pipe(v.string(), v.regex(/^[a-z0-9][a-z0-9.-]{0,63}$/)),
  carrier: v.optional(v.picklist(['none', 'gateway', 'http2', 'legacy'])),
  trial: v.optional(managedTrialSchema),
});

export type ManagedProfile = v.InferOutput<typeof managedSchema>;

/** What managed storage answers where no policy speaks to this extension (ext-storage.js). */
const NO_MANIFEST = /manifest not found|not supported|not implemented/i;

/**
 * `undefined`: no policy speaks to this extension.
 * @throws PlumbfoxError `bad-input` when one does and does not name a profile.
 */
export async function managedProfile(): Promise<ManagedProfile | undefined> {
  const held = await managedStorage();
  if (held === undefined || Object.keys(held).length === 0) return undefined;
  const result = v.safeParse(managedSchema, held);
  if (result.success) return result.output;
  throw new PlumbfoxError(
    'bad-input',
    `The enterprise policy for Plumbfox names no profile, or defines no trial, that can be used: ${v.summarize(result.issues)}`,
  );
}

async function managedStorage(): Promise<Record<string, unknown> | undefined> {
  try {
    return await browser.storage.managed.get();
  } catch (error) {
    if (error instanceof Error && NO_MANIFEST.test(error.message)) return undefined;
    // There every call fails with “An unexpected error occurred”, which says nothing (test_ext_geckoView_nativeMessaging.js).
    if ((await platformHere()) === 'android') return undefined;
    throw error;
  }
}
