/** A word of a command that a person is to type, such that a shell takes it as it is. */

const PLAIN = /^[\w@%+=:,./-]+$/;

/** For the shells of Linux and macOS; for those of Windows, whose file names have no quotation marks, in these. */
export function shellWord(word: string, platform: NodeJS.Platform = process.platform): string {
  if (PLAIN.test(word)) return word;
  return platform === 'win32' ? `"${word}"` : `'${word.replaceAll("'", "'\\''")}'`;
}
