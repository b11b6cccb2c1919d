import { describe, expect, it } from 'vitest';
import { phasesOf } from '../../../../src/core/har/timings.ts';

const HABITS = { pageStartMs: undefined, byFirefox: false, quic: false };
const FIREFOX = { ...HABITS, byFirefox: true };
/** 1000 ms after the epoch. */
const STARTED = { startedDateTime: '1970-01-01T00:00:01Z' };
const PHASES = { blocked: 5, dns: 10, connect: 60, ssl: 30, send: 1, wait: 40, receive: 20 };

describe('phases by the specification', () => {
  const phases = (timings: object, more: object = {}) => phasesOf({ ...STARTED, timings, ...more }, HABITS);

  it('follow one another', () => {
    expect(phases(PHASES)).toStrictEqual({
      ...{ startMs: 1000, firstByteMs: 1116, endMs: 1136, dnsMs: 10, handshakeMs: 30, handshakeCut: false, waitMs: 40 },
    });
  });

  it('are none where nothing is told', () => {
    expect(phasesOf({}, HABITS)).toStrictEqual({ startsWhenSent: true });
    expect(phases({})).toStrictEqual({ startMs: 1000, startsWhenSent: true });
    expect(phasesOf({ timings: PHASES }, HABITS)).toStrictEqual({ dnsMs: 10, handshakeMs: 30, handshakeCut: false, waitMs: 40 });
  });

  it('end when what was received was received, and by the whole time only where that is not told', () => {
    expect(phases({ blocked: 5, wait: 40, receive: 20 }, { time: 500 })).toStrictEqual({
      ...{ startMs: 1000, firstByteMs: 1045, endMs: 1065, waitMs: 40 },
    });
    expect(phases({ receive: 20 })).toStrictEqual({ startMs: 1000, endMs: 1020, startsWhenSent: true });
    expect(phases({ blocked: 5, wait: 40 }, { time: 500 })).toStrictEqual({ startMs: 1000, firstByteMs: 1045, endMs: 1500, waitMs: 40 });
    expect(phases({ blocked: 5, wait: 40 })).toStrictEqual({ startMs: 1000, firstByteMs: 1045, waitMs: 40 });
  });

  it('do not end before the first byte', () => {
    expect(phases({ blocked: 30, wait: 40 }, { time: 50 })).toStrictEqual({ startMs: 1000, firstByteMs: 1070, endMs: 1070, waitMs: 40 });
  });

  it('begin in the queue, where that is told beside', () => {
    expect(phases({ _queued: 300, wait: 40, receive: 0 })).toStrictEqual({ startMs: 700, firstByteMs: 1040, endMs: 1040, waitMs: 40 });
  });

  it('begin when it was sent where neither queue nor handshake is told', () => {
    expect(phases({ wait: 40 })).toHaveProperty('startsWhenSent', true);
    for (const told of [{ blocked: 0 }, { _queued: 5 }, { connect: 40 }]) {
      expect(phases({ wait: 40, ...told })).not.toHaveProperty('startsWhenSent');
    }
    // An open connection is no handshake.
    expect(phases({ wait: 40, connect: 0 })).toStrictEqual({ startMs: 1000, firstByteMs: 1040, waitMs: 40, startsWhenSent: true });
  });

  it('may have a handshake that began before, unless something went before it', () => {
    const cut = (timings: object) => phases({ connect: 40, ...timings }).handshakeCut;
    expect([{}, { blocked: 0, dns: 0 }, { blocked: 5 }, { dns: 5 }, { blocked: 5, dns: 10 }].map(cut)).toEqual([
      ...[true, true],
      ...[false, false, false],
    ]);
  });
});

describe('TLS', () => {
  /** First byte: 1116 where it is within `connect`, 1146 beside. */
  const read = (time: number | undefined, context = HABITS, timings: object = PHASES) =>
    phasesOf({ ...STARTED, timings, ...(time !== undefined && { time }) }, context);
  const within = { firstByteMs: 1116, handshakeMs: 30 };
  const beside = { firstByteMs: 1146, handshakeMs: 60 };

  it('is where the whole time says, whoever wrote it', () => {
    for (const context of [HABITS, FIREFOX]) {
      expect(read(136, context)).toMatchObject(within);
      expect(read(166, context)).toMatchObject(beside);
      // Less than half of it off.
      expect(read(150.5, context)).toMatchObject(within);
      expect(read(151.5, context)).toMatchObject(beside);
    }
  });

  it.each([undefined, 151, 186, 9000])('is where the producer has it where a time of %j fits neither', (time) => {
    expect(read(time, HABITS)).toMatchObject(within);
    expect(read(time, FIREFOX)).toMatchObject(beside);
  });

  it('is beside a connection that is shorter, and may be all of one', () => {
    expect(read(undefined, HABITS, { ...PHASES, ssl: 61 })).toMatchObject({ firstByteMs: 1177, handshakeMs: 60 });
    const all = read(undefined, HABITS, { ...PHASES, ssl: 60 });
    expect(all.firstByteMs).toBe(1116);
    expect(all).not.toHaveProperty('handshakeMs');
  });

  it('is in the one handshake of HTTP/3', () => {
    expect(read(undefined, { ...HABITS, quic: true }, { ...PHASES, ssl: 60 })).toMatchObject({ firstByteMs: 1116, handshakeMs: 60 });
  });

  it('without a connection is none', () => {
    for (const context of [HABITS, FIREFOX, { ...HABITS, quic: true }]) {
      expect(read(undefined, context, { blocked: 0, ssl: 30, wait: 40 })).toStrictEqual({
        ...{ startMs: 1000, firstByteMs: 1040, waitMs: 40 },
      });
    }
  });
});

