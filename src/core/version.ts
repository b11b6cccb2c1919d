/** The version of the project, as package.json states it (a test holds them together). */
export const PLUMBFOX_VERSION = '0.1.0';
