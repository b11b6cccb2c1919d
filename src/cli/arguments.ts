/** What a person typed after a command, as Node reads it; its complaints become ours. */
import { PlumbfoxError } from '../core/errors.ts';
import { nearestName } from '../core/nearest-name.ts';
import { oneLine } from './one-line.ts';

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
      const hint = `${dashed} lacks its value, or has one that begins with a dash: that is written ${dashed}=VALUE`;
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
