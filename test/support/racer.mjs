/**
 * Exchanges what a writer is about to use for a way to somebody else's file, without pause, until it is killed or whoever started it is gone:
 * KIND, FOLDER, VICTIM (a folder that holds a `user.js`). Says `racing` once it has done so.
 */
import { existsSync, lstatSync, mkdirSync, renameSync, rmSync, symlinkSync, watch, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const [kind, folder, victim] = process.argv.slice(2);
const target = join(folder, 'user.js');
const aside = join(dirname(folder), 'aside');
const swap = join(dirname(folder), 'swap');

/** A moment later it may have been exchanged again by the writer itself. */
function attempt(change) {
  try {
    change();
  } catch {}
}

function link(to, at) {
  rmSync(swap, { force: true });
  symlinkSync(to, swap);
  renameSync(swap, at);
}

function plain(at) {
  rmSync(swap, { force: true });
  writeFileSync(swap, 'former', { flag: 'wx' });
  renameSync(swap, at);
}

function exchangeTarget() {
  link(join(victim, 'user.js'), target);
  plain(target);
}

function exchangeFolder() {
  renameSync(folder, aside);
  symlinkSync(victim, folder);
  rmSync(folder);
  renameSync(aside, folder);
}

/** The folder must be there again, however far an attempt came. */
function mend() {
  if (existsSync(aside)) {
    rmSync(folder, { force: true });
    renameSync(aside, folder);
  }
  if (!existsSync(folder)) mkdirSync(folder);
}

function race(change) {
  attempt(change);
  process.stdout.write('racing\n');
  const parent = process.ppid;
  for (let at = 0; at % 1000 !== 0 || process.ppid === parent; at += 1) {
    attempt(change);
    attempt(mend);
  }
}

if (kind === 'target') race(exchangeTarget);
else if (kind === 'folder') race(exchangeFolder);
else {
  // What appears is exchanged at once; inotify tells of it. A link that has come as far as the file's name goes again.
  watch(folder, (_, name) => {
    if (name?.endsWith('.tmp')) attempt(() => existsSync(join(folder, name)) && link(join(victim, 'user.js'), join(folder, name)));
    attempt(() => {
      if (lstatSync(target).isSymbolicLink()) plain(target);
    });
  });
  process.stdin.on('end', () => process.exit()).resume();
  process.stdout.write('racing\n');
}
