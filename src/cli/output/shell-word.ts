import { quotedWord } from '../../helper/install/registration.ts';

/** Words of a command that somebody, or a script, hands to a shell, such that it takes them as they are. */

const PLAIN = /^[\w@%+=:,./-]+$/;

/** For a person to type. For the shells of Linux and macOS; for those of Windows, whose file names have no quotation marks, in these. */
export function shellWord(word: string, platform: NodeJS.Platform = process.platform): string {
  if (PLAIN.test(word)) return word;
  return platform === 'win32' ? `"${word}"` : quotedWord(word);
}