describe('phases as WebPageTest has them', () => {
  const ON_PAGE = { ...HABITS, pageStartMs: 1_000_000 };
  const SENT = { _load_start: 300, _ttfb_ms: 40, _load_end: 400 };
  const sent = { startMs: 1_000_300, firstByteMs: 1_000_340, waitMs: 40, endMs: 1_000_400, startsWhenSent: true };
  const OPENED = { _dns_start: 120, _dns_end: 150, _connect_start: 150, _connect_end: 250 };
  const phases = (more: object, context: Parameters<typeof phasesOf>[1] = ON_PAGE) => phasesOf({ ...SENT, ...more }, context);

  it('are ms after the start of the page', () => {
    expect(phases({ ...OPENED, _created: 100 })).toStrictEqual({
      ...{ startMs: 1_000_100, firstByteMs: 1_000_340, waitMs: 40, endMs: 1_000_400, dnsMs: 30, handshakeMs: 100 },
    });
    // Its own timings, which others would be read by, do not count.
    expect(phases({ timings: PHASES, ...STARTED })).toStrictEqual(sent);
  });

  it('begin with the lookup, else the connection, else the sending', () => {
    expect(phases(OPENED).startMs).toBe(1_000_120);
    expect(phases({ ...OPENED, _dns_start: -1, _dns_end: -1 }).startMs).toBe(1_000_150);
    expect(phases({})).toStrictEqual(sent);
    expect(phases({ _created: 290 })).toStrictEqual({ startMs: 1_000_290, firstByteMs: 1_000_340, waitMs: 40, endMs: 1_000_400 });
    expect(phases({ _created: 310 }).startMs).toBe(1_000_300);
  });

  it('end when all was loaded, by whichever is told, and not before the first byte', () => {
    const end = (more: object) => phases({ _load_end: -1, ...more }).endMs;
    expect(end({ _load_end: 400, _all_end: 500, _load_ms: 300 })).toBe(1_000_400);
    expect(end({ _all_end: 500, _load_ms: 300 })).toBe(1_000_500);
    expect(end({ _load_ms: 300 })).toBe(1_000_600);
    expect(end({ _load_end: 310 })).toBe(1_000_340);
    expect(phases({ _load_end: -1 })).toStrictEqual({ startMs: 1_000_300, firstByteMs: 1_000_340, waitMs: 40, startsWhenSent: true });
    expect(phases({ _ttfb_ms: -1 })).toStrictEqual({ startMs: 1_000_300, endMs: 1_000_400, startsWhenSent: true });
  });

  it('have spans that are told whole and forwards, but not as 0 and 0', () => {
    for (const none of [
      ...[{ _dns_start: 120 }, { _dns_end: 150 }, { _dns_start: 150, _dns_end: 120 }, { _dns_start: 0, _dns_end: 0 }],
      ...[{ _dns_start: -1, _dns_end: -1 }, { _connect_start: 120 }, { _connect_end: 150 }, { _connect_start: 0, _connect_end: 0 }],
    ]) {
      expect(phases(none)).toStrictEqual(sent);
    }
    expect(phases({ _dns_start: 120, _dns_end: 120 })).toStrictEqual({ ...sent, startMs: 1_000_120, dnsMs: 0 });
    // A connection that took no time is one, but measures nothing.
    const { startsWhenSent: _, ...others } = sent;
    expect(phases({ _connect_start: 250, _connect_end: 250 })).toStrictEqual({ ...others, startMs: 1_000_250 });
  });

  it('are counted from when it was sent where the start of the page is not told', () => {
    const startedDateTime = new Date(1_000_300).toISOString();
    expect(phases({ startedDateTime }, HABITS)).toStrictEqual(sent);
    expect(phases({}, HABITS)).toStrictEqual({ startsWhenSent: true });
  });

  it('are those of the specification where it was never sent', () => {
    expect(phases({ ...STARTED, timings: PHASES, _load_start: -1 })).toMatchObject({ startMs: 1000, firstByteMs: 1116 });
  });
});
