/**
 * The extension as Firefox knows it: `gecko.id` of its manifest, which a test compares. Policies are given to it, and the
 * native messaging host is started for it, by this name.
 */
export const EXTENSION_ID = 'plumbfox@plumbfox.org';
