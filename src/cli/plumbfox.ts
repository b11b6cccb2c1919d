/** The `plumbfox` command. */
import { PlumbfoxError } from '../core/errors.ts';
import { EXIT_CODES, exitCodeFor } from './exit-code.ts';
import { tune } from './tune-command.ts';

const COMMANDS: Readonly<Record<string, (args: readonly string[]) => Promise<number>>> = { tune };

const USAGE = `plumbfox: which network preferences make Firefox faster on this machine, this network, these sites?

  plumbfox tune [options]     measures profiles in a real Firefox and recommends one; see plumbfox tune --help
`;

async function main([command, ...args]: readonly string[]): Promise<number> {
  if (command === undefined || command === '--help' || command === '-h' || command === 'help') {
    process.stdout.write(USAGE);
    return command === undefined ? EXIT_CODES.badInput : EXIT_CODES.done;
  }
  const run = Object.hasOwn(COMMANDS, command) ? COMMANDS[command] : undefined;
  if (!run) throw new PlumbfoxError('bad-input', `There is no command "${command}". Commands: ${Object.keys(COMMANDS).join(', ')}`);
  return run(args);
}

main(process.argv.slice(2)).then(
  (code) => {
    process.exitCode = code;
  },
  (error: unknown) => {
    const text =
      error instanceof PlumbfoxError ? error.message : `internal error: ${error instanceof Error ? error.message : String(error)}`;
    process.stderr.write(`plumbfox: ${text}\n`);
    if (!(error instanceof PlumbfoxError) && process.env.PLUMBFOX_DEBUG && error instanceof Error) process.stderr.write(`${error.stack}\n`);
    process.exitCode = exitCodeFor(error);
  },
);
