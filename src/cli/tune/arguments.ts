/** The arguments of `plumbfox tune`, parsed to the end before anything is started. */

import { randomInt } from 'node:crypto';
import { type ParseArgsConfig, parseArgs } from 'node:util';
import { PlumbfoxError } from '../../core/errors.ts';
import { carrierFor } from '../../core/profiles/carrier-for.ts';
import { BASELINE_ID, CONTROL, CONTROL_ID, FIREFOX_DEFAULT } from '../../core/profiles/presets.ts';
import type { Profile } from '../../core/profiles/profile.ts';
import { resolveProfiles } from '../../core/profiles/resolve-profiles.ts';
import type { LinkSpec } from '../../lab/link/link-spec.ts';
import { DEFAULT_LINKS, parseLinks } from '../../lab/link/links.ts';
import type { PageRecipe } from '../../lab/pages/page-recipe.ts';
import { DEFAULT_PAGES } from '../../lab/pages/pages.ts';
import { outFolder, wholeNumber } from '../argument-values.ts';
import { readOptions } from '../arguments.ts';
import { type InstallAnswer, installAnswer } from '../may-install.ts';
import { tunePages } from './pages.ts';

/** What `tune` measures unless told otherwise; the control is added where one of them needs the gateway. */
export const DEFAULT_PROFILES = ['firefox-default', 'c1-d2', 'c4-d6', 'c8-d1'];
export const DEFAULT_BLOCKS = 3;
/** Most blocks that `--blocks` takes. */
export const MAX_BLOCKS = 1000;
/** Above the slowest load of the widest profile sets by far: 120 requests, one connection, RTT 600 ms. */
export const DEFAULT_TIMEOUT_S = 75;
/** Longest that `--timeout` takes, s. */
export const MAX_TIMEOUT_S = 600;

export interface TuneArguments {
  /** By distinct names. */
  readonly pages: readonly PageRecipe[];
  readonly links: readonly LinkSpec[];
  /** Baseline first; the control last, where a profile needs the gateway. */
  readonly profiles: readonly Profile[];
  readonly blocks: number;
  readonly seed: number;
  readonly out: string | undefined;
  readonly json: boolean;
  /** Longest that Firefox may take to start, and a load to be over, in seconds; no load is recorded for longer than 60 s. */
  readonly timeoutS: number;
  readonly install: InstallAnswer;
  /** File of addresses to measure on the real network. */
  readonly urlFile: string | undefined;
  readonly help: boolean;
  /** Leaves namespaces alone even where they could be made. */
  readonly relay: boolean;
}

const OPTIONS = {
  pages: { type: 'string', multiple: true },
  links: { type: 'string', multiple: true },
  profiles: { type: 'string', multiple: true },
  blocks: { type: 'string' },
  seed: { type: 'string' },
  out: { type: 'string' },
  json: { type: 'boolean' },
  timeout: { type: 'string' },
  'real-network': { type: 'boolean' },
  urls: { type: 'string' },
  relay: { type: 'boolean' },
  yes: { type: 'boolean' },
  'no-install': { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const satisfies ParseArgsConfig['options'];

/** @throws PlumbfoxError `bad-input`, one line, for whatever cannot be used. */
export function parseTuneArguments(args: readonly string[]): TuneArguments {
  const values = parse(args);
  checkNetwork(values);
  const links = values.links ? distinct(values.links.flatMap(parseLinks)) : DEFAULT_LINKS.flatMap(parseLinks);
  return {
    pages: tunePages(list(values.pages?.join(','), '--pages') ?? DEFAULT_PAGES, links),
    links,
    profiles: withBaselineAndControl(resolveProfiles(list(values.profiles?.join(','), '--profiles') ?? DEFAULT_PROFILES)),
    blocks: wholeNumber(values.blocks, { option: '--blocks', min: 1, max: MAX_BLOCKS }) ?? DEFAULT_BLOCKS,
    seed: wholeNumber(values.seed, { option: '--seed', min: 0, max: 0xffff_ffff }) ?? randomInt(1, 1_000_000),
    out: outFolder(values.out),
    timeoutS: wholeNumber(values.timeout, { option: '--timeout', min: 1, max: MAX_TIMEOUT_S }) ?? DEFAULT_TIMEOUT_S,
    json: values.json ?? false,
    install: installAnswer(values),
    urlFile: values.urls,
    relay: values.relay ?? false,
    help: values.help ?? false,
  };
}

function parse(args: readonly string[]) {
  return readOptions('tune', OPTIONS, () => parseArgs({ args: [...args], options: OPTIONS, strict: true, allowPositionals: false }).values);
}

/** What names no network, or two, is refused: an option that does nothing is a fault nobody sees. */
function checkNetwork(values: ReturnType<typeof parse>): void {
  const real = values['real-network'] === true;
  if (real && !values.urls) throw new PlumbfoxError('bad-input', '--real-network needs --urls FILE, a file with one address per line');
  if (!real && values.urls !== undefined) throw new PlumbfoxError('bad-input', '--urls goes with --real-network');
  if (real && (values.pages || values.links || values.relay)) {
    throw new PlumbfoxError(
      'bad-input',
      '--pages, --links and --relay are for the emulated network; with --real-network the file of --urls names the pages',
    );
  }
}

function list(text: string | undefined, option: string): readonly string[] | undefined {
  if (text === undefined) return undefined;
  const names = text
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
  if (names.length === 0) throw new PlumbfoxError('bad-input', `${option} names nothing`);
  return [...new Set(names)];
}

function distinct(links: readonly LinkSpec[]): readonly LinkSpec[] {
  return links.filter((link, index) => links.findIndex(({ name }) => name === link.name) === index);
}

/** The baseline is always measured; every run that uses the gateway carries the control that shows the gateway's own cost. */
function withBaselineAndControl(profiles: readonly Profile[]): readonly Profile[] {
  const candidates = profiles.filter(({ id }) => id !== BASELINE_ID && id !== CONTROL_ID);
  const carried = candidates.some((profile) => carrierFor(profile, { gateway: true }) === 'gateway');
  const control = carried || profiles.some(({ id }) => id === CONTROL_ID) ? [CONTROL] : [];
  return [FIREFOX_DEFAULT, ...candidates, ...control];
}
