/** A profile that a person has made of the catalogue's preferences and named. */
import * as v from 'valibot';
import { profileIdSchema } from '../core/profiles/profile-id.ts';

/** More would make the choice in the popup hard to read. Chosen, not measured. */
export const MAX_OWN_PROFILES = 20;

/** A name of any words, which pages show as text. */
export const ownNameSchema = v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(40));

/** A profile under the name that the person gave it. */
export const ownProfileSchema = v.object({ name: ownNameSchema, profileId: profileIdSchema });
/** A profile under the name that the person gave it. */
export type OwnProfile = Readonly<v.InferOutput<typeof ownProfileSchema>>;
