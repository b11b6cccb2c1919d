/**
 * Eight mobile networks as they were in 2008, for the simulation of that year's study. The study's own eight are not public: these are our
 * own reading of the technologies then in use, with figures as somebody had them in a city, neither at their peak nor at their worst.
 *
 * Rates of 3G: PC World's tests in 13 American cities in spring 2009 (pcworld.com/article/167391): AT&T (HSPA) 818 kbit/s down and 549 up,
 * Verizon and Sprint (EV-DO A) 951 and 808 down, 426 and 377 up; AT&T's HSDPA of 3.6 Mbit/s gave 700 to 1700 (tidbits.com, 2009-09-09).
 * Of the others: a half to two thirds of the peak of the standard. Round trips: our own reading, in the order of the generations.
 * Queues: 100 packets, our own choice; networks of that time held seconds of traffic rather than drop it, and with rates this low that is
 * never less than a bandwidth-delay product.
 */
import type { LinkSpec } from './link-spec.ts';

export const LINKS_2008: readonly LinkSpec[] = [
  /** GPRS, four time slots down and one up: peak 80 and 20 kbit/s (CS-4); coding CS-2 gives 52 and 13. */
  { name: 'gprs-2008', rttMs: 700, downKbps: 50, upKbps: 20, queue: 100 },
  /** EDGE, four time slots down and one or two up: peak 237 and 59 to 118 kbit/s. */
  { name: 'edge-2008', rttMs: 500, downKbps: 150, upKbps: 60, queue: 100 },
  /** CDMA2000 1xRTT: peak 153 kbit/s each way. */
  { name: '1xrtt-2008', rttMs: 400, downKbps: 100, upKbps: 70, queue: 100 },
  /** UMTS of Release 99: a dedicated channel of 384 kbit/s down and 64 up. */
  { name: 'umts-2008', rttMs: 250, downKbps: 320, upKbps: 64, queue: 100 },
  /** EV-DO Revision 0: peak 2.4 Mbit/s down and 153 kbit/s up. */
  { name: 'evdo-0-2008', rttMs: 220, downKbps: 500, upKbps: 100, queue: 100 },
  /** EV-DO Revision A: peak 3.1 and 1.8 Mbit/s; the mean of the two operators measured. */
  { name: 'evdo-a-2008', rttMs: 160, downKbps: 880, upKbps: 400, queue: 100 },
  /** HSDPA of 3.6 Mbit/s with the uplink of Release 99, as the iPhone 3G had it: at most 384 kbit/s up. */
  { name: 'hsdpa-2008', rttMs: 150, downKbps: 1000, upKbps: 300, queue: 100 },
  /** HSDPA of 7.2 Mbit/s with HSUPA, where it was there: 1 to 4.5 Mbit/s down. */
  { name: 'hspa-2008', rttMs: 100, downKbps: 2500, upKbps: 800, queue: 100 },
];
