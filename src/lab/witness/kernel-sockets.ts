/** What the kernel says of Firefox's sockets, by ss(8) of iproute2: buffers, timers, and connections that are still being opened. */
import { runCommand } from '../process/run-command.ts';

/** One socket as `ss -o -m` prints it. */
export interface KernelSocket {
  readonly localPort: number;
  readonly receiveBufferBytes: number;
  readonly sendBufferBytes: number;
  /** Until the next probe of an idle connection; absent where none is due. */
  readonly keepAliveS?: number;
}

/** TCP sockets connected, or being connected, to this port of this machine. */
export async function connectedTo(port: number, state: 'established' | 'syn-sent'): Promise<readonly KernelSocket[]> {
  return parseSockets(await runCommand(['ss', '-H', '-O', '-t', '-n', '-m', '-o', 'state', state, 'dport', '=', `:${port}`]));
}

const EVERY_MS = 100;
const STEADY_MS = 600;
const WITHIN_MS = 3000;

/** How many connections to a port are being tried, once there are some and their number has not changed for a while; 0 where none comes. */
export async function steadyAttempts(port: number): Promise<number> {
  const deadline = performance.now() + WITHIN_MS;
  let count = 0;
  let sinceMs = performance.now();
  for (;;) {
    const present = (await connectedTo(port, 'syn-sent')).length;
    const nowMs = performance.now();
    if (present !== count) sinceMs = nowMs;
    count = present;
    if (nowMs > deadline || (count > 0 && nowMs - sinceMs > STEADY_MS)) return count;
    await new Promise((resolve) => setTimeout(resolve, EVERY_MS));
  }
}

/** The UDP sockets bound to this port. */
export async function boundTo(port: number): Promise<readonly KernelSocket[]> {
  return parseSockets(await runCommand(['ss', '-H', '-O', '-u', '-a', '-n', '-m', 'sport', '=', `:${port}`]));
}

/** One line for each socket. */
export function parseSockets(text: string): readonly KernelSocket[] {
  return text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => {
      const [, localPort = '0'] = /:(\d+)\s/.exec(line) ?? [];
      const memory = /skmem:\(r\d+,rb(\d+),t\d+,tb(\d+)/.exec(line);
      const seconds = keepAliveSeconds(line);
      return {
        localPort: Number(localPort),
        receiveBufferBytes: Number(memory?.[1] ?? 0),
        sendBufferBytes: Number(memory?.[2] ?? 0),
        ...(seconds === undefined ? {} : { keepAliveS: seconds }),
      };
    });
}

/**
 * `timer:(keepalive,9min59sec,0)`, `timer:(keepalive,12sec,0)`, `timer:(keepalive,850ms,0)`, and below ten seconds, in spite of its unit,
 * `timer:(keepalive,9.448ms,0)` (print_ms_timer of iproute2).
 */
function keepAliveSeconds(line: string): number | undefined {
  const [, text] = /timer:\(keepalive,([^,]+),/.exec(line) ?? [];
  if (text === undefined) return undefined;
  const [, minutes = '0'] = /(\d+)min/.exec(text) ?? [];
  const [, seconds = '0'] = /(\d+)(?:sec|\.\d+ms)/.exec(text) ?? [];
  const [, milliseconds = '0'] = /(\d+)ms/.exec(text) ?? [];
  return Number(minutes) * 60 + Number(seconds) + Number(milliseconds) / 1000;
}
