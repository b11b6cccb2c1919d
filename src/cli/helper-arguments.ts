/** The arguments of `plumbfox helper`. */
import { isAbsolute, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { PlumbfoxError } from '../core/errors.ts';
import { readOptions } from './arguments.ts';

/** The word after `plumbfox helper`. */
export const HELPER_ACTIONS = ['install', 'uninstall', 'status', 'doctor'] as const;
export type HelperAction = (typeof HELPER_ACTIONS)[number];

/** What `--help` prints. */
export const HELPER_HELP = `plumbfox helper: the small program on this machine by which the extension writes profiles into Firefox

  plumbfox helper install     puts it where Firefox finds it, for this user; no administrator is needed; again after an update
  plumbfox helper uninstall   takes back what it wrote into Firefox profiles, and removes it
  plumbfox helper status      whether it is installed, and which profiles are written
  plumbfox helper doctor      looks at each link between extension and Firefox, and says what to do

  --home DIR         another home folder than this user's, such as one on a mounted disk
  --keep-profile     uninstall: leaves what is written into Firefox profiles; plumbfox revert takes it back later
  --json             prints one JSON document

doctor exits with 3 when something is in the way.
`;

export interface HelperArguments {
  readonly action: HelperAction;
  /** Absolute; absent: the user's own, with the folders that the environment names. */
  readonly home: string | undefined;
  readonly keepProfile: boolean;
  readonly json: boolean;
}

/** `help`: it was asked for. @throws PlumbfoxError `bad-input` */
export function parseHelperArguments(args: readonly string[]): HelperArguments | 'help' {
  const { values, positionals } = parse(args);
  if (values.help) return 'help';
  const [name, ...others] = positionals;
  const action = HELPER_ACTIONS.find((each) => each === name);
  if (action === undefined || others.length > 0) {
    throw new PlumbfoxError('bad-input', `Say one of ${HELPER_ACTIONS.join(', ')}. See plumbfox helper --help`);
  }
  if (values['keep-profile'] && action !== 'uninstall') throw new PlumbfoxError('bad-input', '--keep-profile is for uninstall');
  if (values.home === '') throw new PlumbfoxError('bad-input', '--home: name a folder');
  const home = values.home === undefined || isAbsolute(values.home) ? values.home : resolve(values.home);
  return { action, home, keepProfile: values['keep-profile'] ?? false, json: values.json ?? false };
}

function parse(args: readonly string[]) {
  const options = {
    home: { type: 'string' },
    'keep-profile': { type: 'boolean' },
    json: { type: 'boolean' },
    help: { type: 'boolean', short: 'h' },
  } as const;
  return readOptions('helper', options, () => parseArgs({ args: [...args], options, strict: true, allowPositionals: true }));
}
