/** The `plumbfox` command. */

import { PlumbfoxError } from '../core/errors.ts';
import { didYouMean } from '../core/nearest-name.ts';
import { PLUMBFOX_VERSION } from '../core/version.ts';
import { handleUnhandledErrors } from '../lab/process/process-lifetimes.ts';
import { apply, revert, status } from './apply/apply.ts';
import { audit } from './audit/audit.ts';
import { byHand } from './by-hand.ts';
import { compare } from './compare.ts';
import { EXIT_CODES, exitCodeFor, oneLine } from './errors.ts';
import { gateway } from './gateway.ts';
import { helper } from './helper.ts';
import { importHarCommand } from './import-har.ts';
import { lab } from './lab/lab.ts';
import { runnable } from './output/own-command.ts';
import { print } from './output/terminal.ts';
import { policy } from './policy/policy.ts';
import { predict } from './predict/predict.ts';
import { probe } from './probe.ts';
import { report } from './report.ts';
import { tune } from './tune/tune.ts';

type Command = (args: readonly string[]) => Promise<number>;

const COMMANDS: Readonly<Record<string, Command>> = {
  tune,
  lab,
  audit,
  predict,
  compare,
  report,
  'import-har': importHarCommand,
  apply,
  revert,
  status,
  policy,
  helper,
  'by-hand': byHand,
  probe,
  gateway,
};

const USAGE = `plumbfox: finds the network settings that make Firefox faster on this machine, network and sites

  plumbfox tune [options]     measure profiles in a real Firefox and recommend one
  plumbfox lab run STUDY      run a study: many Firefoxes over emulated networks
  plumbfox audit FILE         say of each line of a tweak list (user.js, policies.json) what it does here
  plumbfox predict FILE       simulate a saved page load under every profile, without measuring
  plumbfox import-har FILE    turn a saved page load (HAR) into a page of the lab
  plumbfox compare REPORT...  compare several reports together
  plumbfox report FILE        show a report again
  plumbfox apply              write a profile into Firefox's user.js (revert undoes it, status shows it)
  plumbfox helper install     install the helper app, so that the extension can apply profiles
  plumbfox policy             print, install or remove a profile as an enterprise policy
  plumbfox by-hand            show how to set a profile manually, in Firefox for Android too
  plumbfox probe              count a browser's connections, on this machine or on a phone
  plumbfox gateway            run a proxy that pipelines requests to plain-http sites

  plumbfox COMMAND --help     show the options of a command (plumbfox help COMMAND does the same)
  plumbfox --version
`;

async function main([command, ...args]: readonly string[]): Promise<number> {
  if (command === undefined || command === '--help' || command === '-h') return print(USAGE);
  if (command === '--version') return print(`plumbfox ${PLUMBFOX_VERSION}\n`);
  if (command === 'help') return args[0] === undefined ? print(USAGE) : commandNamed(args[0])(['--help']);
  return commandNamed(command)(args);
}

/** @throws PlumbfoxError `bad-input` naming the commands there are. */
function commandNamed(name: string): Command {
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (command) return command;
  const known = Object.keys(COMMANDS);
  throw new PlumbfoxError('bad-input', `There is no command "${name}".${didYouMean(name, known)} Commands: ${known.join(', ')}`);
}

/** A reader that has seen enough (`| head`) is no fault; the results are in their files. Anything else is reported. */
function onBrokenOutput(error: NodeJS.ErrnoException): void {
  if (error.code === 'EPIPE') return;
  process.stderr.write(`plumbfox: the output cannot be written (${error.code ?? oneLine(error.message)})\n`);
  process.exitCode = EXIT_CODES.environment;
}

process.stdout.on('error', onBrokenOutput);
// No reader is left to report to.
process.stderr.on('error', () => {});

/** A fault that no command waits for: as any other internal error, and at once; the children end with this process. */
handleUnhandledErrors((line, error) => {
  process.stderr.write(`plumbfox: ${line}\n`);
  printStack(error);
  process.exit(EXIT_CODES.internal);
});

function printStack(error: unknown): void {
  if (!(error instanceof PlumbfoxError) && process.env.PLUMBFOX_DEBUG && error instanceof Error) process.stderr.write(`${error.stack}\n`);
}

/** Whatever is left open must not keep a command that has done its work; its output must have been taken first. */
const LINGER_MS = 3000;

function endSoon(): void {
  setInterval(() => {
    if (process.stdout.writableLength === 0 && process.stderr.writableLength === 0) process.exit();
  }, LINGER_MS).unref();
}

main(process.argv.slice(2)).then(
  (code) => {
    process.exitCode ??= code;
    endSoon();
  },
  (error: unknown) => {
    const text =
      error instanceof PlumbfoxError ? error.message : `internal error: ${error instanceof Error ? error.message : String(error)}`;
    process.stderr.write(`plumbfox: ${oneLine(runnable(text))}\n`);
    printStack(error);
    process.exitCode = exitCodeFor(error);
    endSoon();
  },
);
