/** The arguments of `plumbfox predict`. */
import { type ParseArgsConfig, parseArgs } from 'node:util';
import { PlumbfoxError } from '../../core/errors.ts';
import type { NamedLink } from '../../core/predict/predict-json.ts';
import type { ProfileReach } from '../../core/predict/recommend-prediction.ts';
import { BASELINE_ID, FIREFOX_DEFAULT } from '../../core/profiles/presets.ts';
import type { Profile } from '../../core/profiles/profile.ts';
import { resolveProfiles } from '../../core/profiles/resolve-profiles.ts';
import { readOptions } from '../arguments.ts';
import { parsePredictLinks } from './link.ts';

/** Connections alone, which any Firefox can set. */
export const DEFAULT_PREDICT_PROFILES = [BASELINE_ID, 'connections-sweep'];
/** Connections and depth, as the 2008 study combined them: besides, where depth can have an effect. */
export const DEFAULT_DEEP_PROFILES = ['fennec-18'];

export interface PredictArguments {
  /** Empty only where help is asked for. */
  readonly file: string;
  /** `undefined`: those of the file. */
  readonly links: readonly NamedLink[] | undefined;
  /** Baseline first; `undefined`: whatever suits the pages, see `defaultProfiles`. */
  readonly profiles: readonly Profile[] | undefined;
  /** Pages of a report; `undefined`: all. */
  readonly pages: readonly string[] | undefined;
  readonly seed: number;
  readonly json: boolean;
  readonly svg: string | undefined;
  /** `undefined`: the baseline and what is recommended. */
  readonly svgProfiles: readonly string[] | undefined;
  /** A study to simulate in place of a file. */
  readonly study: string | undefined;
  readonly help: boolean;
}

const OPTIONS = {
  link: { type: 'string', multiple: true },
  profiles: { type: 'string', multiple: true },
  page: { type: 'string', multiple: true },
  seed: { type: 'string' },
  study: { type: 'string' },
  json: { type: 'boolean' },
  svg: { type: 'string' },
  'svg-profile': { type: 'string', multiple: true },
  help: { type: 'boolean', short: 'h' },
} as const satisfies ParseArgsConfig['options'];

const MOST_SEED = 0xffff_ffff;

/** @throws PlumbfoxError `bad-input`, one line, for whatever cannot be used. */
export function parsePredictArguments(args: readonly string[]): PredictArguments {
  const { values, positionals } = parse(args);
  const help = values.help ?? false;
  const study = named(values.study, '--study');
  const file = help ? '' : fileOf(positionals, { study: study !== undefined });
  if (study !== undefined) checkStudy(values);
  const svgProfiles = list(values['svg-profile'], '--svg-profile');
  if (svgProfiles !== undefined && values.svg === undefined) throw new PlumbfoxError('bad-input', '--svg-profile goes with --svg FILE');
  const names = list(values.profiles, '--profiles');
  return {
    file,
    links: values.link && distinct(values.link.flatMap(parsePredictLinks)),
    profiles: names && withBaseline(names),
    pages: list(values.page, '--page'),
    seed: seed(values.seed),
    json: values.json ?? false,
    svg: named(values.svg, '--svg'),
    svgProfiles,
    study,
    help,
  };
}

function fileOf([file = '', ...others]: readonly string[], { study }: { readonly study: boolean }): string {
  if (study && file !== '') throw new PlumbfoxError('bad-input', `A study is simulated without a file: leave out ${file}`);
  if (!study && (file.trim() === '' || others.length > 0))
    throw new PlumbfoxError('bad-input', 'Name one file: plumbfox predict FILE.har, REPORT.json or RECIPE.json');
  return file;
}

/** What a study has of its own cannot be given: an option that does nothing is a fault nobody sees. */
function checkStudy(values: ReturnType<typeof parse>['values']): void {
  const own = (['link', 'profiles', 'page', 'seed', 'svg', 'svg-profile'] as const).find((option) => values[option] !== undefined);
  if (own === undefined) return;
  throw new PlumbfoxError('bad-input', `--study has pages, links and profiles of its own and draws nothing: leave out --${own}`);
}

/** Where no depth can have an effect, profiles that differ in depth only would fill the table with the same figures. */
export function defaultProfiles({ byDepth }: ProfileReach): readonly Profile[] {
  return withBaseline([...DEFAULT_PREDICT_PROFILES, ...(byDepth > 0 ? DEFAULT_DEEP_PROFILES : [])]);
}

function withBaseline(names: readonly string[]): readonly Profile[] {
  return [FIREFOX_DEFAULT, ...resolveProfiles(names).filter(({ id }) => id !== BASELINE_ID)];
}

/** The same link twice is one. */
function distinct(links: readonly NamedLink[]): readonly NamedLink[] {
  return links.filter((link, index) => links.findIndex(({ name }) => name === link.name) === index);
}

function list(texts: readonly string[] | undefined, option: string): readonly string[] | undefined {
  if (texts === undefined) return undefined;
  const names = texts
    .join(',')
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
  if (names.length === 0) throw new PlumbfoxError('bad-input', `${option} names nothing`);
  return [...new Set(names)];
}

/** An empty name, as of a variable that is not set, is a slip. */
function named(text: string | undefined, option: string): string | undefined {
  if (text?.trim() === '') throw new PlumbfoxError('bad-input', `${option} names nothing`);
  return text;
}

function seed(text: string | undefined): number {
  if (text === undefined) return 0;
  if (!/^\d+$/.test(text.trim())) throw new PlumbfoxError('bad-input', `--seed must be a whole number, not "${text}"`);
  const value = Number(text);
  if (value > MOST_SEED) throw new PlumbfoxError('bad-input', `--seed must lie between 0 and ${MOST_SEED}`);
  return value;
}

function parse(args: readonly string[]) {
  return readOptions('predict', OPTIONS, () => parseArgs({ args: [...args], options: OPTIONS, strict: true, allowPositionals: true }));
}
