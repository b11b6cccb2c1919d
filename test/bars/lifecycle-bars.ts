/** Bars 1 to 5: the event page and its process end at any moment. */
import type { Bar } from './bar.ts';

export const LIFECYCLE_BARS: readonly Bar[] = [
  {
    number: 1,
    title: 'Idle event page',
    fault: 'Firefox ends the event page before every load.',
    holds: 'Every load and every request is stored; no value lives in memory alone.',
    counts: ['loads recorded although the event page had ended', 'requests recorded'],
    guards: [
      {
        removed: 'listening to requests at once',
        replacements: [
          {
            file: 'src/background/background.ts',
            from: 'listenToRequests(async (event) => {',
            to: 'setTimeout(() => listenToRequests(async (event) => {',
          },
          { file: 'src/background/background.ts', from: '}, noteLostEvent);', to: '}, noteLostEvent), 50);' },
        ],
        test: { file: 'test/browser/extension-event-page.test.ts', only: 'loads with every request' },
      },
    ],
  },
  {
    number: 2,
    title: 'Late listeners',
    fault: 'The event page is woken by an event.',
    holds: 'Every listener is added before the script has run once; none comes later.',
    counts: ['listeners added in time'],
    guards: [
      {
        removed: 'listening to messages at once',
        replacements: [
          {
            file: 'src/background/background.ts',
            from: 'browser.runtime.onMessage.addListener(messages.answer);',
            to: 'setTimeout(() => browser.runtime.onMessage.addListener(messages.answer), 5);',
          },
        ],
        test: { file: 'test/unit/background/listeners.test.ts', only: 'has added every listener' },
      },
    ],
  },
  {
    number: 3,
    title: 'Extension process killed',
    fault: 'The process of the extension gets SIGKILL five times, then a sixth time.',
    holds: 'After one to five kills the next load is recorded; after the sixth the person is told, and nothing stored is lost.',
    counts: ['kills of the extension process after which the next load was recorded', 'stops by Firefox that were told, with nothing lost'],
    guards: [
      {
        removed: 'saying since when nothing was recorded',
        replacements: [
          { file: 'src/adapters/record-mirror.ts', from: '...(standstills && { standstills })', to: '...(standstills && {})' },
        ],
        test: { file: 'test/browser/extension-stopped.test.ts', only: 'where Firefox has stopped it' },
      },
    ],
  },
  {
    number: 4,
    title: 'Firefox killed while it writes',
    fault: 'Firefox gets SIGKILL at a random moment after a load.',
    holds: 'Every load that was acknowledged is there after the next start, whole.',
    counts: ['kills after which every recorded load was there, by checksum'],
    guards: [
      {
        removed: 'waiting for the store before a load is acknowledged',
        replacements: [
          {
            file: 'src/background/recorder.ts',
            from: '    await storeLoad(\n',
            to: '    ((...all: Parameters<typeof storeLoad>) => setTimeout(() => storeLoad(...all), 2_000))(\n',
          },
        ],
        test: { file: 'test/browser/extension-killed.test.ts', only: 'killed' },
      },
    ],
  },
  {
    number: 5,
    title: 'Work longer than the idle time',
    fault: 'The event page ends in the middle of an import, an export or a computation.',
    holds: 'The work goes on from a checkpoint, and its result is that of one go.',
    counts: [
      'works cut by the end of the event page that came to the result of one go',
      'reports exported beside the end of the event page that are those of one go',
    ],
    guards: [
      {
        removed: 'settling what waits in steps, each a transaction of its own',
        replacements: [
          {
            file: 'src/adapters/late-events.ts',
            from: 'const CHUNK = { first: 32, most: 256 } as const;',
            to: 'const CHUNK = { first: 1_000_000, most: 1_000_000 } as const;',
          },
          {
            file: 'src/adapters/late-events.ts',
            from: 'const MAX_AMENDED_REQUESTS = 2_000;',
            to: 'const MAX_AMENDED_REQUESTS = 2_000_000;',
          },
        ],
        test: { file: 'test/browser/extension-long-work.test.ts', only: 'cut by the end of the event page' },
      },
    ],
  },
];
