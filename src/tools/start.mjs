// @ts-check
// Opens an interactive Firefox with the lab build of the extension, in a profile that is thrown away.
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
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

try {
  await cmd.run(
    {
      sourceDir,
      firefox,
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
