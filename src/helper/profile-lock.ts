/**
 * One helper at a time works on a profile folder. The system itself holds the lock and takes it back when the process ends, however that is;
 * no file is left behind that somebody would have to judge.
 */
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { closeSync, constants, openSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { errorCode, fileError } from './file-errors.ts';
import { HostError } from './host-error.ts';

/** Pauses between two attempts, where somebody waits at all. */
const PAUSE_MS = 50;

/**
 * @param options.patienceMs - How long to wait for another helper; 0: not at all.
 * @throws HostError `busy` while another holds it.
 */
export async function withProfileLock<T>(
  directory: string,
  { patienceMs = 0 }: { patienceMs?: number },
  work: () => Promise<T>,
): Promise<T> {
  let release = await take(directory);
  for (let waitedMs = 0; release === undefined && waitedMs < patienceMs; waitedMs += PAUSE_MS) {
    await wait(PAUSE_MS);
    release = await take(directory);
  }
  if (release === undefined) throw new HostError('busy', `Another Plumbfox is at work on ${directory}; try again in a moment`);
  try {
    return await work();
  } finally {
    await release();
  }
}

type Release = () => Promise<void>;

/** `undefined`: another has it. */
async function take(directory: string): Promise<Release | undefined> {
  try {
    switch (process.platform) {
      case 'linux':
        return await listen(`\0${nameFor(directory)}`);
      case 'win32':
        return await listen(`\\\\.\\pipe\\${nameFor(directory)}`);
      default:
        return flock(directory);
    }
  } catch (error) {
    if (['EADDRINUSE', 'EAGAIN', 'EWOULDBLOCK', 'EACCES'].includes(errorCode(error) ?? '')) return undefined;
    throw fileError(directory, error);
  }
}

/**
 * Length of a name in unix(7), abstract sockets, that fills the whole address: a shorter one is filled up with NUL by some versions of libuv
 * and not by others, and would be two names.
 */
const NAME_LENGTH = 107;

/** By the folder itself, however it is called; nobody else can know its number who cannot look into the folder above. */
function nameFor(directory: string): string {
  const { dev, ino } = statSync(directory, { bigint: true });
  return `plumbfox-profile-${createHash('sha512').update(`${dev}:${ino}`).digest('hex')}`.slice(0, NAME_LENGTH);
}

async function listen(name: string): Promise<Release> {
  const server = createServer((connection) => connection.destroy());
  server.listen(name);
  await once(server, 'listening');
  return async () => {
    server.close();
    await once(server, 'close');
  };
}

/** open(2) of macOS and the BSDs, which Node does not name: an exclusive lock of the file with the descriptor. Not seen by us. */
const O_EXLOCK = 0x20;

function flock(directory: string): Release {
  const fd = openSync(directory, constants.O_RDONLY | constants.O_NONBLOCK | O_EXLOCK);
  return async () => closeSync(fd);
}
