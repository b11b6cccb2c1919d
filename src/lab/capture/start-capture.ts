/** Records the packets of one side of a lane with tcpdump, from the moment it listens until it is stopped. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { createInterface, type Interface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import * as v from 'valibot';
import { PlumbfoxError } from '../../core/errors.ts';
import type { NamespaceProcess } from '../link/namespace-process.ts';
import { tryCommand } from '../process/run-command.ts';
import { type PcapFile, readPcap } from './pcap-file.ts';

interface CaptureOptions {
  /** Rights to enter the namespace with; empty for root. */
  readonly prefix: readonly string[];
  /** A process inside the network namespace. */
  readonly pid: number;
  /** The network device of that namespace. */
  readonly device: string;
  /** The file, overwritten; ends in `.pcap`: Debian's AppArmor profile lets tcpdump write no other. */
  readonly path: string;
  /** Bytes kept of every packet; the whole packet where responses on plain HTTP/1.1 are to be told apart. */
  readonly snapLengthBytes: number;
}

interface CaptureEnd {
  readonly packets: number;
  /** Packets that the kernel threw away, or that tcpdump had not read when it was stopped, because it was too slow; a capture with any is not complete. */
  readonly missedPackets: number;
}

export interface Capture {
  /** Ends tcpdump, with everything written. @throws PlumbfoxError `environment` when tcpdump had ended before, with why. */
  stop(): Promise<CaptureEnd>;
  /** Ends tcpdump where it still runs, whatever became of the file. */
  abandon(): Promise<void>;
}

/**
 * tcpdump is stopped when the command's end of the pipe closes, however that happens, and prints its counts for every line before; the shell
 * ends when tcpdump has, also when it did so by itself (its device is gone). Both children are waited for, so that none is left over where
 * process 1 waits for no process.
 */
const TIED_TO_STDIN = `exec 3<&0
tcpdump "$@" & dump=$!
(while read -r line <&3; do kill -USR1 "$dump"; done; kill "$dump") 2>/dev/null & watch=$!
wait "$dump"
kill "$watch" 2>/dev/null
wait "$watch"`;

/** tcpdump prints this on stderr when it takes packets (4.99.3). */
const READY_NOTICE = 'listening on';

/** @throws PlumbfoxError `environment` naming the Debian package where tcpdump is missing, or with tcpdump's own reason. */
export async function startCapture(options: CaptureOptions): Promise<Capture> {
  if (!options.path.endsWith('.pcap')) throw new PlumbfoxError('bad-input', `A capture's file name ends in .pcap: ${options.path}`);
  if ((await missingCapturePackages()).length > 0)
    throw new PlumbfoxError('environment', 'Captures need tcpdump. Install it with: sudo apt-get install tcpdump');
  const tcpdump = spawnTcpdump(options);
  const { stdin, stderr } = tcpdump;
  if (!stdin || !stderr) throw new PlumbfoxError('internal', 'tcpdump has no stdin, or no stderr');
  const said = createInterface({ input: stderr });
  const lines: string[] = [];
  // Also where it cannot be started, which `listening` reports.
  const ended = new Promise<void>((resolve) => tcpdump.once('close', () => resolve()).once('error', () => resolve()));
  await listening(tcpdump, { said, lines });
  const end = async () => {
    stdin.end();
    // Not the shell's exit: stderr closes when tcpdump itself has gone, with its file written.
    await ended;
  };
  return {
    stop: async () => {
      const isRead = await untilRead({ device: options.device, ask: () => stdin.write('\n'), said });
      const early = tcpdump.exitCode !== null || tcpdump.signalCode !== null;
      await end();
      const counts = countsOf(lines.slice(-COUNT_LINES).join(', '));
      if (early || !counts) throw new PlumbfoxError('environment', `tcpdump ended in the middle of the capture${complaintIn(lines)}`);
      expectWhole(options.path, counts);
      const unreadPackets = isRead ? 0 : unreadOf(counts, options.device);
      return { packets: counts.packets, missedPackets: counts.droppedPackets + unreadPackets };
    },
    abandon: end,
  };
}

/** @returns the packages whose programs a capture needs and that are missing, as Debian names them. */
export async function missingCapturePackages(): Promise<readonly string[]> {
  const found = await tryCommand(['sh', '-c', 'command -v tcpdump']);
  return found.code === 0 ? [] : ['tcpdump'];
}

function spawnTcpdump({ prefix, pid, device, path, snapLengthBytes }: CaptureOptions): ChildProcess {
  const inside = [...prefix, 'nsenter', '--target', String(pid), '--net', 'env', 'LC_ALL=C', 'sh', '-c', TIED_TO_STDIN, 'sh'];
  // Every packet at once to tcpdump and at once to the file, so that none waits in a buffer when it is stopped. No names looked up.
  const how = ['--immediate-mode', '-U', '-n', '-p', '-B', String(KERNEL_BUFFER_KIB), '-s', String(snapLengthBytes)];
  const [program, ...rest] = [...inside, '-i', device, ...how, '-w', '-', 'ip'];
  // The file is opened here, so that it belongs to whoever runs the command, not to root.
  const file = openForWriting(path);
  try {
    return spawn(program as string, rest, { stdio: ['pipe', file, 'pipe'], detached: true });
  } finally {
    closeSync(file);
  }
}

/** Room for some 5,000 full-size packets while tcpdump does not get the processor. */
const KERNEL_BUFFER_KIB = 8192;

function openForWriting(path: string): number {
  try {
    return openSync(path, 'w');
  } catch (error) {
    throw new PlumbfoxError('environment', `The capture cannot be written: ${(error as Error).message}`, { cause: error });
  }
}

