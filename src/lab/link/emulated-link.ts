/**
 * An emulated link between two namespaces: a TUN device in each, made by socat where the relay runs and then moved, and the
 * relay between them. Works per packet in user space because many kernels lack `sch_netem`.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import * as v from 'valibot';
import { PlumbfoxError } from '../../core/errors.ts';
import type { CongestionControlName } from '../../core/report/report.ts';
import { ownProcess } from '../process/own-process.ts';
import type { WatchedProcess } from '../process/process-lifetimes.ts';
import { type RpcClient, rpcClient } from '../process/rpc.ts';
import { runCommand, tryCommand } from '../process/run-command.ts';
import { endSettings } from './end-settings.ts';
import { type LinkCounters, linkCountersAnswer } from './link-counters.ts';
import type { LinkSpec } from './link-spec.ts';
import type { NamespaceProcess } from './namespace-process.ts';

/** 198.18.0.0/15 is reserved for benchmarks of network devices (RFC 2544, RFC 6890): no real host answers to it. */
const NETWORK = '198.18.0.0/24';
/** The browser's end. */
export const CLIENT_ADDRESS = '198.18.0.1';
/** Several addresses, so that pages of several servers are pages of several servers: as many as the widest of them has. */
export const SERVER_ADDRESSES = [
  '198.18.0.2',
  '198.18.0.3',
  '198.18.0.4',
  '198.18.0.5',
  '198.18.0.6',
  '198.18.0.7',
  '198.18.0.8',
  '198.18.0.9',
  '198.18.0.10',
  '198.18.0.11',
  '198.18.0.12',
  '198.18.0.13',
] as const;

export interface EmulatedLink {
  /** Puts a link in place, and at its ends what it asks of them; connections that are open keep what they were opened with. */
  setLink(link: LinkSpec): Promise<void>;
  /** Losses, jitter and trace restart, drawn from this seed (`weather.ts`). */
  setWeather(seed: number): Promise<void>;
  /** Drops every packet in flight. */
  flush(): Promise<void>;
  /** Takes the link's own cost (TUN devices, sockets, timers) off every delay from now on. */
  calibrate(roundTripMs: () => Promise<number>): Promise<void>;
  /** Counted since the link was made, or since `resetCounters`. */
  counters(): Promise<LinkCounters>;
  resetCounters(): Promise<void>;
  /** The processes that carry the packets. */
  readonly parts: readonly WatchedProcess[];
  /** TCP congestion control of both ends, for links that name none. */
  readonly congestionControl: CongestionControlName;
  close(): Promise<void>;
}

const port = v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(65_535));
const endsAnswer = v.object({ client: port, server: port });

/**
 * Measured on a 2-core machine that keeps its processors awake: 1.2 to 1.3 ms are taken off, and of 30 ms asked tcpdump then saw a tenth of the
 * handshakes below 29.5 ms while pages loaded, none below 29.2.
 */
const CALIBRATION_TRIES = 3;
/** Fast enough that only the delay shows. */
const CALIBRATION_LINK: LinkSpec = { name: 'calibration', rttMs: 30, downKbps: 1_000_000, upKbps: 1_000_000, queue: 1000 };

/**
 * What carries packets comes before everything else that wants a processor (SCHED_FIFO, sched(7)): a packet must not wait for a browser that
 * draws. It needs little of a processor, and the kernel keeps 5 % of the time for others whatever it does (sched_rt_runtime_us). Any priority
 * above none will do: nothing else here has one.
 */
const PRIORITY = '10';

/**
 * A Node with this priority collects garbage by itself. V8's event loop otherwise comes round without rest until helper threads have
 * marked; these go no further ahead than it does, and where such processes have taken every processor they never run. Measured on two
 * cores: two relays that began to mark together carried nothing any more, each 600,000 turns of its loop a second.
 */
const PROMPT_NODE_FLAGS: readonly string[] = ['--single-threaded-gc'];

