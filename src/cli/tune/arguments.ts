/** The arguments of `plumbfox tune`, parsed to the end before anything is started, and its help. */

import { randomInt } from 'node:crypto';
import type { ParseArgsConfig } from 'node:util';
import { PlumbfoxError } from '../../core/errors.ts';
import { carrierFor } from '../../core/profiles/carrier.ts';
import { PACING_ENABLED } from '../../core/profiles/catalogue.ts';
import { CONTROL, CONTROL_ID, FIREFOX_DEFAULT, presetNames } from '../../core/profiles/presets.ts';
import { BASELINE_ID, type Profile } from '../../core/profiles/profile.ts';
import { checkHeededWhileRunning } from '../../core/profiles/settable.ts';
import { COMMAND_WORD } from '../../core/report/report.ts';
import type { Visit } from '../../core/search/protocol-knobs.ts';
import type { LinkSpec } from '../../lab/link/link-spec.ts';
import { DEFAULT_LINKS, linkFigures, NAMED_LINKS } from '../../lab/link/links.ts';
import { LINK_FIGURES_HELP, parseLinks } from '../../lab/link/parse-link.ts';
import type { PageRecipe } from '../../lab/pages/page-recipe.ts';
import { DEFAULT_PAGES, PAGES } from '../../lab/pages/pages.ts';
import type { ServedBy } from '../../lab/pages/served-by.ts';
import { checkDataIsAwaited } from '../../lab/run/network-idle.ts';
import { askedPages, distinctByName, nameList, outFolder, readOptions, wholeNumber } from '../arguments.ts';
import { naming } from '../errors.ts';
import { readInput } from '../files.ts';
import { givenProfiles, PROFILE_HELP } from '../given-profiles.ts';
import { type InstallAnswer, installAnswer } from '../output/terminal.ts';
import { DEFAULT_MINUTES, PROTOCOL_NAMES, protocolServer, type SearchArguments, searchArguments, visitNamed } from './search/arguments.ts';

/** The profiles that `tune` measures by default; the control is added where one of them needs the gateway. */
export const DEFAULT_PROFILES = ['firefox-default', 'c1-d2', 'c4-d6', 'c8-d1', `c10-d1+${PACING_ENABLED}=false`];
const MAX_BLOCKS = 1000;
/** Above the slowest load of the widest profile sets by far: 120 requests, one connection, RTT 600 ms. */
export const DEFAULT_TIMEOUT_S = 75;
export const MAX_TIMEOUT_S = 600;

export const tuneHelp = (): string => `plumbfox tune: measures profiles in a real Firefox and recommends one

  plumbfox tune [options]            npm run tune -- [options]

  --pages a,b.json   pages of the lab, or recipes made by import-har (default: ${DEFAULT_PAGES.join(',')})
  --links ...        links by name, or as figures; separate several with ; or repeat the option
                     (default: ${DEFAULT_LINKS.join(';')})
                     ${LINK_FIGURES_HELP.replaceAll('\n', `\n${' '.repeat(21)}`)}
  --profiles a,b     profiles or sets (default: ${DEFAULT_PROFILES.join(',')});
                     cN-dM is N connections per server (1 to 255) with depth M (1 to 64);
                     ${PROFILE_HELP.replaceAll('\n', `\n${' '.repeat(21)}`)}
  --blocks N         rounds: in each, every profile loads every page over every link once, 1 to ${MAX_BLOCKS}
                     (default: until the question is answered; losers are dropped on the way)
  --seed N           seed of the order, of losses, jitter and traces, 0 to 4294967295 (default: random; printed at the start)
  --out DIR          folder for the results (default: a new folder in plumbfox-results/)
  --timeout S        seconds allowed for Firefox to start, and for each load, 1 to ${MAX_TIMEOUT_S} (default: ${DEFAULT_TIMEOUT_S});
                     the first 60 s of a load are recorded
  --json             print one JSON document and nothing else on stdout; progress goes to stderr
  --protocol NAME    how the pages are served: ${PROTOCOL_NAMES.join(', ')} (default: http/1.1, without TLS);
                     negotiated: HTTP/1.1, 2 and 3 at one port, HTTP/3 by HTTPS records
  --visit WHICH      with --protocol negotiated: first, or second, when names, alternative services and TLS sessions are
                     remembered (default: first)
  --search           find the best settings there are: simulate all combinations, then measure the best of them
                     against Firefox's own; see docs/search.md
  --minutes N        with --search: how long it may take (default: ${DEFAULT_MINUTES})
  --knobs a,b=1|2    with --search: only these preferences, with these values besides Firefox's own;
                     protocol: all about protocols, with --protocol negotiated
  --real-network --urls FILE
                     measure the addresses in FILE (one per line) on the real network, without emulation
  --relay            emulate with the relay (no packet effects), even where network namespaces are available
  --yes              install missing packages with apt-get without asking
  --no-install       install nothing; report what is missing

pages:
${PAGES.map(({ name, title }) => `  ${name.padEnd(18)} ${title}`).join('\n')}
links:
${NAMED_LINKS.map((link) => `  ${link.name.padEnd(18)} ${linkFigures(link)}`).join('\n')}
profiles: ${presetNames().join(', ')}, and every cN-dM

exit codes: 0 done, 1 internal error, 2 bad arguments or input, 3 something is missing on this machine,
            4 the run failed its checks, 130 interrupted
`;

