/** Read buffers and caches. */
import { ALL_JS, type Entry, GECKOVIEW, integer } from './entry.ts';
import { READ_COUNT, READ_SIZE } from './names.ts';

export const CACHES: readonly Entry[] = [
  {
    preference: READ_SIZE,
    label: 'Read segment, bytes',
    bounds: { type: 'integer', min: 1, max: 1_048_575, clamp: { min: 1, max: 1_048_575, beyond: 'ignored' } },
    android: { value: 16_384 },
    readByUxp: true,
    protocol: 'all',
    takesEffect: 'live',
    effect: 'Size of one segment of the pipe a response is read through. The name is older than the code (bug 715770).',
    source: `Firefox 140 netwerk/base/nsIOService.cpp PrefsChanged (0 < size < 1 MiB); defaults ${ALL_JS}, ${GECKOVIEW}`,
    confoundedBy: [{ preference: READ_COUNT, why: 'What may wait unread is size x count.' }],
  },
  {
    preference: READ_COUNT,
    label: 'Read segments',
    bounds: integer(1, 1024, 'Firefox accepts any positive number; 1024 segments of 32 KiB already buffer 32 MiB per response.'),
    android: 'as-desktop',
    readByUxp: true,
    protocol: 'all',
    takesEffect: 'live',
    effect: 'Segments of the pipe a response is read through.',
    source: `Firefox 140 netwerk/base/nsIOService.cpp PrefsChanged; default ${ALL_JS}`,
    confoundedBy: [{ preference: READ_SIZE, why: 'What may wait unread is size x count.' }],
  },
];
