/** What a person typed after a command: its options, and the values that several commands take. */
import { PlumbfoxError } from '../core/errors.ts';
import { nearestName } from '../core/nearest-name.ts';
import type { Profile } from '../core/profiles/profile.ts';
import { resolveProfiles } from '../core/profiles/resolve-profiles.ts';
import { oneLine } from './errors.ts';

/**
 * @param command - Its `--help` is named.
 * @param known - The options of the command by name: a slip is set right by one of them.
 * @param parse - A call of `parseArgs`.
 * @throws PlumbfoxError `bad-input`, one line, for an option that is none.
 */
export function readOptions<T>(command: string, known: Readonly<Record<string, unknown>>, parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    const dashed = error instanceof Error ? /^Option '(.*)' argument is ambiguous/.exec(error.message)?.[1] : undefined;
    if (dashed !== undefined) {
      const hint = `${dashed} needs a value; write one that begins with a dash as ${dashed}=VALUE`;
      throw new PlumbfoxError('bad-input', `${oneLine(hint)}. See plumbfox ${command} --help`, { cause: error });
    }
    const unknown = error instanceof Error ? /^Unknown option '--?([^']+)'/.exec(error.message)?.[1] : undefined;
    if (unknown !== undefined) {
      const nearest = nearestName(unknown, Object.keys(known));
      const hint = nearest === undefined ? '' : ` Did you mean --${nearest}?`;
      throw new PlumbfoxError('bad-input', `${oneLine(`Unknown option '--${unknown}'.${hint}`)} See plumbfox ${command} --help`, {
        cause: error,
      });
    }
    // Node's own text names the option; its hints after that are of no use here.
    const text = error instanceof Error ? (error.message.split(/\.\s/)[0] ?? error.message) : String(error);
    throw new PlumbfoxError('bad-input', `${oneLine(text)}. See plumbfox ${command} --help`, { cause: error });
  }
}

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

/**
 * Under its own name: whoever takes it back, or reads it in a policy, has to find it again by that.
 * @param name - What `--profile` says.
 * @param example - A call of the command that is right.
 * @throws PlumbfoxError `bad-input` for none, for several, and for another name given to one.
 */
export function oneProfile(name: string | undefined, example: string): Profile {
  if (name === undefined) throw new PlumbfoxError('bad-input', `Name a profile: ${example}`);
  if (name.includes('=')) {
    throw new PlumbfoxError('bad-input', `This command takes the name of a profile, without "=": ${JSON.stringify(name)}`);
  }
  const [profile, ...others] = resolveProfiles([name]);
  if (profile !== undefined && others.length === 0) return profile;
  throw new PlumbfoxError('bad-input', `"${name}" is a set of profiles; name one of them`);
}

/** An empty name, as of a variable that is not set, is a slip. @throws PlumbfoxError `bad-input` */
export function nonEmpty(text: string | undefined, option: string): string | undefined {
  if (text?.trim() === '') throw new PlumbfoxError('bad-input', `${option} needs a value`);
  return text;
}

/** Names of an option that takes several, separated by commas or given again; each once. @throws PlumbfoxError `bad-input` for none. */
export function nameList(texts: readonly string[] | undefined, option: string): readonly string[] | undefined {
  if (texts === undefined) return undefined;
  const names = texts.flatMap((text) => text.split(',').map((name) => name.trim())).filter((name) => name !== '');
  if (names.length === 0) throw new PlumbfoxError('bad-input', `${option} needs a value`);
  return [...new Set(names)];
}

/** Leaves out what has the name of one before. */
export function distinctByName<T extends { readonly name: string }>(all: readonly T[]): readonly T[] {
  return all.filter((one, index) => all.findIndex(({ name }) => name === one.name) === index);
}
