/** Values of options that several commands take, parsed in one way. */
import { PlumbfoxError } from '../core/errors.ts';

/**
 * The folder of `--out`. An empty name, as of a variable that is not set, must not mean the current one.
 * @throws PlumbfoxError `bad-input`
 */
export function outFolder(text: string | undefined): string | undefined {
  if (text?.trim() === '' || text?.includes('\0')) throw new PlumbfoxError('bad-input', '--out needs the name of a folder');
  return text;
}

/** `undefined` where the option is not given. @throws PlumbfoxError `bad-input` */
export function wholeNumber(
  text: string | undefined,
  { option, min, max }: { option: string; min: number; max: number },
): number | undefined {
  if (text === undefined) return undefined;
  if (!/^\d+$/.test(text.trim())) throw new PlumbfoxError('bad-input', `${option} must be a whole number, not "${text}"`);
  const value = Number(text);
  if (value < min || value > max) throw new PlumbfoxError('bad-input', `${option} must lie between ${min} and ${max}`);
  return value;
}
