// @ts-check
// Opens an interactive Firefox with the lab build of the extension, in a profile that is thrown away, or in the one of `--profile DIR`.
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { cmd } from 'web-ext';

const sourceDir = fileURLToPath(new URL('../../dist/extension-lab', import.meta.url));

/** Where package managers put it; web-ext finds the others by name. */
const known = ['/usr/bin/firefox-esr', '/usr/bin/firefox'];
/** The environment variable that other tools use for this as well. */
const firefox = process.env.PLUMBFOX_FIREFOX ?? known.find((path) => existsSync(path)) ?? 'firefox';

if (process.platform === 'linux' && !process.env.DISPLAY && !process.env.WAYLAND_DISPLAY) {
  console.error('npm start opens a Firefox window, and there is no display here (neither DISPLAY nor WAYLAND_DISPLAY is set).');
  process.exit(3);
}
if (!existsSync(sourceDir)) {
  console.error('The extension has not been built: run npm run build first.');
  process.exit(3);
}
if (process.env.PLUMBFOX_FIREFOX !== undefined && !existsSync(process.env.PLUMBFOX_FIREFOX)) {
  console.error(`There is no Firefox at ${process.env.PLUMBFOX_FIREFOX} (environment variable PLUMBFOX_FIREFOX).`);
  process.exit(3);
}

/** A separate Firefox profile, which is made where it is not there and stays: apart from those in everyday use. */
function ownProfile() {
  try {
    const { profile } = parseArgs({ options: { profile: { type: 'string' } } }).values;
    return profile === undefined
      ? {}
      : // npm runs scripts in the clone; its INIT_CWD is where the person's shell is.
        { firefoxProfile: resolve(process.env.INIT_CWD ?? '.', profile), profileCreateIfMissing: true, keepProfileChanges: true };
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : error} Usage: npm start [-- --profile DIR]`);
    process.exit(2);
  }
}

try {
  await cmd.run(
    {
      ...ownProfile(),
      sourceDir,
      firefox,
      // The extension opens its welcome tab.
      startUrl: ['about:blank'],
      // The Experiment API: ESR, Developer Edition and Nightly heed this; release and beta ignore it, and the popup then shows no applier.
      pref: { 'extensions.experiments.enabled': true, 'xpinstall.signatures.required': false },
      noInput: true,
      noReload: true,
    },
    { shouldExitProgram: false },
  );
} catch (error) {
  console.error(`Firefox did not start: ${error instanceof Error ? error.message : String(error)}`);
  process.exit(3);
}
