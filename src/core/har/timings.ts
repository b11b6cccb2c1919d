/** The times of a request in a HAR entry. */
import type { ObservedTiming } from '../graph/observed-load.ts';
import { durationOf, type Fields, fieldsOf, pointInTime } from './fields.ts';

export interface PhaseContext {
  /** Start of the entry's page, ms since the epoch, where it is known. */
  readonly pageStartMs: number | undefined;
  /** Firefox counts TLS beside `connect` instead of within it, against the specification, and marks no response that came from its cache. */
  readonly byFirefox: boolean;
  /** HTTP/3: `connect` is one handshake, TLS included. */
  readonly quic: boolean;
}

/** Times are ms since the epoch. */
export function phasesOf(entry: Fields, context: PhaseContext): ObservedTiming {
  const timing = webPageTestPhases(entry, context) ?? specifiedPhases(entry, context);
  return typeof entry._timing === 'string' ? recordedPart(timing, entry._timing) : timing;
}

/** Keeps those of the written times that were recorded: see `RecordedTiming` of `write-har.ts`. */
function recordedPart(timing: ObservedTiming, recorded: string): ObservedTiming {
  const { startMs, endMs, ...others } = timing;
  const start = startMs !== undefined && { startMs };
  switch (recorded) {
    case 'none':
      return {};
    case 'start':
      return { ...start };
    case 'whole':
      return { ...start, ...(endMs !== undefined && { endMs }) };
    case 'no-end':
      return { ...start, ...others };
    default:
      return timing;
  }
}

interface Durations {
  readonly blocked: number | undefined;
  readonly dns: number | undefined;
  /** TCP and TLS; 0: neither is stated. */
  readonly connect: number;
  readonly handshakeMs: number | undefined;
  readonly send: number | undefined;
  readonly wait: number | undefined;
  readonly receive: number | undefined;
}

function durationsOf(entry: Fields, context: PhaseContext): Durations {
  const timings = fieldsOf(entry.timings);
  const read = (name: string) => durationOf(timings[name]);
  const [blocked, dns, send, wait, receive] = ['blocked', 'dns', 'send', 'wait', 'receive'].map(read);
  const [stated, tls = 0] = [read('connect'), read('ssl')];
  const others = [blocked, dns, send, wait, receive].reduce<number>((sum, part) => sum + (part ?? 0), 0);
  const beside = stated !== undefined && isBeside({ stated, tls, others, time: durationOf(entry.time) }, context);
  const connect = (stated ?? 0) + (beside ? tls : 0);
  const handshakeMs = (stated ?? 0) - (beside || context.quic ? 0 : tls);
  return { blocked, dns, connect, handshakeMs: handshakeMs > 0 ? handshakeMs : undefined, send, wait, receive };
}

/** The entry's whole time decides where it fits one of the two sums; else the producer's habit. */
function isBeside(
  { stated, tls, others, time }: { stated: number; tls: number; others: number; time: number | undefined },
  { byFirefox }: PhaseContext,
): boolean {
  if (tls > stated) return true;
  if (time !== undefined) {
    const within = Math.abs(time - others - stated);
    const beside = Math.abs(time - others - stated - tls);
    if (Math.min(within, beside) < tls / 2) return beside < within;
  }
  return byFirefox;
}

/** The HAR specification's order: one phase after the other from `startedDateTime`. */
function specifiedPhases(entry: Fields, context: PhaseContext): ObservedTiming {
  const { blocked, dns, connect, handshakeMs, send, wait, receive } = durationsOf(entry, context);
  const started = pointInTime(entry.startedDateTime);
  // chrome-har starts an entry when it left the queue, and states apart how long it had been there.
  const queued = durationOf(fieldsOf(entry.timings)._queued) ?? 0;
  const before = [blocked, dns, connect, send];
  const untilSent = before.reduce<number>((sum, part) => sum + (part ?? 0), 0);
  const whole = durationOf(entry.time);
  const spent = receive === undefined ? whole : untilSent + (wait ?? 0) + receive;
  const firstByteMs = started === undefined || wait === undefined ? undefined : started + untilSent + wait;
  const endMs = started === undefined || spent === undefined ? undefined : started + spent;
  return {
    ...(started !== undefined && { startMs: started - queued }),
    ...(firstByteMs !== undefined && { firstByteMs }),
    ...(endMs !== undefined && { endMs: Math.max(endMs, firstByteMs ?? endMs) }),
    ...(dns !== undefined && { dnsMs: dns }),
    ...(handshakeMs !== undefined && { handshakeMs, handshakeCut: (blocked ?? 0) + (dns ?? 0) <= 0 }),
    ...(wait !== undefined && { waitMs: wait }),
    ...(blocked === undefined && queued === 0 && handshakeMs === undefined && { startsWhenSent: true }),
  };
}

/**
 * WebPageTest's own members, ms after the page's start: its `startedDateTime` is when the request was sent, after the lookup and the
 * handshake that its `timings` hold (www/har/HttpArchiveGenerator.php of catchpoint/WebPageTest).
 */
function webPageTestPhases(entry: Fields, { pageStartMs }: PhaseContext): ObservedTiming | undefined {
  const [sent, first] = [durationOf(entry._load_start), durationOf(entry._ttfb_ms)];
  if (sent === undefined) return undefined;
  const base = pageStartMs ?? baseOf(entry, sent);
  if (base === undefined) return undefined;
  const created = durationOf(entry._created);
  const began = [created, span(entry, 'dns')?.from, span(entry, 'connect')?.from, sent].reduce<number>(
    (least, at) => Math.min(least, at ?? least),
    sent,
  );
  const handshake = span(entry, 'connect');
  const dns = span(entry, 'dns');
  const end = durationOf(entry._load_end) ?? durationOf(entry._all_end) ?? endOf(sent, durationOf(entry._load_ms));
  return {
    startMs: base + began,
    ...(first !== undefined && { firstByteMs: base + sent + first, waitMs: first }),
    ...(end !== undefined && { endMs: base + Math.max(end, sent + (first ?? 0)) }),
    ...(dns !== undefined && { dnsMs: dns.to - dns.from }),
    ...(handshake !== undefined && handshake.to > handshake.from && { handshakeMs: handshake.to - handshake.from }),
    ...(created === undefined && handshake === undefined && { startsWhenSent: true }),
  };
}

const endOf = (sent: number, lasted: number | undefined): number | undefined => (lasted === undefined ? undefined : sent + lasted);

/** The page's start where it has none of its own: `startedDateTime` less `_load_start`. */
function baseOf(entry: Fields, sent: number): number | undefined {
  const started = pointInTime(entry.startedDateTime);
  return started === undefined ? undefined : started - sent;
}

/** None is written as -1 and -1, or, by WebPageTest 2.18 to 3.0, as 0 and 0: read as times, those would have every request begin with the page. */
function span(entry: Fields, name: 'dns' | 'connect'): { from: number; to: number } | undefined {
  const [from, to] = [durationOf(entry[`_${name}_start`]), durationOf(entry[`_${name}_end`])];
  return from === undefined || to === undefined || to < from || to === 0 ? undefined : { from, to };
}
