/** Words of a command line, for a POSIX shell, whatever is in them. */

/** In quotes. */
export const quotedWord = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** As it is where the shell takes nothing in it for its own; else in quotes. */
export const shellWord = (text: string): string => (/^[\w@%+=:,./-]+$/.test(text) ? text : quotedWord(text));