/** For `sh -c`: runs the command of `$@` with that priority where it is allowed, else as any other. */
const PROMPTLY = `if chrt -f ${PRIORITY} true 2>/dev/null; then set -- chrt -f ${PRIORITY} "$@"; fi; "$@"`;

/**
 * Ends socat when the command's end of the pipe closes, however that happens, and ends itself when socat does: whichever is
 * first signals the whole process group, which is only theirs.
 */
const TIED_TO_STDIN = `(set -- socat -d -d "$1" "$2"; ${PROMPTLY}; kill 0) & read -r line; kill 0`;

/** The command that runs the relay. @throws PlumbfoxError `environment` when the project has not been built. */
export function relayCommand(): readonly [string, ...string[]] {
  const [program, script] = ownProcess('relay-process');
  return [program, ...PROMPT_NODE_FLAGS, script];
}

export async function emulatedLink(options: {
  prefix: readonly string[];
  client: NamespaceProcess;
  server: NamespaceProcess;
}): Promise<EmulatedLink> {
  const [program, ...rest] = relayCommand();
  const relayProcess = spawn(program, rest, { stdio: ['pipe', 'pipe', 'pipe'] });
  const relay = rpcClient(relayProcess, 'relay');
  const socats: ChildProcess[] = [];
  let overheadMs = 0;
  const close = async () => {
    for (const socat of socats) socat.stdin?.end();
    // socat may belong to root and be stopped: it is not waited for for ever.
    await Promise.all([relay.stop(), ...socats.map((socat) => Promise.race([gone(socat), pause(SOCAT_GRACE_MS)]))]);
  };
  try {
    const devices = await joinEnds({ ...options, relay, socats });
    if (relayProcess.pid !== undefined) await makePrompt(options.prefix, relayProcess.pid);
    const ends = endSettings({
      client: { run: options.client.run, route: routeOf(devices.client, CLIENT_ADDRESS) },
      server: { run: options.server.run, route: routeOf(devices.server, SERVER_ADDRESSES[0]) },
    });
    await Promise.all([options.client, options.server].map(neutralDefaults));
    const congestionControl = await ends.defaultCongestionControl();
    return {
      parts: [{ name: 'The relay', ended: relay.exited }, ...socats.map((socat) => ({ name: 'socat', ended: gone(socat) }))],
      congestionControl,
      setLink: async (link) => {
        await ends.apply(link);
        await relay.call('set-link', { link, overheadMs });
      },
      setWeather: async (seed) => {
        await relay.call('weather', seed);
      },
      flush: async () => {
        await relay.call('flush');
      },
      calibrate: async (roundTripMs) => {
        await relay.call('set-link', { link: CALIBRATION_LINK, overheadMs: 0 });
        // The first packets find the relay's code not compiled yet, and take the longest.
        await roundTripMs();
        overheadMs = Number.POSITIVE_INFINITY;
        // A busy moment makes a round trip longer: what is taken off every delay is the least of some tries.
        for (let tries = 0; tries < CALIBRATION_TRIES; tries++)
          overheadMs = Math.min(overheadMs, (await roundTripMs()) - CALIBRATION_LINK.rttMs);
      },
      counters: () => relay.ask('counters', {}, { answer: linkCountersAnswer }),
      resetCounters: async () => {
        await relay.call('counters-reset');
      },
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** socat prints this with `-d -d` when both its ends stand (socat 1.7.4, xio-loop). */
const READY_NOTICE = 'starting data transfer loop';

async function joinEnds(options: {
  prefix: readonly string[];
  client: NamespaceProcess;
  server: NamespaceProcess;
  relay: RpcClient;
  socats: ChildProcess[];
}): Promise<{ readonly client: string; readonly server: string }> {
  const ports = await options.relay.ask('ports', {}, { answer: endsAnswer });
  const ends = [
    { side: 'client', process: options.client, addresses: [CLIENT_ADDRESS] },
    { side: 'server', process: options.server, addresses: SERVER_ADDRESSES },
  ] as const;
  for (const { side, process: inside, addresses } of ends) {
    const device = deviceName(inside, side);
    const socat = spawnSocat(options.prefix, [`TUN,tun-name=${device},iff-no-pi,tun-type=tun`, `UDP4:127.0.0.1:${ports[side]}`]);
    options.socats.push(socat);
    await deviceReady(socat);
    await runCommand([...options.prefix, 'ip', 'link', 'set', device, 'netns', String(inside.pid)]);
    for (const address of addresses) await inside.run(['ip', 'addr', 'add', `${address}/24`, 'dev', device]);
    await inside.run(['ip', 'link', 'set', device, 'txqueuelen', '10000', 'up']);
  }
  // The relay learns each side's address from its first packet, which is lost.
  await options.client.call('wake', SERVER_ADDRESSES[0]);
  await options.server.call('wake', CLIENT_ADDRESS);
  await options.relay.call('joined');
  return { client: deviceName(options.client, 'client'), server: deviceName(options.server, 'server') };
}

/** At most 15 characters (IFNAMSIZ); unique on the machine because process ids are. */
const deviceName = (inside: NamespaceProcess, side: 'client' | 'server'): string => `pf${inside.pid.toString(36)}${side[0]}`;

function spawnSocat(prefix: readonly string[], ends: readonly [string, string]): ChildProcess {
  const [program, ...rest] = [...prefix, 'sh', '-c', TIED_TO_STDIN, 'sh', ...ends];
  // Its own group: Ctrl-C reaches the command, which ends socat after the browser.
  return spawn(program as string, rest, { stdio: ['pipe', 'ignore', 'pipe'], detached: true });
}

/**
 * Settles when socat has done all that it does to its device. Earlier the device is there already, but moving it away would
 * make socat's next call fail, and the device vanish with it.
 */
async function deviceReady(socat: ChildProcess): Promise<void> {
  const { stderr } = socat;
  if (!stderr) throw new PlumbfoxError('internal', 'socat has no stderr');
  let complaint = '';
  for await (const line of createInterface({ input: stderr })) {
    if (line.includes(READY_NOTICE)) return;
    if (/socat\[\d+\] E /.test(line) || !line.includes('socat[')) complaint = line;
  }
  throw new PlumbfoxError('environment', `socat made no TUN device${complaint ? `: ${complaint.trim()}` : ''}`);
}

/** How one end reaches the other, as `ip route` takes it. */
const routeOf = (device: string, address: string): readonly string[] =>
  `${NETWORK} dev ${device} proto kernel scope link src ${address}`.split(' ');

/**
 * Nothing of the machine's own: Reno for whatever goes by no route of ours (a namespace may have CUBIC by route only), and no connection
 * begins with what the kernel remembers of the ones before it.
 */
async function neutralDefaults(side: NamespaceProcess): Promise<void> {
  const sysctl = '/proc/sys/net/ipv4';
  await side.run(['sh', '-c', `echo reno > ${sysctl}/tcp_congestion_control && echo 1 > ${sysctl}/tcp_no_metrics_save`]);
}

/** Settles when it has ended, with what ended it. Never rejects. */
async function gone(child: ChildProcess): Promise<string> {
  if (child.exitCode !== null || child.signalCode !== null) return child.signalCode ?? `exit code ${child.exitCode}`;
  return new Promise((resolve) => {
    child.once('exit', (code, signal) => resolve(signal ?? `exit code ${code}`));
    // One that was never started does not exit.
    child.once('error', (error) => resolve(error.message));
  });
}

const SOCAT_GRACE_MS = 3000;
const pause = (ms: number) =>
  new Promise<void>((resolve) => {
    setTimeout(resolve, ms).unref();
  });

/** Raises every thread of a process that runs already, and those that it starts from now on. Where that is not allowed, nothing changes. */
export async function makePrompt(prefix: readonly string[], pid: number): Promise<void> {
  await tryCommand([...prefix, 'chrt', '--all-tasks', '--fifo', '--pid', PRIORITY, String(pid)]).catch(() => undefined);
}