export interface TuneArguments {
  readonly pages: readonly PageRecipe[];
  readonly links: readonly LinkSpec[];
  /** Baseline first; the control last, where a profile needs the gateway. */
  readonly profiles: readonly Profile[];
  /** One line each on what the files of profiles have and no profile sets. */
  readonly notices: readonly string[];
  /** Absent: until the question is answered. */
  readonly blocks: number | undefined;
  /** What measures the same again; absent: not in words that every shell leaves as they are. */
  readonly command: readonly string[] | undefined;
  readonly seed: number;
  readonly out: string | undefined;
  readonly json: boolean;
  /** Longest that Firefox may take to start, and a load to be over, in seconds; no load is recorded for longer than 60 s. */
  readonly timeoutS: number;
  readonly install: InstallAnswer;
  readonly urlFile: string | undefined;
  readonly help: boolean;
  /** Uses no namespaces even where they could be made. */
  readonly relay: boolean;
  /** What serves the pages of the lab. */
  readonly servedBy: ServedBy;
  readonly visit: Visit;
  /** Absent: the profiles are measured as they are named. */
  readonly search: SearchArguments | undefined;
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
  protocol: { type: 'string' },
  visit: { type: 'string' },
  search: { type: 'boolean' },
  minutes: { type: 'string' },
  knobs: { type: 'string', multiple: true },
  yes: { type: 'boolean' },
  'no-install': { type: 'boolean' },
} as const satisfies ParseArgsConfig['options'];

/** The arguments with every default filled in. @throws PlumbfoxError `bad-input`, one line. */
export function parseTuneArguments(args: readonly string[]): TuneArguments {
  const values = parse(args);
  checkNetwork(values);
  const search = searchArguments(values);
  const given = givenProfiles(search ? [BASELINE_ID] : (nameList(values.profiles, '--profiles') ?? DEFAULT_PROFILES), '--profiles');
  for (const { preferences } of given.profiles) checkHeededWhileRunning(Object.keys(preferences));
  const servedBy = protocolServer(values.protocol, { real: values['real-network'] ?? false });
  const links = values.links ? distinctByName(values.links.flatMap(parseLinks)) : DEFAULT_LINKS.flatMap(parseLinks);
  return {
    pages: tunePages(nameList(values.pages, '--pages') ?? DEFAULT_PAGES, links),
    links,
    profiles: withBaselineAndControl(given.profiles),
    notices: given.notices,
    blocks: wholeNumber(values.blocks, { option: '--blocks', min: 1, max: MAX_BLOCKS }),
    command: repeatingWords(values),
    seed: wholeNumber(values.seed, { option: '--seed', min: 0, max: 0xffff_ffff }) ?? randomInt(1, 1_000_000),
    out: outFolder(values.out),
    timeoutS: wholeNumber(values.timeout, { option: '--timeout', min: 1, max: MAX_TIMEOUT_S }) ?? DEFAULT_TIMEOUT_S,
    json: values.json ?? false,
    install: installAnswer(values),
    urlFile: values.urls,
    relay: values.relay ?? false,
    servedBy,
    visit: visitNamed(values.visit, servedBy),
    search,
    help: values.help ?? false,
  };
}

