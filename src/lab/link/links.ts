/** Links by name, and the parser of links written as figures. A name never stands alone in an output: the figures go with it. */
import { PlumbfoxError } from '../../core/errors.ts';
import { didYouMean } from '../../core/nearest-name.ts';
import { linkVariation } from '../../core/report/link-variation.ts';
import { CONGESTION_CONTROLS, type CongestionControlName } from '../../core/report/report.ts';
import type { LinkSpec } from './link-spec.ts';
import { traceMeanKbps } from './link-trace.ts';
import { LINKS_2008 } from './links-2008.ts';
import { LINKS_TODAY } from './links-today.ts';
import { parseFigures, splitLinks } from './parse-link.ts';
import { traceOf } from './trace-file.ts';
import { TRACE_NAMES } from './traces.ts';

/**
 * Our own choice of figures for the two links of the default run:
 * `far-2m`: RTT 300 ms, the "3G" of WebPageTest's connectivity.ini.sample, with the 2 Mbit/s of an HSDPA or a poor satellite line.
 * `dsl-10m`: RTT 50 ms and 10 Mbit/s down, an ordinary ADSL2+ line with 1 Mbit/s up.
 * Their queues are as deep as mobile networks were found to have them, where loss does not stop TCP (Jiang et al., "Understanding
 * bufferbloat in cellular networks", CellNet 2012). A shallow queue, such as 100 packets, shows losses, and needs more blocks: with
 * it the image page took 7.4 to 8.5 s from one load to the next, with these 7.5 to 7.6 s.
 */
export const LINKS: readonly LinkSpec[] = [
  { name: 'far-2m', rttMs: 300, downKbps: 2000, upKbps: 384, queue: 1000 },
  { name: 'dsl-10m', rttMs: 50, downKbps: 10_000, upKbps: 1000, queue: 1000 },
];

/** For loads that show something and are not measured: so fast that they take no time to speak of. */
export const QUICK_LINK: LinkSpec = { name: 'quick', rttMs: 2, downKbps: 50_000, upKbps: 50_000, queue: 1000 };

/** What `tune` measures over unless told otherwise. */
export const DEFAULT_LINKS: readonly string[] = LINKS.map(({ name }) => name);

/** Every link that has a name. */
export const NAMED_LINKS: readonly LinkSpec[] = [...LINKS, ...LINKS_2008, ...LINKS_TODAY];

/** What the emulator was tried with; beyond, its timers or its queue no longer keep what is asked. */
const BOUNDS = {
  rtt: [1, 5000],
  down: [10, 50_000],
  up: [10, 50_000],
  queue: [2, 100_000],
  loss: [0, 0.5],
  'loss-down': [0, 0.5],
  'loss-up': [0, 0.5],
  jitter: [0, 1000],
  iw: [1, 1000],
  rmem: [256, 64_000_000],
  seed: [1, 1_000_000_000],
} as const;
type Figures = ReadonlyMap<keyof typeof BOUNDS, number>;

/** The figures that `parseLink` takes, in the words of a help text. */
export const LINK_FIGURES_HELP = `rtt=MS,down=KBIT/S,up=KBIT/S,queue=PACKETS; loss=SHARE (or loss-down, loss-up), jitter=MS,
trace=FILE in place of down (Mahimahi's format, or ${TRACE_NAMES.join(', ')}), iw=SEGMENTS (the servers' initial window),
rmem=BYTES (the browser's receive buffer), cc=${CONGESTION_CONTROLS.join('|')} (what TCP sends with; default: cubic), seed=N (of losses and jitter)`;

/** Full-size packets of one bandwidth-delay product, at least 100: below that even a lone connection cannot fill the link. */
export const defaultQueue = (rttMs: number, downKbps: number): number => Math.max(100, Math.ceil((rttMs * downKbps) / 8 / 1500));

/**
 * `far-2m`, or `rtt=300,down=2000,up=384,queue=100` (ms, kbit/s, kbit/s, packets); `up` defaults to `down`,
 * `queue` to one bandwidth-delay product and at least 100. What else may be asked, `LINK_FIGURES_HELP` says.
 * @throws PlumbfoxError `bad-input`
 */
