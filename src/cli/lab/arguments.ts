/** The arguments of `plumbfox lab`, parsed to the end before anything is started, and its help. */

import { randomInt } from 'node:crypto';
import type { ParseArgsConfig } from 'node:util';
import { PlumbfoxError } from '../../core/errors.ts';
import { splitAlias } from '../../core/profiles/resolve-profiles.ts';
import type { LinkSpec } from '../../lab/link/link-spec.ts';
import { parseLinks } from '../../lab/link/parse-link.ts';
import { PAGES } from '../../lab/pages/pages.ts';
import { STUDIES } from '../../lab/studies/all-studies.ts';
import { nameList, outFolder, readArguments, wholeNumber } from '../arguments.ts';
import { type InstallAnswer, installAnswer } from '../output/terminal.ts';

export interface LabRunArguments {
  readonly command: 'run';
  readonly study: string;
  /** Largest number of lanes; `undefined`: by the number of processors. */
  readonly lanes: number | undefined;
  readonly resume: boolean;
  readonly only: Readonly<Partial<Record<OnlyKey, readonly string[]>>>;
  /** Names and files of pages in place of the study's own; absent: its own. */
  readonly pages: readonly string[] | undefined;
  /** Names in place of the study's own profiles; absent: its own. */
  readonly profiles: readonly string[] | undefined;
  /** The small part of the study that is its own test. */
  readonly cut: boolean;
  readonly repeats: number | undefined;
  readonly seed: number;
  readonly out: string | undefined;
  readonly json: boolean;
  readonly capture: boolean;
  /** Longest a load may take, s; `undefined`: as the study says. */
  readonly timeoutS: number | undefined;
  readonly install: InstallAnswer;
}

type LabArguments =
  | LabRunArguments
  | { readonly command: 'list'; readonly json: boolean }
  | { readonly command: 'check'; readonly json: boolean; readonly links: readonly LinkSpec[] | undefined; readonly install: InstallAnswer }
  | { readonly command: 'show'; readonly folder: string; readonly json: boolean; readonly write: boolean }
  | { readonly command: 'help' };

const ONLY_KEYS = ['page', 'link', 'profile'] as const;
type OnlyKey = (typeof ONLY_KEYS)[number];

const OPTIONS = {
  lanes: { type: 'string' },
  resume: { type: 'boolean' },
  only: { type: 'string', multiple: true },
  pages: { type: 'string', multiple: true },
  profiles: { type: 'string', multiple: true },
  cut: { type: 'boolean' },
  repeats: { type: 'string' },
  seed: { type: 'string' },
  timeout: { type: 'string' },
  out: { type: 'string' },
  links: { type: 'string', multiple: true },
  capture: { type: 'boolean' },
  json: { type: 'boolean' },
  write: { type: 'boolean' },
  yes: { type: 'boolean' },
  'no-install': { type: 'boolean' },
} as const satisfies ParseArgsConfig['options'];

export const LAB_OPTIONS: readonly string[] = Object.keys(OPTIONS);

export const labHelp = (): string => `plumbfox lab: runs studies in many real Firefoxes over emulated links

  plumbfox lab list [--json]         list the studies and their questions
  plumbfox lab run STUDY [options]   run a study and answer its question
  plumbfox lab show DIR [--json] [--write]
                                     show the findings of a run, finished or not; --write: update its files too
  plumbfox lab check [--links a,b] [--json]
                                     check that every emulated link has the figures it should have

  --lanes N          Firefoxes side by side, 1 to 32 (default: 5 per processor; with --resume no more than were found not to
                     disturb each other); fewer are used where they disturb each other, or little is left to do
  --resume           continue the run in DIR with the settings it was begun with, however it ended;
                     without --out: the newest run of the study
  --only page=a,link=b,profile=c
                     measure only this part of the study; a name without = continues the list before it; the baseline is always included
  --pages a,b.json   use these pages instead of the study's own: pages of the lab (${PAGES.map(({ name }) => name).join(', ')}),
                     or recipes made by import-har
  --profiles a,b     measure these profiles and the baseline instead of the study's own: profiles of the study, or any that tune takes by name
  --cut              run the small version of the study that tests it: half a minute to two minutes on two processors
  --repeats N        rounds: in each, every profile loads every page over every link once, 1 to 1000 (default: set by the study)
  --timeout S        seconds allowed for each load, 1 to 600 (default: set by the study)
  --seed N           seed of the order, of losses, jitter and traces, 0 to 4294967295 (default: random; printed at the start)
  --out DIR          folder for the results (default: a new folder in plumbfox-results/)
  --capture          capture the packets of one extra load per cell with tcpdump and draw them; that load counts in no timing
  --json             print one JSON document and nothing else on stdout; progress goes to stderr
  --yes              install missing packages with apt-get without asking
  --no-install       install nothing; report what is missing

studies: ${STUDIES.map(({ id }) => id).join(', ')}

exit codes: 0 done, 1 internal error, 2 bad arguments or input, 3 something is missing on this machine,
            4 the run failed its checks, or loads are missing, 130 interrupted
`;

