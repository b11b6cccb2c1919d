/**
 * A line whose rate varies, as Mahimahi writes it down (mm-link(1), Netravali et al., USENIX ATC 2015): moments at which one full-size
 * packet may leave (Mahimahi has 1,504 bytes, for the 4 that its TUN device puts in front). An unused moment is lost; what is smaller
 * shares it, what does not fit goes on in the next. Pure.
 */
import { PlumbfoxError } from '../../core/errors.ts';
import { PACKET_BYTES, SEGMENT_BYTES } from '../../core/tcp-constants.ts';

export interface LinkTrace {
  /** When a full-size packet may leave, ms after the beginning; never falling; the last is the period, after which it all begins again. */
  readonly opportunitiesMs: readonly number[];
}

/** After so long it begins again; 0: it has no moment at all. */
export const tracePeriodMs = ({ opportunitiesMs }: LinkTrace): number => opportunitiesMs.at(-1) ?? 0;

/** Mean rate in TCP payload, as the rate of every link is given. */
export const traceMeanKbps = (trace: LinkTrace): number => (trace.opportunitiesMs.length * SEGMENT_BYTES * 8) / tracePeriodMs(trace);

/** How many packets may leave after `fromMs` and until `toMs`, both counted from the beginning of the first turn. */
export function opportunitiesBetween(trace: LinkTrace, fromMs: number, toMs: number): number {
  const until = (ms: number): number => {
    if (ms < 0) return 0;
    const periodMs = tracePeriodMs(trace);
    const turns = Math.floor(ms / periodMs);
    const rest = ms - turns * periodMs;
    const within = trace.opportunitiesMs.findIndex((each) => each > rest);
    return turns * trace.opportunitiesMs.length + (within === -1 ? trace.opportunitiesMs.length : within);
  };
  return Math.max(0, until(toMs) - until(fromMs));
}

/**
 * A trace as text: a line per moment, whole milliseconds, never falling, the last above 0.
 * @throws PlumbfoxError `bad-input` that names the line.
 */
export function parseTrace(text: string, name: string): LinkTrace {
  const lines = text.split('\n').map((line) => line.trim());
  if (lines.at(-1) === '') lines.pop();
  const opportunitiesMs: number[] = [];
  let lastMs = 0;
  for (const [index, line] of lines.entries()) {
    const ms = /^\d{1,12}$/.test(line) ? Number(line) : undefined;
    if (ms === undefined) throw refused(name, `line ${index + 1} is not a whole number of milliseconds`);
    if (ms < lastMs) throw refused(name, `line ${index + 1} is earlier than the line before`);
    opportunitiesMs.push(ms);
    lastMs = ms;
  }
  if (lastMs === 0) throw refused(name, 'it must last for more than 0 ms');
  return { opportunitiesMs };
}

const refused = (name: string, why: string) => new PlumbfoxError('bad-input', `Trace ${name}: ${why}`);

export interface TracedLine {
  /** When a packet that arrives now has left; packets leave in the order they came. */
  leave(packetBytes: number, nowMs: number): number;
  /** Forgets what was let out but has not left. */
  flush(): void;
}

/** @param startMs - The trace's beginning, on the clock that `leave` is given. */
export function tracedLine({ opportunitiesMs }: LinkTrace, startMs: number): TracedLine {
  const turnLength = opportunitiesMs.length;
  const periodMs = opportunitiesMs.at(-1) ?? 0;
  const timeOf = (index: number) => startMs + Math.floor(index / turnLength) * periodMs + (opportunitiesMs[index % turnLength] as number);
  /** Counted through all turns. */
  let current = 0;
  let bytesLeft = PACKET_BYTES;
  const moveTo = (index: number) => {
    current = index;
    bytesLeft = PACKET_BYTES;
  };
  return {
    leave: (packetBytes, nowMs) => {
      if (timeOf(current) < nowMs) {
        // Whole turns at once, after a long silence.
        const turn = Math.floor((nowMs - startMs) / periodMs) - 1;
        moveTo(Math.max(current + 1, turn * turnLength));
        while (timeOf(current) < nowMs) current += 1;
      }
      for (let toSend = packetBytes; ; ) {
        if (bytesLeft === 0) moveTo(current + 1);
        const sent = Math.min(toSend, bytesLeft);
        toSend -= sent;
        bytesLeft -= sent;
        if (toSend === 0) return timeOf(current);
      }
    },
    flush: () => moveTo(0),
  };
}
