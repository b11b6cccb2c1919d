import { linkVariation } from '../../core/report/link-variation.ts';
import type { LinkSpec } from './link-spec.ts';

/**
 * The figures chosen for the two links of the default run:
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

/** The links of `tune` unless others are named. */
export const DEFAULT_LINKS: readonly string[] = LINKS.map(({ name }) => name);

/**
 * Eight mobile networks as they were in 2008, for the simulation of that year's study. The study's own eight are not public: these are our
 * own reading of what a Nokia N810 with Fennec, or a phone beside it, was connected to, neither at its peak nor at its worst.
 *
 * Rates of 3G: PC World's tests in 13 American cities in spring 2009 (pcworld.com/article/167391): AT&T (HSPA) 818 kbit/s down and 549 up,
 * Verizon and Sprint (EV-DO A) 951 and 808 down, 426 and 377 up; AT&T's HSDPA of 3.6 Mbit/s gave 700 to 1700 (tidbits.com, 2009-09-09).
 * EDGE with its round trip: "Edge" of WebPageTest's connectivity.ini.sample. Of the others: a half to two thirds of the peak of the standard.
 * Round trips of the others: our own reading, in the order of the generations; 3G at the 300 ms of WebPageTest's "3G", give or take a third.
 * Queues: 100 packets, chosen; networks of that time held seconds of traffic rather than drop it, and with rates this low that is
 * never less than a bandwidth-delay product.
 */
export const LINKS_2008: readonly LinkSpec[] = [
  { name: 'edge-2008', rttMs: 840, downKbps: 240, upKbps: 200, queue: 100 },
  /** CDMA2000 1xRTT: peak 153 kbit/s each way. */
  { name: '1xrtt-2008', rttMs: 600, downKbps: 140, upKbps: 100, queue: 100 },
  /** UMTS of Release 99: a dedicated channel of 384 kbit/s down and 64 up. */
  { name: 'umts-2008', rttMs: 400, downKbps: 384, upKbps: 64, queue: 100 },
  /** EV-DO Revision 0: peak 2.4 Mbit/s down and 153 kbit/s up. */
  { name: 'evdo-0-2008', rttMs: 300, downKbps: 600, upKbps: 100, queue: 100 },
  /** EV-DO Revision A: peak 3.1 and 1.8 Mbit/s; the mean of the two operators measured. */
  { name: 'evdo-a-2008', rttMs: 200, downKbps: 880, upKbps: 400, queue: 100 },
  /** HSDPA of 3.6 Mbit/s with the uplink of Release 99, as the iPhone 3G had it: at most 384 kbit/s up. */
  { name: 'hsdpa-2008', rttMs: 250, downKbps: 1000, upKbps: 128, queue: 100 },
  /** HSDPA of 7.2 Mbit/s with HSUPA, where it was there: 1 to 4.5 Mbit/s down. */
  { name: 'hspa-2008', rttMs: 180, downKbps: 2500, upKbps: 800, queue: 100 },
  /** Mobile WiMAX, which the N810 of April 2008 had built in: 2 to 4 Mbit/s down where it was on the air that year. */
  { name: 'wimax-2008', rttMs: 150, downKbps: 3000, upKbps: 1000, queue: 100 },
];

/** VDSL2 at some distance from the cabinet; RTT between the 50 ms of WebPageTest's "DSL" and that of its "Cable". Chosen, not measured. */
const DSL = { name: 'dsl-25m', rttMs: 40, downKbps: 25_000, upKbps: 5000, queue: 500 };

/** RTT of WebPageTest's "Cable" (connectivity.ini.sample); its 5 Mbit/s are long past, so the most that the emulator carries. */
const CABLE = { name: 'cable-50m', rttMs: 28, downKbps: 50_000, upKbps: 5000, queue: 500 };

/** Means of 210,000 tests in five British cities: 15.1 Mbit/s down, 12.4 up (Ofcom, November 2014); RTT of WebPageTest's "LTE". */
const MOBILE = { name: '4g-15m', rttMs: 70, downKbps: 15_000, upKbps: 12_000, queue: 1000, jitterMs: 8 };

/**
 * Links of today, for studies of what Firefox ships now. Each is one line among many of its kind, in the middle or at the poorer end of
 * what the sources measured: fast lines leave a browser's connections little to do. At most 50 Mbit/s, which is what the emulator carries.
 *
 * Loss: little is published of random loss on such links that is not the queue's. The values are chosen in the order of what was
 * seen: Starlink loses packets also without load ("A First Look at Starlink Performance", IMC 2022; up to a half of them around
 * handovers, "A Browser-side View of Starlink Connectivity", IMC 2022); fixed lines mostly less than 0.4 % (FCC, Measuring Fixed
 * Broadband, which counts shares of users below 0.4 % and above 1 %). Fixed lines have none here; the lossy ones beside them are to
 * show what loss does, and are named for it.
 *
 * Queues: a line's own buffer, 100 to 500 ms at its rate, mobile and satellite deeper (see `LINKS`). Chosen, not measured.
 */
export const LINKS_TODAY: readonly LinkSpec[] = [
  DSL,
  CABLE,
  MOBILE,
  /** 4G in a moving car: a trace of our own model, see `traces.ts`; a moving modem sends at less power, hence less up. */
  { name: '4g-car', rttMs: 80, downKbps: 12_000, upKbps: 4000, queue: 1000, jitterMs: 10, downTrace: '4g-car' },
  /**
   * A train's Wi-Fi: RTT and rates are chosen, shared among passengers, with outages of up to 1.5 s (a trace of our own model); the
   * losses of two radios in series are 1 % each way.
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

/** Every link that has a name. */
export const NAMED_LINKS: readonly LinkSpec[] = [...LINKS, ...LINKS_2008, ...LINKS_TODAY];

/** How a link is shown: the figures always, every one that is set. */
export function linkFigures(link: LinkSpec): string {
  const basic = `RTT ${link.rttMs} ms, ${link.downKbps} kbit/s down, ${link.upKbps} up, queue ${link.queue} packets`;
  return [basic, ...linkVariation(link)].join(', ');
}