const TAKEN_BY = {
  run: ['lanes', 'resume', 'only', 'pages', 'profiles', 'cut', 'repeats', 'seed', 'timeout', 'out', 'capture', 'json', 'yes', 'no-install'],
  list: ['json'],
  check: ['json', 'links', 'yes', 'no-install'],
  show: ['json', 'write'],
} as const;

/** No machine of ours has been tried with more Firefoxes. */
const MAX_LANES = 32;
const MAX_REPEATS = 1000;
const MAX_TIMEOUT_S = 600;

export function parseLabArguments(args: readonly string[]): LabArguments {
  const { values, positionals } = parse(args);
  const [command, ...rest] = positionals;
  if (values.help || args.length === 0) return { command: 'help' };
  if (command === undefined) throw new PlumbfoxError('bad-input', 'lab needs a command: run, list, check, show. See plumbfox lab --help');
  if (command !== 'run' && command !== 'list' && command !== 'check' && command !== 'show')
    throw new PlumbfoxError('bad-input', `lab has no command "${command}". Commands: run, list, check, show. See plumbfox lab --help`);
  const stray = Object.keys(values).find((option) => !(TAKEN_BY[command] as readonly string[]).includes(option));
  if (stray !== undefined) throw new PlumbfoxError('bad-input', `lab ${command} takes no --${stray}. See plumbfox lab --help`);
  const [what] = rest;
  const more = command === 'run' || command === 'show' ? rest[1] : what;
  if (more !== undefined) throw new PlumbfoxError('bad-input', `lab ${command}: "${more}" is one argument too many`);
  const json = values.json ?? false;
  const install = installAnswer(values);
  switch (command) {
    case 'list':
      return { command, json };
    case 'check':
      return { command, json, install, links: values.links?.flatMap(parseLinks) };
    case 'show':
      if (what === undefined) throw new PlumbfoxError('bad-input', 'lab show needs the folder of a run: plumbfox lab show DIR');
      return { command, folder: what, json, write: values.write ?? false };
    case 'run':
      if (what === undefined) throw new PlumbfoxError('bad-input', 'lab run needs a study; to list them: plumbfox lab list');
      return { ...runArguments(values), command, study: what, json, install };
  }
}

/** What a run measures is settled when it begins. */
const SETTLED = ['only', 'profiles', 'cut', 'repeats', 'seed'] as const;

function runArguments(values: ReturnType<typeof parse>['values']) {
  const unsettling = values.resume ? SETTLED.find((option) => values[option] !== undefined) : undefined;
  if (unsettling !== undefined)
    throw new PlumbfoxError('bad-input', `--resume continues a run with its own settings: it takes no --${unsettling}`);
  const only = onlyOf(values.only ?? []);
  const profiles = nameList(values.profiles, '--profiles');
  if (profiles && only.profile)
    throw new PlumbfoxError('bad-input', '--profiles and --only profile= both choose the profiles: give one of them');
  return {
    lanes: wholeNumber(values.lanes, { option: '--lanes', min: 1, max: MAX_LANES }),
    resume: values.resume ?? false,
    only,
    pages: nameList(values.pages, '--pages'),
    profiles,
    cut: values.cut ?? false,
    repeats: wholeNumber(values.repeats, { option: '--repeats', min: 1, max: MAX_REPEATS }),
    seed: wholeNumber(values.seed, { option: '--seed', min: 0, max: 0xffff_ffff }) ?? randomInt(1, 1_000_000),
    timeoutS: wholeNumber(values.timeout, { option: '--timeout', min: 1, max: MAX_TIMEOUT_S }),
    out: outFolder(values.out),
    capture: values.capture ?? false,
  };
}

const parse = (args: readonly string[]) => readArguments('lab', args, OPTIONS);

/** `page=wiki,link=far-2m,link=dsl-10m`: a name without `=` belongs to the one before. */
function onlyOf(texts: readonly string[]): LabRunArguments['only'] {
  const only: Partial<Record<OnlyKey, string[]>> = {};
  for (const text of texts) {
    let key: OnlyKey | undefined;
    for (const part of text.split(',').map((each) => each.trim())) {
      // The `=` after a `+` belongs to a profile's expression.
      const { alias: name = key, rest: value } = splitAlias(part);
      key = ONLY_KEYS.find((each) => each === name);
      if (key === undefined) throw new PlumbfoxError('bad-input', `--only takes page=..., link=..., profile=..., not "${part}"`);
      if (value === '') throw new PlumbfoxError('bad-input', `--only: ${key}= needs a value`);
      only[key] = [...(only[key] ?? []), value];
    }
  }
  return only;
}
