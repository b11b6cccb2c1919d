/**
 * Lets this process and all it started go before other programs. Where the kernel has autogroups, a processor is shared out between sessions,
 * and `nice` counts within one alone (sched(7)): somebody else's work at nice 19 takes as much as a Firefox, which has a session of its own.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';

/** Of an autogroup: 28 times the share of one at 0 (sched_prio_to_weight of Linux: 29,154 to 1,024), as a program has at nice 0 beside one at 15. */
const FIRST = -15;
/** A browser that is started anew has waited no longer than for its first window. */
const EVERY_MS = 2000;

/**
 * Until what is returned is called; changes nothing where the kernel has no autogroups or this process may not set them. A process that
 * the system started without a session of its own is in none: what it started still goes first.
 */
export function raiseAutogroups(): () => void {
  const own = process.pid;
  const before = niceOf(own);
  const put = () => {
    for (const pid of [own, ...descendantsOf(own)]) setNice(pid, FIRST);
  };
  put();
  const timer = setInterval(put, EVERY_MS);
  return () => {
    clearInterval(timer);
    if (before !== undefined) setNice(own, before);
  };
}

/** `/autogroup-12 nice 0` */
const niceOf = (pid: number): number | undefined => {
  const [, nice] = /nice (-?\d+)/.exec(attempt(() => readFileSync(autogroupOf(pid), 'utf8')) ?? '') ?? [];
  return nice === undefined ? undefined : Number(nice);
};

const setNice = (pid: number, nice: number): void => {
  attempt(() => writeFileSync(autogroupOf(pid), String(nice)));
};

const autogroupOf = (pid: number): string => `/proc/${pid}/autogroup`;

/** Children, their children, and so on. */
function descendantsOf(root: number): readonly number[] {
  const pids = readdirSync('/proc').flatMap((entry) => (/^\d+$/.test(entry) ? Number(entry) : []));
  const parents = new Map(pids.map((pid) => [pid, parentOf(pid)]));
  const found = new Set([root]);
  for (let size = 0; size < found.size; ) {
    size = found.size;
    for (const [pid, parent] of parents) if (parent !== undefined && found.has(parent)) found.add(pid);
  }
  found.delete(root);
  return [...found];
}

const parentOf = (pid: number): number | undefined => {
  const [, parent] = /^PPid:\s+(\d+)/m.exec(attempt(() => readFileSync(`/proc/${pid}/status`, 'utf8')) ?? '') ?? [];
  return parent === undefined ? undefined : Number(parent);
};

/** A process may end while it is looked at. */
function attempt<T>(look: () => T): T | undefined {
  try {
    return look();
  } catch {
    return undefined;
  }
}
