/**
 * How this very Plumbfox is started from a person's shell: the one place that forms such a command. Never by a name that a registry would look up
 * (`npx`): outside a clone that would run whatever a stranger has put there.
 */
import { realpathSync } from 'node:fs';
import { delimiter, join, sep } from 'node:path';
import { quotedWord } from '../../helper/install/registration.ts';

/** Where this program is, and what the person's shell finds; a test passes its own. */
interface OwnSurroundings {
  readonly program: string | undefined;
  readonly node: string;
  readonly path: string;
}

const here = (): OwnSurroundings => ({ program: process.argv[1], node: process.execPath, path: process.env.PATH ?? '' });

/** `plumbfox` where the shell finds this very program by that name; else Node and the file, both findable from any folder. */
export function ownCommand(around: OwnSurroundings = here()): string {
  if (around.program === undefined) return 'plumbfox';
  const program = real(around.program);
  if (foundAs('plumbfox', around.path) === program) return 'plumbfox';
  const node = foundAs('node', around.path) === real(around.node) ? 'node' : shellWord(around.node);
  return `${node} ${shellWord(program)}`;
}

/** The command with its arguments, quoted where a shell would split them. */
export const rootlessCommand = (args: readonly string[]): string => [ownCommand(), ...args.map((word) => shellWord(word))].join(' ');

/** The command for root, by full paths: sudo looks in folders of its own (`secure_path`) and may find neither Node nor plumbfox. */
export function rootCommand(args: readonly string[], { program, node }: OwnSurroundings = here()): string {
  return ['sudo', node, program === undefined ? 'plumbfox' : real(program), ...args].map((word) => shellWord(word)).join(' ');
}

/** A command that is named, except for "see plumbfox COMMAND --help", which stays short. */
const COMMAND_NAMED =
  /(?<![\w./-])plumbfox (?=(?:tune|lab|audit|predict|compare|report|import-har|apply|revert|status|policy|helper|by-hand|probe|gateway)\b)(?![\w-]+ --help)/g;

/** A text for the person at this shell, in which each `plumbfox COMMAND` can be pasted. */
export const runnable = (text: string, own: string = ownCommand()): string => text.replaceAll(COMMAND_NAMED, () => `${own} `);

function real(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

/** What a shell finds; npm puts its own folders before the others while it runs something, and takes them away again. */
function foundAs(name: string, path: string): string | undefined {
  const folders = path
    .split(delimiter)
    .filter((folder) => folder !== '' && !/(?:^|[\\/])(?:node_modules|_npx)(?:[\\/]|$)/.test(folder + sep));
  for (const folder of folders) {
    try {
      return realpathSync(join(folder, name));
    } catch {}
  }
  return undefined;
}

const PLAIN = /^[\w@%+=:,./-]+$/;

/**
 * A word of a command, quoted where the shells of Linux and macOS would change it. Those of Windows take double quotes, which its file names
 * cannot hold.
 */
export function shellWord(word: string, platform: NodeJS.Platform = process.platform): string {
  if (PLAIN.test(word)) return word;
  return platform === 'win32' ? `"${word}"` : quotedWord(word);
}
