/** The thirty bars, in the order of their numbers. */
import type { Bar } from './bar.ts';
import { HELPER_BARS } from './helper-bars.ts';
import { LIFECYCLE_BARS } from './lifecycle-bars.ts';
import { PACKAGE_BARS } from './package-bars.ts';
import { PROFILE_BARS } from './profile-bars.ts';
import { STORAGE_BARS } from './storage-bars.ts';

export const BARS: readonly Bar[] = [...LIFECYCLE_BARS, ...STORAGE_BARS, ...PROFILE_BARS, ...HELPER_BARS, ...PACKAGE_BARS];
