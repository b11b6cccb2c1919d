/** Links as the user types them: by name, or as figures. Which figures there are, and within which bounds, is the caller's. */
import { PlumbfoxError } from '../../core/errors.ts';
import { didYouMean } from '../../core/nearest-name.ts';
import { CONGESTION_CONTROLS, type CongestionControlName } from '../../core/report/report.ts';
import type { LinkSpec } from './link-spec.ts';
import { traceMeanKbps } from './link-trace.ts';
import { NAMED_LINKS } from './links.ts';
import { TRACE_NAMES, traceOf } from './traces.ts';

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
 * `queue` to one bandwidth-delay product and at least 100. `LINK_FIGURES_HELP` lists the rest.
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

interface TakenWords {
  readonly trace?: string;
  readonly congestionControl?: CongestionControlName;
  /** The figures that are numbers. */
  readonly rest: string;
}

/** Takes the figures that are not numbers out of the text. A file whose name has a comma, a semicolon or an equals sign cannot be given. */
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

/** Least and most of every figure a link may be given. */
type FigureBounds<Field extends string> = Readonly<Record<Field, readonly [least: number, most: number]>>;

/**
 * The figures of one link: `rtt=300,down=2000`. `words` are what a link may be given besides, no numbers and taken out by the caller: `cc`.
 * @throws PlumbfoxError `bad-input` for a figure that there is not, that is given twice, is no plain number, or is out of bounds.
 */
export function parseFigures<Field extends string>(
  text: string,
  bounds: FigureBounds<Field>,
  words: readonly string[],
): ReadonlyMap<Field, number> {
  const fields = new Map<Field, number>();
  for (const part of text.split(',')) {
    const [key = '', ...values] = part.split('=').map((piece) => piece.trim());
    if (!isField(key, bounds))
      throw new PlumbfoxError('bad-input', `Link "${text}": "${key}" is not one of ${[...Object.keys(bounds), ...words].join(', ')}`);
    if (fields.has(key)) throw new PlumbfoxError('bad-input', `Link "${text}" gives ${key} twice`);
    fields.set(key, parseFigure({ text, key, value: values.join('='), bounds: bounds[key] }));
  }
  return fields;
}

const isField = <Field extends string>(key: string, bounds: FigureBounds<Field>): key is Field => Object.hasOwn(bounds, key);

interface TypedFigure {
  readonly text: string;
  readonly key: string;
  readonly value: string;
  readonly bounds: readonly [number, number];
}

function parseFigure({ text, key, value, bounds: [least, most] }: TypedFigure): number {
  const figure = Number(value);
  if (!/^\d+(\.\d+)?$/.test(value)) throw new PlumbfoxError('bad-input', `Link "${text}": ${key} must be a number, not "${value}"`);
  if (figure < least || figure > most) throw new PlumbfoxError('bad-input', `Link "${text}": ${key} must lie between ${least} and ${most}`);
  return figure;
}

/**
 * Splits `a,b` and `rtt=..,down=..;name` into one text per link: links are separated by `;`, names also by commas.
 * @throws PlumbfoxError `bad-input` when none is named.
 */
export function splitLinks(text: string): readonly string[] {
  const parts = text.split(';').flatMap((part) => (part.includes('=') ? splitFigures(part) : part.split(',')));
  const named = parts.map((part) => part.trim()).filter((part) => part !== '');
  if (named.length === 0) throw new PlumbfoxError('bad-input', 'No link is named');
  return named;
}

/** `far-2m,rtt=1,down=2,rtt=3,down=4`: a name or a new `rtt` begins the next link. */
function splitFigures(text: string): string[] {
  const links: string[] = [];
  for (const piece of text.split(',')) {
    const previous = links.at(-1);
    const begins =
      previous === undefined || !piece.includes('=') || !previous.includes('=') || keys(previous).includes(keys(piece)[0] as string);
    if (begins) links.push(piece);
    else links[links.length - 1] = `${previous},${piece}`;
  }
  return links;
}

const keys = (figures: string): string[] => figures.split(',').map((figure) => (figure.split('=')[0] ?? '').trim());
