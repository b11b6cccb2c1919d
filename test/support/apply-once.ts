/**
 * One helper in a process of its own: PROFILE-FOLDER PROFILE-ID. Says `ready`, begins when a byte comes on its input, and says `done` or why
 * not. With `hold` in place of an id it takes the folder, says `holds`, and never ends. With `race` it tries to take it for each byte that
 * comes, says `holds` or `busy`, and gives it back with the next.
 */
import { readSync } from 'node:fs';
import { PlumbfoxError } from '../../src/core/errors.ts';
import { findProfile } from '../../src/core/profiles/presets.ts';
import { HelperError } from '../../src/helper/errors.ts';
import { withProfileLock } from '../../src/helper/profile/lock.ts';
import { openProfile } from '../../src/helper/profile/profile-changes.ts';

const [directory = '', id = ''] = process.argv.slice(2);
const say = (line: string) => process.stdout.write(`${line}\n`);

async function applied(): Promise<string> {
  const profile = findProfile(id);
  if (profile === undefined) return 'no such profile';
  try {
    await (await openProfile(directory, { now: () => 0, systemPolicies: '/none', patienceMs: 0 })).apply(profile);
    return 'done';
  } catch (error) {
    if (error instanceof HelperError) return error.helperKind;
    return error instanceof PlumbfoxError ? error.message : String(error);
  }
}

if (id === 'hold') {
  await withProfileLock(directory, {}, async () => {
    say('holds');
    setInterval(() => {}, 60_000);
    await new Promise(() => {});
  });
}
if (id === 'race') {
  say('ready');
  const next = () => readSync(0, Buffer.alloc(1)) > 0;
  while (next()) {
    const said = await withProfileLock(directory, {}, async () => {
      say('holds');
      next();
      return 'over';
    }).catch((error: unknown) => {
      if (!(error instanceof HelperError)) throw error;
      return error.helperKind;
    });
    say(said);
    if (said === 'busy') next();
  }
  process.exit(0);
}
say('ready');
readSync(0, Buffer.alloc(1));
say(await applied());
