/** What the origin process does about the servers in front of it, as requests of the command. */
import { rm } from 'node:fs/promises';
import { PlumbfoxError } from '../../core/errors.ts';
import { type FrontOrder, type FrontProcess, startFrontProcess } from './reverse-proxy-process.ts';

export interface FrontsRpc {
  readonly handlers: {
    'start-front': (order: FrontOrder) => Promise<void>;
    /** Answers when it has gone, with what ended it. */
    'front-ended': (name: string) => Promise<string>;
    'stop-fronts': () => Promise<void>;
    /** Removed with everything in it when this process ends, however the command ends. */
    'front-folder': (path: string) => void;
  };
  close(): Promise<void>;
}

export function frontsRpc(): FrontsRpc {
  const running = new Map<string, FrontProcess>();
  const folders: string[] = [];
  const close = async () => {
    const stopping = [...running.values()].map((front) => front.close());
    running.clear();
    await Promise.all(stopping);
    // As whoever this process is: programs that root started may have left files of root's.
    for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  };
  return {
    handlers: {
      'start-front': async (order) => {
        running.set(order.name, await startFrontProcess(order));
      },
      'front-ended': (name) => {
        const front = running.get(name);
        if (!front) throw new PlumbfoxError('internal', `No server ${name} was started`);
        return front.ended;
      },
      'stop-fronts': close,
      'front-folder': (path) => {
        folders.push(path);
      },
    },
    close,
  };
}