/** Settles when packets are being taken; what it prints, now and afterwards, is gathered in `lines`. */
function listening(tcpdump: ChildProcess, { said, lines }: { said: Interface; lines: string[] }): Promise<void> {
  return new Promise((resolve, reject) => {
    const refuse = (why: string) => reject(new PlumbfoxError('environment', `tcpdump did not start${why}`));
    said
      .on('line', (line) => {
        lines.push(line);
        if (line.includes(READY_NOTICE)) resolve();
      })
      .on('close', () => refuse(complaintIn(lines)));
    tcpdump.once('error', (error) => refuse(`: ${error.message}`));
    tcpdump.stdin?.on('error', () => {});
  });
}

/** tcpdump does not look whether what it writes is written (4.99.3), and on a full disk it is not. */
function expectWhole(path: string, { packets }: TcpdumpCounts): void {
  const { records, brokenOffBytes } = readPcapOrNothing(path);
  if (records.length === packets && brokenOffBytes === 0) return;
  const lost = `${records.length} of ${packets} packets are in it`;
  throw new PlumbfoxError('environment', `The capture ${path} is not whole (${lost}): is there space left on the disk?`);
}

function readPcapOrNothing(path: string): Pick<PcapFile, 'records' | 'brokenOffBytes'> {
  const bytes = readFileSync(path);
  return bytes.byteLength === 0 ? { records: [], brokenOffBytes: 0 } : readPcap(bytes);
}

function complaintIn(lines: readonly string[]): string {
  const said = lines.findLast((line) => line.startsWith('tcpdump: ') && !line.includes(READY_NOTICE)) ?? lines.at(-1);
  return said === undefined ? '' : `: ${said.trim()}`;
}

/** Far beyond what a busy machine keeps a process waiting. */
const MAX_WAIT_MS = 10_000;
/** Between two questions; the answers come at once, the packets when tcpdump has the processor. */
const PAUSE_MS = 10;

interface ReadingTcpdump {
  /** The network device it listens on. */
  readonly device: string;
  /** Makes it print its counts. */
  readonly ask: () => void;
  /** Its stderr, by lines; closes when it has ended. */
  readonly said: Interface;
}

/**
 * Waits until tcpdump has read what the kernel took for it: when stopped, it leaves the rest unread, and does not report that (4.99.3).
 * @returns whether nothing was left unread; false too when tcpdump ends or does not get that far within ten seconds.
 */
async function untilRead({ device, ask, said }: ReadingTcpdump): Promise<boolean> {
  const closed = new AbortController();
  const close = () => closed.abort();
  said.once('close', close);
  const signal = AbortSignal.any([closed.signal, AbortSignal.timeout(MAX_WAIT_MS)]);
  try {
    for (;;) {
      const answer = once(said, 'line', { signal });
      ask();
      const counts = countsOf(String((await answer)[0]));
      if (counts && unreadOf(counts, device) === 0) return true;
      await pause(PAUSE_MS, undefined, { signal });
    }
  } catch (error) {
    if (signal.aborted) return false;
    throw error;
  } finally {
    said.off('close', close);
  }
}

/** The counts that tcpdump prints while it runs (asked with SIGUSR1) and as its last words. */
interface TcpdumpCounts {
  /** Read, and handed on to be written. */
  readonly packets: number;
  /** Taken by the kernel for tcpdump, read or not; on loopback twice each. */
  readonly takenPackets: number;
  /** Thrown away by the kernel because tcpdump's buffer was full. */
  readonly droppedPackets: number;
}

/** Its last words are three lines, what it answers to the signal is one: `tcpdump: 98 packets captured, 196 packets received by filter, ...`. */
const COUNT_LINES = 3;

const COUNTS = /(\d+) packets? captured, (\d+) packets? received by filter, (\d+) packets? dropped by kernel/;

/** @param printed - Lines put together with a comma. @returns `undefined` when they hold no counts. */
export function countsOf(printed: string): TcpdumpCounts | undefined {
  const [, packets, takenPackets, droppedPackets] = COUNTS.exec(printed)?.map(Number) ?? [];
  if (packets === undefined || takenPackets === undefined || droppedPackets === undefined) return undefined;
  return { packets, takenPackets, droppedPackets };
}

/**
 * Packets that lie in the kernel's buffer. On loopback the kernel hands each packet over as sent and as received, and libpcap leaves the first
 * (linux_check_direction in pcap-linux.c): 98 captured of 196 there.
 */
function unreadOf({ packets, takenPackets, droppedPackets }: TcpdumpCounts, device: string): number {
  const copies = device === 'lo' ? 2 : 1;
  return Math.max(0, Math.ceil(takenPackets / copies) - packets - droppedPackets);
}

const devices = v.pipe(
  v.string(),
  v.parseJson(),
  v.array(v.object({ ifname: v.pipe(v.string(), v.minLength(1)), flags: v.array(v.string()) })),
);

/**
 * Finds the network device of a lane's namespace: the one besides loopback.
 * @throws PlumbfoxError `environment` when the namespace has no device but loopback, or several.
 */
export async function laneDevice(inside: NamespaceProcess): Promise<string> {
  const listed = v.safeParse(devices, await inside.run(['ip', '-json', 'link', 'show', 'up']));
  const found = listed.success ? listed.output.filter(({ flags }) => !flags.includes('LOOPBACK')) : [];
  const [only, ...others] = found;
  if (!only || others.length > 0)
    throw new PlumbfoxError('environment', `A lane's namespace has one network device to capture on, here ${found.length}`);
  return only.ifname;
}
