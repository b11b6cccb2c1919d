/**
 * Entry point of plumbfox-helper.mjs, which Firefox starts for the extension: messages come by stdin and are answered on stdout. With `guard DIR`
 * it watches over a profile instead.
 */
import { fileURLToPath } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import { PlumbfoxError } from '../../core/errors.ts';
import { printable } from '../../core/text/text-table.ts';
import { PLUMBFOX_VERSION } from '../../core/version.ts';
import { errorCode } from '../errors.ts';
import { GUARD_COMMAND, runGuard, startGuard } from '../guard.ts';
import { checkCaller } from '../install/registration.ts';
import { noteProfile } from '../install/touched-profiles.ts';
import { askingFirefox } from '../profile/firefox-process.ts';
import { openProfile } from '../profile/profile-changes.ts';
import { openHost } from './operations.ts';
import { reportProgress, runSession } from './session.ts';

// V8 doubles its room for new objects while messages keep coming: 100,000 took the process to 125 MB; without that to 80 MB (Node 20).
setFlagsFromString('--semi-space-growth-factor=1');

const EXIT = { done: 0, failed: 1, badInput: 2 } as const;

async function main(args: readonly string[]): Promise<void> {
  const [command, directory, ...others] = args;
  if (command === GUARD_COMMAND && directory !== undefined && others.length === 0) return runGuard(directory);
  const send = takeOutput();
  checkCaller(args);
  const host = openHost({
    version: PLUMBFOX_VERSION,
    system: systemHere(),
    asking: () => askingFirefox(),
    openProfile: (folder, askedBy) => openProfile(folder, { now: Date.now, askedBy }),
    watchOver: (folder) => watchOver(fileURLToPath(import.meta.url), folder),
    openProbe: async (width) => (await import('../probe/server.ts')).openProbe(width),
    openGateway: async (width) => (await import('./gateway-service.ts')).openGateway(width),
  });
  // The request in progress is finished first: Firefox waits 3 s before it kills the host.
  process.once('SIGTERM', () => process.stdin.destroy());
  try {
    await runSession({ input: untilClosed(process.stdin), send, operations: host.operations, onInternal: report, reportProgress });
  } finally {
    await host.close();
  }
}

/**
 * Reserves stdout for frames: anything else printed in this process goes to the browser's console.
 * @returns a function that writes to stdout; it settles when the bytes are taken, or there is no reader any more.
 */
function takeOutput(): (bytes: Buffer) => Promise<void> {
  const { stdout, stderr } = process;
  const write = stdout.write.bind(stdout);
  stdout.write = stderr.write.bind(stderr);
  // After Firefox has exited the input ends, and with it the session.
  stdout.on('error', () => {});
  stderr.on('error', () => {});
  return (bytes) =>
    new Promise((resolve, reject) => {
      write(bytes, (error) => (error && errorCode(error) !== 'EPIPE' ? reject(error) : resolve()));
    });
}

/** A stream that is destroyed while it is read fails, which counts as its end. */
async function* untilClosed(input: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* input;
  } catch (error) {
    if (errorCode(error) !== 'ERR_STREAM_PREMATURE_CLOSE') throw error;
  }
}

async function watchOver(program: string, directory: string): Promise<void> {
  await startGuard({ program, directory });
  await noteProfile(program, directory);
}

function systemHere(): 'linux' | 'darwin' | 'win32' {
  const { platform } = process;
  if (platform === 'linux' || platform === 'darwin' || platform === 'win32') return platform;
  throw new PlumbfoxError('environment', `The helper app runs on Linux, macOS and Windows, not on ${platform}`);
}

function report(error: unknown): void {
  const text = error instanceof PlumbfoxError ? error.message : error instanceof Error ? (error.stack ?? error.message) : String(error);
  process.stderr.write(`plumbfox-helper: ${text.split('\n').map(printable).join('\n')}\n`);
}

main(process.argv.slice(2)).then(
  () => process.exit(EXIT.done),
  (error: unknown) => {
    report(error);
    process.exit(error instanceof PlumbfoxError && error.kind === 'bad-input' ? EXIT.badInput : EXIT.failed);
  },
);
