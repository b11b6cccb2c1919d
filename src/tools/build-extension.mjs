// @ts-check
// The two variants of the extension from the one manifest: `release` without, `lab` with the Experiment API.
export async function buildExtension() {}
