/**
 * One direction of an emulated link, decided packet by packet: serialisation at the rate, a drop-tail queue counted in
 * packets, then the propagation delay. Pure: the clock is passed in.
 */

/**
 * The rate asked for is what TCP payload gets in full-size segments over Ethernet-sized packets (1,460 of 1,500 bytes:
 * RFC 879/RFC 9293 MSS 1460), because that is what a speed test or a download shows; headers are charged on top.
 */
export const WIRE_BYTES_PER_PAYLOAD_BYTE = 1500 / 1460;

export interface DirectionSetting {
  readonly delayMs: number;
  readonly rateKbps: number;
  /** Packets that may wait for the line, the one being sent included. */
  readonly queuePackets: number;
}

export interface ShapedDirection {
  /** When a packet arriving now leaves the link, or `undefined` when the queue is full and it is dropped. */
  admit(packetBytes: number, nowMs: number): number | undefined;
  set(setting: DirectionSetting): void;
  /** Forgets what is on the line and in the queue. */
  flush(): void;
  readonly counters: { admitted: number; dropped: number; bytes: number };
}

/** Time to put a packet of so many IP bytes on a line whose rate is asked for in TCP payload; 1 kbit/s is 1 bit/ms. */
export const serialisationMs = (packetBytes: number, rateKbps: number): number =>
  (packetBytes * 8) / (rateKbps * WIRE_BYTES_PER_PAYLOAD_BYTE);

export function shapedDirection(initial: DirectionSetting): ShapedDirection {
  let setting = initial;
  /** When the line falls idle. */
  let lineFreeAtMs = 0;
  /** Serialisation ends of the packets still on the line or waiting, oldest first. */
  let waiting: number[] = [];
  const counters = { admitted: 0, dropped: 0, bytes: 0 };
  return {
    counters,
    set: (next) => {
      setting = next;
    },
    flush: () => {
      waiting = [];
      lineFreeAtMs = 0;
    },
    admit: (packetBytes, nowMs) => {
      const gone = waiting.findIndex((end) => end > nowMs);
      waiting = gone === -1 ? [] : waiting.slice(gone);
      if (waiting.length >= setting.queuePackets) {
        counters.dropped += 1;
        return undefined;
      }
      lineFreeAtMs = Math.max(lineFreeAtMs, nowMs) + serialisationMs(packetBytes, setting.rateKbps);
      waiting.push(lineFreeAtMs);
      counters.admitted += 1;
      counters.bytes += packetBytes;
      return lineFreeAtMs + setting.delayMs;
    },
  };
}
