/** Which processes there are on this machine, by /proc (Linux). */
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

export interface FoundProcess {
  readonly pid: number;
  /** Name of the program, at most 15 characters. */
  readonly name: string;
}

/** Those in the same network namespace as a process, itself not among them. */
export function besideIn(pid: number): readonly FoundProcess[] {
  return inNetwork(networkOf(pid)).filter((found) => found.pid !== pid);
}

/** A network namespace by its identity. */
const networkOf = (pid: number): string => readlinkSync(`/proc/${pid}/ns/net`);

export const inNetwork = (network: string): readonly FoundProcess[] => all().filter(({ pid }) => attempt(() => networkOf(pid)) === network);

/** Children, their children, and so on. */
export function descendantsOf(pid: number): readonly FoundProcess[] {
  const children = all().filter((found) => parentOf(found.pid) === pid);
  return [...children, ...children.flatMap((child) => descendantsOf(child.pid))];
}

function all(): readonly FoundProcess[] {
  return readdirSync('/proc')
    .filter((entry) => /^\d+$/.test(entry))
    .flatMap((entry) => {
      const name = attempt(() => readFileSync(`/proc/${entry}/comm`, 'utf8').trim());
      return name === undefined ? [] : [{ pid: Number(entry), name }];
    });
}

const parentOf = (pid: number): number | undefined =>
  Number(/^PPid:\s+(\d+)/m.exec(attempt(() => readFileSync(`/proc/${pid}/status`, 'utf8')) ?? '')?.[1]);

/** A process may end while it is looked at; a zombie has no namespace any more. */
function attempt<T>(look: () => T): T | undefined {
  try {
    return look();
  } catch {
    return undefined;
  }
}
