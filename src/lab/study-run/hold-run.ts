/** One command at a time measures into a folder: two would both make every load, and one could cut off what the other is writing. */
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { realpathSync } from 'node:fs';
import { createServer } from 'node:net';
import { PlumbfoxError } from '../../core/errors.ts';

/** Nobody else measures into the folder until `release`, or until this process ends. */
export interface HeldRun {
  release(): void;
}

/**
 * Holds the folder by a socket without a file, whose name Linux gives to one process at a time and takes back when it ends, however that is
 * (unix(7), abstract sockets).
 * @throws PlumbfoxError `bad-input` while another process of this machine holds it.
 */
export async function holdRun(folder: string): Promise<HeldRun> {
  const name = createHash('sha256').update(realpathSync(folder)).digest('hex').slice(0, 32);
  const server = createServer((connection) => connection.destroy());
  server.listen(`\0plumbfox-run-${name}`);
  try {
    await once(server, 'listening');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    throw new PlumbfoxError('bad-input', `Another run measures into ${folder}: wait until it is over, or stop it`, { cause: error });
  }
  server.unref();
  return {
    release: () => {
      server.close();
    },
  };
}
