/**
 * Links of today, for studies of what Firefox ships now. Each is one line among many of its kind, in the middle or at the poorer end of
 * what the sources measured: fast lines leave a browser's connections little to do. At most 50 Mbit/s, which is what the emulator carries.
 *
 * Loss: little is published of random loss on such links that is not the queue's. What is given is our own choice in the order of what was
 * seen: Starlink loses packets also without load ("A First Look at Starlink Performance", IMC 2022; up to a half of them around
 * handovers, "A Browser-side View of Starlink Connectivity", IMC 2022); fixed lines mostly less than 0.4 % (FCC, Measuring Fixed
 * Broadband, which counts shares of users below 0.4 % and above 1 %). Fixed lines have none here; the lossy ones beside them are to
 * show what loss does, and are named for it.
 *
 * Queues: a line's own buffer, 100 to 500 ms at its rate, mobile and satellite deeper (see `links.ts`); our own choice.
 */
import type { LinkSpec } from './link-spec.ts';

/** VDSL2 at some distance from the cabinet; RTT between the 50 ms of WebPageTest's "DSL" and that of its "Cable"; our own choice. */
const DSL = { name: 'dsl-25m', rttMs: 40, downKbps: 25_000, upKbps: 5000, queue: 500 };
/** RTT of WebPageTest's "Cable" (connectivity.ini.sample); its 5 Mbit/s are long past, so the most that the emulator carries. */
const CABLE = { name: 'cable-50m', rttMs: 28, downKbps: 50_000, upKbps: 5000, queue: 500 };
/** Means of 210,000 tests in five British cities: 15.1 Mbit/s down, 12.4 up (Ofcom, November 2014); RTT of WebPageTest's "LTE". */
const MOBILE = { name: '4g-15m', rttMs: 70, downKbps: 15_000, upKbps: 12_000, queue: 1000, jitterMs: 8 };

export const LINKS_TODAY: readonly LinkSpec[] = [
  DSL,
  CABLE,
  MOBILE,
  /** 4G in a moving car: a trace of our own model, see `traces.ts`; a moving modem sends at less power, hence less up. */
  { name: '4g-car', rttMs: 80, downKbps: 12_000, upKbps: 4000, queue: 1000, jitterMs: 10, downTrace: '4g-car' },
  /**
   * A train's Wi-Fi: RTT and rates are our own choice, shared among passengers, with outages of up to 1.5 s (a trace of our own model); the
   * losses of two radios behind each other are 1 % each way.
   */
  {
    name: 'train-wifi',
    rttMs: 120,
    downKbps: 4000,
    upKbps: 1500,
    queue: 500,
    lossDown: 0.01,
    lossUp: 0.01,
    jitterMs: 15,
    downTrace: 'train-wifi',
  },
  /**
   * Satellites near the earth: median RTT 44 ms and 13.5 Mbit/s up (Ookla, Starlink in the United States, third quarter of 2021); its
   * median of 87 Mbit/s down is more than the emulator carries.
   */
  { name: 'leo-50m', rttMs: 44, downKbps: 50_000, upKbps: 13_500, queue: 1000, lossDown: 0.005, lossUp: 0.005, jitterMs: 6 },
  /** A geostationary satellite: medians of HughesNet, 19.3 Mbit/s down, 2.5 up, round trip fifteen times Starlink's (Ookla, as above). */
  { name: 'geo-19m', rttMs: 660, downKbps: 19_300, upKbps: 2540, queue: 2000 },
  { ...CABLE, name: 'cable-50m-loss1', lossDown: 0.01, lossUp: 0.01 },
  { ...MOBILE, name: '4g-15m-loss2', lossDown: 0.02, lossUp: 0.02 },
];