export function parseLink(text: string): LinkSpec {
  if (!text.includes('=')) return linkNamed(text);
  const { trace, congestionControl, rest } = takeWords(text);
  const fields: Figures = rest === '' ? new Map() : parseFigures(rest, BOUNDS, ['cc', 'trace']);
  const rttMs = fields.get('rtt');
  if (trace !== undefined && fields.has('down'))
    throw new PlumbfoxError('bad-input', `Link "${text}" gives down and trace: a traced link has the trace's mean rate`);
  const downKbps = trace === undefined ? fields.get('down') : tracedRate(text, trace);
  if (rttMs === undefined || downKbps === undefined)
    throw new PlumbfoxError('bad-input', `Link "${text}" needs rtt (ms) and down (kbit/s)`);
  const queue = Math.round(fields.get('queue') ?? defaultQueue(rttMs, downKbps));
  const jitterMs = fields.get('jitter') ?? 0;
  if (jitterMs > rttMs / 2) throw new PlumbfoxError('bad-input', `Link "${text}": jitter may be at most half of rtt`);
  return {
    name: text,
    rttMs,
    downKbps,
    upKbps: fields.get('up') ?? downKbps,
    queue,
    ...(trace !== undefined && { downTrace: trace }),
    ...lossOf(fields),
    ...(jitterMs > 0 && { jitterMs }),
    ...endsOf(fields),
    ...(congestionControl && { congestionControl }),
  };
}

function linkNamed(name: string): LinkSpec {
  const known = NAMED_LINKS.find((link) => link.name === name);
  if (known) return known;
  const names = NAMED_LINKS.map((link) => link.name);
  throw new PlumbfoxError(
    'bad-input',
    `There is no link "${name}".${didYouMean(name, names)} Links: ${names.join(', ')}, or figures such as rtt=300,down=2000,up=384,queue=100`,
  );
}

export interface TakenWords {
  readonly trace?: string;
  readonly congestionControl?: CongestionControlName;
  /** The figures that are numbers. */
  readonly rest: string;
}

/** What is no number is taken out of the figures. A file whose name has a comma, a semicolon or an equals sign cannot be given. */
export function takeWords(text: string): TakenWords {
  const parts = text.split(',');
  const takeOne = (key: string): string | undefined => {
    const found = parts.filter((part) => part.trim().startsWith(`${key}=`));
    if (found.length > 1) throw new PlumbfoxError('bad-input', `Link "${text}" gives ${key} twice`);
    return found[0]?.trim().slice(key.length + 1);
  };
  const [trace, control] = [takeOne('trace'), takeOne('cc')];
  const rest = parts.filter((part) => !/^\s*(?:trace|cc)=/.test(part)).join(',');
  const congestionControl = CONGESTION_CONTROLS.find((each) => each === control);
  if (control !== undefined && congestionControl === undefined)
    throw new PlumbfoxError('bad-input', `Link "${text}": cc must be one of ${CONGESTION_CONTROLS.join(', ')}, not "${control}"`);
  return { rest, ...(trace !== undefined && { trace }), ...(congestionControl && { congestionControl }) };
}

function tracedRate(text: string, trace: string): number {
  const kbps = Math.round(traceMeanKbps(traceOf(trace)) * 10) / 10;
  const [least, most] = BOUNDS.down;
  if (kbps < least || kbps > most)
    throw new PlumbfoxError('bad-input', `Link "${text}": the trace's mean of ${kbps} kbit/s does not lie between ${least} and ${most}`);
  return kbps;
}

function lossOf(fields: Figures): Pick<LinkSpec, 'lossDown' | 'lossUp'> {
  const lossDown = fields.get('loss-down') ?? fields.get('loss') ?? 0;
  const lossUp = fields.get('loss-up') ?? fields.get('loss') ?? 0;
  return { ...(lossDown > 0 && { lossDown }), ...(lossUp > 0 && { lossUp }) };
}

function endsOf(fields: Figures): Pick<LinkSpec, 'initialWindow' | 'receiveBufferBytes' | 'seed'> {
  const [window, buffer, seed] = [fields.get('iw'), fields.get('rmem'), fields.get('seed')];
  return {
    ...(window !== undefined && { initialWindow: Math.round(window) }),
    ...(buffer !== undefined && { receiveBufferBytes: Math.round(buffer) }),
    ...(seed !== undefined && { seed: Math.round(seed) }),
  };
}

/** Several links as typed, see `splitLinks`. @throws PlumbfoxError `bad-input` */
export const parseLinks = (text: string): readonly LinkSpec[] => splitLinks(text).map(parseLink);

/** How a link is shown: the figures always, every one that is set. */
export function linkFigures(link: LinkSpec): string {
  const basic = `RTT ${link.rttMs} ms, ${link.downKbps} kbit/s down, ${link.upKbps} up, queue ${link.queue} packets`;
  return [basic, ...linkVariation(link)].join(', ');
}
