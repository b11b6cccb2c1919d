/**
 * Chromium's AsyncSlowStart tried in Firefox: does a smaller read buffer bring the first bytes of a new connection sooner? The field experiment
 * of 2009 took users week by week; here a repeat stands for a week.
 */
import { FIREFOX_DEFAULT } from '../../core/profiles/presets.ts';
import type { Profile } from '../../core/profiles/profile.ts';
import { sendingWith } from '../link/congestion-control.ts';
import type { LinkSpec } from '../link/link-spec.ts';
import { doors } from '../pages/doors.ts';
import { newsStill } from '../pages/news-still.ts';
import { readSizeFindings } from './read-size/findings.ts';
import type { Study } from './study.ts';

const SIZE = 'network.buffer.cache.size';
const COUNT = 'network.buffer.cache.count';

/** Firefox ESR 153 on the desktop, see the catalogue. */
const SHIPPED = { bytes: 32_768, count: 24 };

/** The experiment began with 1 kB and doubled; Firefox keeps one size for all reads, so each size is a profile. */
function reads(bytes: number, count?: number): Profile {
  const room = count === undefined ? '' : `, ${count} of them`;
  return {
    id: `read-${bytes / 1024}k${count === undefined ? '' : `-x${count}`}`,
    title: `${bytes} bytes read at a time${room}`,
    connections: undefined,
    depth: 1,
    preferences: { [SIZE]: bytes, ...(count === undefined ? {} : { [COUNT]: count }) },
  };
}

/** What is shipped, set by hand: differs from the baseline in nothing, so what it seems to gain is chance. */
const SAME_AS_SHIPPED = reads(SHIPPED.bytes);
/** The small segment with all the room that the shipped one has: tells the read's size from the room for what waits unread. */
const SMALL_WITH_ROOM = reads(1024, (SHIPPED.bytes * SHIPPED.count) / 1024);

/** Our own choice of figures, near to far; the middle one is the lab's `dsl-10m`. */
const LINKS: readonly LinkSpec[] = [
  { name: 'near-20m', rttMs: 20, downKbps: 20_000, upKbps: 5000, queue: 1000 },
  { name: 'dsl-10m', rttMs: 50, downKbps: 10_000, upKbps: 1000, queue: 1000 },
  { name: 'far-5m', rttMs: 200, downKbps: 5000, upKbps: 1000, queue: 1000 },
];

export const readSize: Study = {
  id: 'read-size',
  question: 'Does a smaller read buffer bring the first bytes of a new connection sooner?',
  source:
    "Results of Chromium's AsyncSlowStart experiment, chromium-dev, December 2009 (http://www.mail-archive.com/chromium-dev@googlegroups.com/msg11441.html)",
  pages: [newsStill, doors].map((recipe) => ({ name: recipe.name, recipe, servedBy: 'embedded', connections: 'cold' })),
  links: sendingWith('reno', LINKS),
  profiles: [FIREFOX_DEFAULT, reads(1024), reads(4096), reads(16_384), SAME_AS_SHIPPED, reads(131_072), SMALL_WITH_ROOM],
  baseline: FIREFOX_DEFAULT.id,
  repeats: 6,
  timeoutS: 60,
  tookMinutes: 11,
  cut: { pages: [doors.name], links: ['near-20m'], profiles: [FIREFOX_DEFAULT.id, 'read-1k', SAME_AS_SHIPPED.id], repeats: 2 },
  findings: readSizeFindings,
};
