/** The arguments of `plumbfox policy`, and its help. */
import { PlumbfoxError } from '../../core/errors.ts';
import type { PolicyStatus } from '../../core/profiles/policies-json.ts';
import type { Carrier, Profile } from '../../core/profiles/profile.ts';
import { ACCEPT_PRICE } from '../accept-price.ts';
import { readOptions } from '../arguments.ts';
import { givenProfile } from '../given-profiles.ts';

export const POLICY_HELP = `plumbfox policy: prints, installs or removes a profile as an enterprise policy of Firefox

  plumbfox policy --profile ID [options]              print policies.json; stderr says where it goes
  plumbfox policy --profile ID --install [options]    merge it into Firefox's own file and keep every other policy (as its owner: mostly root)
  plumbfox policy --uninstall                         remove it again, to the byte where the file is unchanged since then (as its owner)

  --profile ID       the profile, such as c4-d1, c16-d1+PREFERENCE=VALUE, or a file (user.js, policies.json,
                     profiles.json); firefox-default sets nothing
  --status STATUS    default: the user's own value wins; locked: the policy wins (default: default)
  --carrier CARRIER  what provides a depth above 1: none, or http2 (default: none)
  --merge FILE       merge it with the policies in this file, and print both
  --trial FILE       a trial that the extension starts by itself, as JSON: {"candidates": ["c4-d1", "c8-d1"],
                     "slots": {"kind": "loads", "perSlot": 3}, "mostLoadsPerArm": 500}; only the candidates are required
  --extension [XPI]  for Firefox ESR: install the lab build of the extension from this file, which switches profiles while Firefox runs.
                     It is unsigned: signature checks go off and Experiments on, for every user (default: the one built here)
  --yes-unsigned     with --install --extension: also on a machine where Firefox is used already
  --install          merge into the file Firefox reads, keep a copy of the former one, and copy the package beside it
  --uninstall        remove our part of it again
  --accept-price A,B with --install: write these (PREFERENCE=VALUE; of a switch the name is enough) although they cost
                     privacy or security; without it, Plumbfox asks, or refuses where there is no terminal
  --file FILE        with --install and --uninstall: use this policies.json instead of the one found
  --json             with --install and --uninstall: print what was done as one JSON document

--install accepts a package only where no user but root can replace it: it must not be a symbolic link, and neither the
file nor a folder above it may belong to another user or be writable by a group or by everybody.

exit codes: 0 done, 1 internal error, 2 bad arguments, a refused package or file, or a missing --yes-unsigned,
3 only root or another user may change the file, or the disk is in the way
`;

export interface PolicyContent {
  readonly profile: Profile;
  /** One line each on what the file of the profile has and the profile does not set. */
  readonly notices: readonly string[];
  readonly status: PolicyStatus;
  readonly carrier: Carrier;
  readonly trial: string | undefined;
  /** `built`: the lab build of this installation. `undefined`: the policy does not install the extension. */
  readonly extension: { readonly path: string } | 'built' | undefined;
}

export type PolicyArguments =
  | { readonly action: 'help' }
  | { readonly action: 'print'; readonly content: PolicyContent; readonly merge: string | undefined }
  | {
      readonly action: 'install';
      readonly content: PolicyContent;
      readonly file: string | undefined;
      readonly json: boolean;
      readonly yesUnsigned: boolean;
      /** The values of `--accept-price`. */
      readonly acceptPrice: readonly string[] | undefined;
    }
  | { readonly action: 'uninstall'; readonly file: string | undefined; readonly json: boolean };

const CARRIERS = ['none', 'http2'] as const;
const STATUSES = ['default', 'locked'] as const;

export function policyArguments(args: readonly string[]): PolicyArguments {
  const { values, extension } = parse(args);
  if (values.help) return { action: 'help' };
  const { install = false, uninstall = false, json = false, file, merge } = values;
  if (install && uninstall) throw refused('Choose --install or --uninstall, not both');
  if (!install && !uninstall && (json || file !== undefined)) {
    throw refused(`--${json ? 'json' : 'file'} goes with --install or --uninstall; without them the policy itself is printed as JSON`);
  }
  const yesUnsigned = values['yes-unsigned'] ?? false;
  if (yesUnsigned && (!install || extension === undefined)) throw refused('--yes-unsigned goes with --install and --extension');
  if (uninstall) {
    const other = ['profile', 'status', 'carrier', 'merge', 'trial'].find((name) => Object.hasOwn(values, name));
    if (other !== undefined || extension !== undefined)
      throw refused(`--uninstall removes everything and takes no --${other ?? 'extension'}`);
    return { action: 'uninstall', file, json };
  }
  if (!install && values['accept-price'] !== undefined)
    throw refused('--accept-price goes with --install: a printed policy is not written');
  if (install && merge !== undefined) throw refused('--install merges into the file that Firefox reads; --merge is for printing');
  const { profile, notices } = givenProfile(values.profile, 'plumbfox policy --profile c4-d1');
  const content: PolicyContent = {
    profile,
    notices,
    status: oneOf('--status', STATUSES, values.status),
    carrier: oneOf('--carrier', CARRIERS, values.carrier),
    trial: values.trial,
    extension,
  };
  return install
    ? { action: 'install', content, file, json, yesUnsigned, acceptPrice: values['accept-price'] }
    : { action: 'print', content, merge };
}

/** The first is the default. */
function oneOf<const T extends string>(option: string, known: readonly [T, ...T[]], text: string | undefined): T {
  if (text === undefined) return known[0];
  const found = known.find((one) => one === text);
  if (found === undefined) throw refused(`${option} is one of ${known.join(', ')}, not "${text}"`);
  return found;
}

/** `--extension` may stand alone, which the parser of Node does not know. */
function parse(args: readonly string[]) {
  const at = args.indexOf('--extension');
  const next = args[at + 1];
  const alone = at >= 0 && (next === undefined || next.startsWith('-'));
  const options = {
    profile: { type: 'string' },
    status: { type: 'string' },
    carrier: { type: 'string' },
    merge: { type: 'string' },
    trial: { type: 'string' },
    extension: { type: 'string' },
    install: { type: 'boolean' },
    uninstall: { type: 'boolean' },
    'yes-unsigned': { type: 'boolean' },
    file: { type: 'string' },
    ...ACCEPT_PRICE,
    json: { type: 'boolean' },
  } as const;
  const values = readOptions('policy', alone ? args.toSpliced(at, 1) : args, options);
  const extension = alone ? ('built' as const) : values.extension === undefined ? undefined : { path: values.extension };
  return { values, extension };
}

const refused = (message: string): PlumbfoxError => new PlumbfoxError('bad-input', message);
