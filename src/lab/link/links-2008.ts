/**
 * Eight mobile networks as they were in 2008, for the simulation of that year's study. The study's own eight are not public: these are our
 * own reading of what a Nokia N810 with Fennec, or a phone beside it, was connected to, neither at its peak nor at its worst.
 *
 * Rates of 3G: PC World's tests in 13 American cities in spring 2009 (pcworld.com/article/167391): AT&T (HSPA) 818 kbit/s down and 549 up,
 * Verizon and Sprint (EV-DO A) 951 and 808 down, 426 and 377 up; AT&T's HSDPA of 3.6 Mbit/s gave 700 to 1700 (tidbits.com, 2009-09-09).
 * EDGE with its round trip: "Edge" of WebPageTest's connectivity.ini.sample. Of the others: a half to two thirds of the peak of the standard.
 * Round trips of the others: our own reading, in the order of the generations; 3G at the 300 ms of WebPageTest's "3G", give or take a third.
 * Queues: 100 packets, our own choice; networks of that time held seconds of traffic rather than drop it, and with rates this low that is
 * never less than a bandwidth-delay product.
 */
import type { LinkSpec } from './link-spec.ts';

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