function parse(args: readonly string[]) {
  return readOptions('tune', args, OPTIONS);
}

/** The options that decide what is measured: not how often, from which seed, or where the results go. */
const MEASURED = ['pages', 'links', 'profiles', 'timeout', 'real-network', 'urls', 'relay', 'protocol', 'visit'] as const;

function repeatingWords(values: ReturnType<typeof parse>): readonly string[] | undefined {
  const words = MEASURED.flatMap((name) => {
    const value = values[name];
    if (value === undefined || value === false) return [];
    if (value === true) return [`--${name}`];
    // Links are separated by a character that ends a command.
    return [value].flat().flatMap((given) => given.split(name === 'links' ? ';' : '\0').flatMap((one) => [`--${name}`, one]));
  });
  return words.every((word) => COMMAND_WORD.test(word)) ? words : undefined;
}

/** What names no network, or two, is refused: an option that does nothing is a fault that no user sees. */
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

/** The baseline is always measured; every run that uses the gateway carries the control that shows the gateway's own cost. */
function withBaselineAndControl(profiles: readonly Profile[]): readonly Profile[] {
  const candidates = profiles.filter(({ id }) => id !== BASELINE_ID && id !== CONTROL_ID);
  const carried = candidates.some((profile) => carrierFor(profile, { gateway: true }) === 'gateway');
  const control = carried || profiles.some(({ id }) => id === CONTROL_ID) ? [CONTROL] : [];
  return [FIREFOX_DEFAULT, ...candidates, ...control];
}

/**
 * The pages that `tune` measures.
 * @param links - What they are to be loaded over.
 * @throws PlumbfoxError `bad-input`, one line, as `askedPages` does, and for a page whose data comes too late to be recorded.
 */
export function tunePages(texts: readonly string[], links: readonly LinkSpec[]): readonly PageRecipe[] {
  const found = askedPages(texts).map(({ recipe }) => recipe);
  checkDataIsAwaited(found, links);
  return found;
}

/** Pages that are not in the lab, so that its servers must be given them. */
export const ownPages = (pages: readonly PageRecipe[]): readonly PageRecipe[] => pages.filter((page) => !PAGES.includes(page));

const MAX_ADDRESSES = 1000;

/**
 * Reads the file of `--urls`: one address per line; blank lines and lines that begin with # are ignored.
 * @throws PlumbfoxError `bad-input` naming the line that cannot be used.
 */
export async function readUrlFile(path: string): Promise<readonly string[]> {
  const addresses = parseUrlList(
    naming('--urls', () => readInput(path).toString('utf8')),
    path,
  );
  if (addresses.length === 0) throw new PlumbfoxError('bad-input', `--urls: ${path} holds no address`);
  if (addresses.length > MAX_ADDRESSES) throw new PlumbfoxError('bad-input', `--urls: ${path} holds more than ${MAX_ADDRESSES} addresses`);
  return addresses;
}

/**
 * Each address once, in the order of the file, normalised. @param path - For the message. @throws PlumbfoxError `bad-input` naming the
 * line.
 */
export function parseUrlList(text: string, path: string): readonly string[] {
  const addresses: string[] = [];
  for (const [index, line] of text
    .replace(/^\uFEFF/, '')
    .split(/\r?\n/)
    .entries()) {
    const address = line.trim();
    if (address === '' || address.startsWith('#')) continue;
    const where = `--urls: ${path}, line ${index + 1}`;
    const url = URL.parse?.(address) ?? parsed(address);
    if (!url) throw new PlumbfoxError('bad-input', `${where}: "${address.slice(0, 80)}" is not an address such as https://example.org/`);
    if (url.protocol !== 'http:' && url.protocol !== 'https:')
      throw new PlumbfoxError('bad-input', `${where}: only http and https addresses can be measured`);
    if (!addresses.includes(url.href)) addresses.push(url.href);
  }
  return addresses;
}

function parsed(address: string): URL | undefined {
  try {
    return new URL(address);
  } catch {
    return undefined;
  }
}
