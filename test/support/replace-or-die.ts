/** In place of the helper's `replace-file.ts` in a process that is to be killed: PLUMBFOX_TEST_CHANGES are made, and the next one kills it. */
import { replaceFile as really } from '../../src/helper/files/replace-file.ts';

export * from '../../src/helper/files/replace-file.ts';

let left = Number(process.env.PLUMBFOX_TEST_CHANGES);

export const replaceFile: typeof really = (replacement) => {
  // The signal is there before the call that sends it returns (kill(2)).
  if (left-- <= 0) process.kill(process.pid, 'SIGKILL');
  return really(replacement);
};
