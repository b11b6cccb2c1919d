/** The arguments that the user typed after a command: its options, and the values that several commands take. */

import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, resolve } from 'node:path';
import { type ParseArgsConfig, parseArgs } from 'node:util';
import { PlumbfoxError } from '../core/errors.ts';
import { nearestName } from '../core/nearest-name.ts';
import { resolveSystemSymlinks } from '../helper/files/system-symlinks.ts';
import { type FirefoxProfile, firefoxProfiles } from '../helper/profile/firefox-profiles.ts';
import type { PageRecipe } from '../lab/pages/page-recipe.ts';
import { parseRecipe } from '../lab/pages/page-recipe.ts';
import { findPage, PAGES } from '../lab/pages/pages.ts';
import type { OtherPage } from '../lab/studies/other-pages.ts';
import { oneLine } from './errors.ts';
import { readInput } from './files.ts';

const HELP_OPTION = { help: { type: 'boolean', short: 'h' } } as const;

type Options = NonNullable<ParseArgsConfig['options']>;
type Parsed<O extends Options> = ReturnType<typeof parseArgs<{ options: O & typeof HELP_OPTION; allowPositionals: true }>>;

/** The options of a command that takes nothing else. @throws PlumbfoxError `bad-input` as `readArguments`. */
export const readOptions = <const O extends Options>(command: string, args: readonly string[], options: O): Parsed<O>['values'] =>
  parsed(command, { args: [...args], options: { ...options, ...HELP_OPTION } }).values;

/** The options of a command, `--help` among them, and its other arguments. @throws PlumbfoxError `bad-input`, one line, for an unknown option. */
export const readArguments = <const O extends Options>(command: string, args: readonly string[], options: O): Parsed<O> =>
  parsed(command, { args: [...args], options: { ...options, ...HELP_OPTION }, allowPositionals: true });

function parsed<T extends ParseArgsConfig>(command: string, config: T): ReturnType<typeof parseArgs<T>> {
  try {
    return parseArgs(config);
  } catch (error) {
    const dashed = error instanceof Error ? /^Option '(.*)' argument is ambiguous/.exec(error.message)?.[1] : undefined;
    if (dashed !== undefined) {
      const hint = `${dashed} needs a value; write one that begins with a dash as ${dashed}=VALUE`;
      throw new PlumbfoxError('bad-input', `${oneLine(hint)}. See plumbfox ${command} --help`, { cause: error });
    }
    const unknown = error instanceof Error ? /^Unknown option '--?([^']+)'/.exec(error.message)?.[1] : undefined;
    if (unknown !== undefined) {
      const nearest = nearestName(unknown, Object.keys(config.options ?? {}));
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

/** The lines on `--firefox-profile` in the help of `apply`, `revert` and `status`. */
export const FIREFOX_PROFILE_HELP = `  --firefox-profile DIR   the folder of the Firefox profile, as about:profiles in Firefox shows it
                          (default: the one that Firefox uses by default, if there is only one)`;

/**
 * The folder of the Firefox profile.
 * @param given - The value of `--firefox-profile`.
 * @throws PlumbfoxError `bad-input` where it takes a person to choose.
 */
export async function chosenProfileFolder(given: string | undefined): Promise<string> {
  if (given !== undefined) {
    if (given.trim() === '' || given.includes('\0')) throw new PlumbfoxError('bad-input', '--firefox-profile needs the name of a folder');
    return resolveSystemSymlinks(resolve(given));
  }
  return onlyFirefoxProfile(await firefoxProfiles({ home: homedir(), env: process.env, platform: process.platform }));
}

/** The only profile, else the only one that a Firefox uses by default. */
export function onlyFirefoxProfile(profiles: readonly FirefoxProfile[]): string {
  if (profiles.length === 0) {
    throw new PlumbfoxError(
      'bad-input',
      'No Firefox profile was found; name its folder, which about:profiles shows: --firefox-profile DIR',
    );
  }
  for (const some of [profiles, profiles.filter(({ isDefault }) => isDefault)]) {
    const [only, ...others] = some;
    if (only !== undefined && others.length === 0) return only.directory;
  }
  const list = profiles.map(({ directory, name, isDefault }) => `${directory} (${name}${isDefault ? ', a default' : ''})`);
  throw new PlumbfoxError('bad-input', `There are several Firefox profiles; name one with --firefox-profile: ${list.join(', ')}`);
}

/** A text that ends so or names a folder is a file, whether it exists or not: no page of the lab has such a name. */
const isFile = (text: string): boolean =>
  /\.(json|har|har\.gz)$/i.test(text) || text.includes('/') || (existsSync(text) && !PAGES.some(({ name }) => name === text));

/**
 * The pages of `--pages`: those of the lab by name, and recipes from files, such as `plumbfox import-har` writes.
 * @throws PlumbfoxError `bad-input`, one line, for an unknown page, a file that holds no recipe, and two pages of one name.
 */
export function askedPages(texts: readonly string[]): readonly OtherPage[] {
  const pages = new Map<string, { readonly page: OtherPage; readonly from: string }>();
  for (const text of texts) {
    const page: OtherPage = isFile(text) ? { recipe: recipeIn(text), file: basename(text) } : { recipe: findPage(text) };
    const { name } = page.recipe;
    const known = pages.get(name);
    const rival = known?.from ?? (isFile(text) && PAGES.some((each) => each.name === name) ? 'the lab' : undefined);
    if (rival !== undefined)
      throw new PlumbfoxError('bad-input', `--pages: ${text} is named "${name}" like the page of ${rival}: change its "name"`);
    pages.set(name, { page, from: text });
  }
  return [...pages.values()].map(({ page }) => page);
}

function recipeIn(file: string): PageRecipe {
  try {
    return recipeOf(file, readInput(file).toString('utf8'));
  } catch (error) {
    if (!(error instanceof PlumbfoxError)) throw error;
    throw new PlumbfoxError(error.kind, `--pages: ${file}: ${withoutName(error.message, file)}`, { cause: error });
  }
}

const withoutName = (message: string, file: string): string => (message.startsWith(`${file} `) ? message.slice(file.length + 1) : message);

function recipeOf(file: string, text: string): PageRecipe {
  if (text.trim() === '') throw new PlumbfoxError('bad-input', 'is empty');
  const value = asJson(text);
  if (value === undefined) throw new PlumbfoxError('bad-input', `is not JSON; ${howToMake('FILE.har')}`);
  if (typeof value !== 'object' || value === null || !('resources' in value)) {
    const isHar = typeof value === 'object' && value !== null && 'log' in value;
    throw new PlumbfoxError(
      'bad-input',
      isHar ? `is a HAR, not yet a page recipe; ${howToMake(file)}` : `is not a page recipe; ${howToMake('FILE.har')}`,
    );
  }
  return parseRecipe(value);
}

const howToMake = (har: string): string => `plumbfox import-har ${har} --out recipe.json writes one`;

function asJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
