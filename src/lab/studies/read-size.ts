/**
 * Chromium's AsyncSlowStart tried in Firefox: does a smaller read buffer bring the first bytes of a new connection sooner? The field experiment
 * of 2009 took users week by week; here a repeat stands for a week.
 */
import { READ_COUNT, READ_SIZE } from '../../core/profiles/catalogue.ts';
import { FIREFOX_DEFAULT } from '../../core/profiles/presets.ts';
import type { Profile } from '../../core/profiles/profile.ts';
import { SHIPPED } from '../../core/profiles/shipped.ts';
import type { LinkSpec } from '../link/link-spec.ts';
import { sendingWith } from '../link/link-spec.ts';
import { newsStill } from '../pages/news.ts';
import { manyOrigins } from '../pages/study-pages.ts';
import { readSizeFindings } from './read-size/analysis.ts';
import type { Study } from './study.ts';
import { readSizePictures } from './table-pictures.ts';

/** The experiment began with 1 kB and doubled; Firefox keeps one size for all reads, so each size is a profile. */
function reads(bytes: number, count?: number): Profile {
  const room = count === undefined ? '' : `, ${count} of them`;
  return {
    id: `read-${bytes / 1024}k${count === undefined ? '' : `-x${count}`}`,
    title: `${bytes} bytes read at a time${room}`,
    connections: undefined,
    depth: 1,
    preferences: { [READ_SIZE]: bytes, ...(count === undefined ? {} : { [READ_COUNT]: count }) },
  };
}

/** What is shipped, set by hand: differs from the baseline in nothing, so what it seems to gain is chance. */
const SAME_AS_SHIPPED = reads(SHIPPED.readSize);
/** The small segment with all the room that the shipped one has: separates the read's size from the room for what waits unread. */
const SMALL_WITH_ROOM = reads(1024, (SHIPPED.readSize * SHIPPED.readCount) / 1024);

const NO_DELAY =
  'the mail explains its gain by Windows, which hands over an asynchronous read 40 to 50 ms late while its buffer is not full; Linux hands over what there is at once, whatever the size of the read';

/** Chosen figures, near to far; the middle one is the lab's `dsl-10m`. */
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
  pages: [newsStill, manyOrigins].map((recipe) => ({ name: recipe.name, recipe, servedBy: 'embedded', connections: 'cold' })),
  links: sendingWith('reno', LINKS),
  profiles: [FIREFOX_DEFAULT, reads(1024), reads(4096), reads(16_384), SAME_AS_SHIPPED, reads(131_072), SMALL_WITH_ROOM],
  baseline: FIREFOX_DEFAULT.id,
  repeats: 6,
  timeoutS: 60,
  tookMinutes: 11,
  cut: { pages: [manyOrigins.name], links: ['near-20m'], profiles: [FIREFOX_DEFAULT.id, 'read-1k', SAME_AS_SHIPPED.id], repeats: 2 },
  original: {
    outcome: {
      what: 'outcome by cohort, reads that begin with 1 KiB',
      original:
        '10 of 10 sound weeks a win at the cut-offs up to 95 %, by 0.8 % to 6.3 % as the mail sums up; 6 of 10 at all cut-offs up to 99.5 %, the other 4 mixed; 4 weeks corrupt',
      why: `${NO_DELAY}; a cohort here is one repeat with a few hundred connections, there a week of users: so small a sample strays by itself, as what is set to the value that is shipped shows`,
    },
    average: { what: 'average gain in time to first byte', original: '2 to 3 % sooner, 3 to 20 ms a request', why: NO_DELAY },
    change: {
      what: 'what the experiment changed',
      original: 'reads of 1 KB, doubled with each read, instead of 4 or 32 KB (as the mail writes), on Windows',
      why: 'Chromium began with 1 KB and doubled it with every full read; Firefox has one size for all reads of a response',
    },
    measure: {
      what: 'what was measured',
      original: 'time to first byte of transactions on new connections, without what lies above 99 %',
      why: "the mail leaves the tail out for a skew at 50 s in all of its histograms; the lab's links have none",
    },
  },
  findings: readSizeFindings,
  tablePictures: readSizePictures,
};
