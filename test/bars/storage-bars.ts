/** Bars 6 to 11: the store is damaged, full, private, large, or of another version. */
import type { Bar } from './bar.ts';

export const STORAGE_BARS: readonly Bar[] = [
  {
    number: 6,
    title: 'Lost database',
    fault: 'The header of the database is overwritten, the file is cut off in two places, or unlinked.',
    holds: 'The loss is noticed and told; "0 loads" is never shown as the truth.',
    counts: ['losses told in words'],
    guards: [
      {
        removed: 'noting what was there and is gone',
        replacements: [{ file: 'src/adapters/record-mirror.ts', from: 'if (mirror && gone > 0) {', to: 'if (mirror && gone < 0) {' }],
        test: { file: 'test/browser/extension-record-loss.test.ts', only: 'the popup and the dashboard say how much is lost' },
      },
    ],
  },
  {
    number: 7,
    title: 'Garbage inside the database',
    fault: '16 kB of random bytes in the middle of the file.',
    holds: 'What can be read is saved to a file; a reset is offered and works.',
    counts: ['damaged databases of which no load was lost without being told'],
    guards: [
      {
        removed: 'going on with the other half where one cannot be read',
        replacements: [
          { file: 'src/adapters/record-salvage.ts', from: 'if (!(error instanceof DOMException)) throw error;', to: 'throw error;' },
        ],
        test: { file: 'test/browser/extension-record-loss.test.ts', only: 'garbage in the middle' },
      },
    ],
  },
  {
    number: 8,
    title: 'Disk full',
    fault: 'A disk of 120 MB is filled to the last byte while loads are recorded, and emptied again.',
    holds: 'Recording pauses and says so once, nothing is thrown at nobody, and the first load after there is room is recorded.',
    counts: ['full disks after which the first load was recorded'],
    guards: [
      {
        removed: 'saying that the store has failed',
        replacements: [
          {
            file: 'src/background/page-state.ts',
            from: `if (storeFailure !== undefined) return failedState(storeFailure);`,
            to: `if (storeFailure === null) return failedState('');`,
          },
        ],
        test: { file: 'test/browser/extension-disk-full.test.ts', only: 'recording pauses' },
      },
    ],
  },
  {
    number: 9,
    title: 'Private browsing',
    fault: 'Pages are opened in private windows, and with permanent private browsing.',
    holds: 'Nothing of them is stored anywhere, and the person is told why.',
    counts: ['private windows of which nothing is in the profile', 'profiles without history in which nothing was stored'],
    guards: [
      {
        removed: 'the looks whether a window is private',
        replacements: [
          { file: 'src/content/content.ts', from: 'if (!browser.extension.inIncognitoContext) observe();', to: 'observe();' },
          { file: 'src/background/messages.ts', from: ' && !sender.incognito && (await', to: ' && (await' },
          {
            file: 'src/background/messages.ts',
            from: "if (sender.from !== 'content' || sender.incognito)",
            to: "if (sender.from !== 'content')",
          },
          { file: 'src/adapters/request-events.ts', from: "urls: ['<all_urls>'], incognito: false }", to: "urls: ['<all_urls>'] }" },
          {
            file: 'src/adapters/request-events.ts',
            from: 'if (details.incognito === true || details.tabId < 0',
            to: 'if (details.tabId < 0',
          },
        ],
        test: { file: 'test/browser/extension-privacy.test.ts', only: 'a private window leaves nothing' },
      },
    ],
  },
  {
    number: 10,
    title: 'Growth',
    fault: 'A million rows, and pages that send as much as they can.',
    holds: 'The store stays under its cap, oldest first; an answer takes less than 200 ms in 95 of 100 cases.',
    counts: ['sizes of the store below its cap', 'kinds of question answered in time in 95 of 100 cases'],
    guards: [
      {
        removed: 'letting go of what is above the cap',
        replacements: [
          {
            file: 'src/adapters/record-caps.ts',
            from: 'if ((totals.bytes ?? 0) > caps.bytes) return summariseOldest;',
            to: '',
          },
        ],
        test: { file: 'test/browser/extension-growth.test.ts', only: 'stay below' },
      },
    ],
  },
  {
    number: 11,
    title: 'Other versions, two tabs',
    fault: 'The database comes from an older or a newer version, is open twice, or Firefox is killed while it is upgraded.',
    holds: 'An upgrade is whole or has not begun; a newer database is read and never written.',
    counts: [
      'newer databases read and not written',
      'upgrades that another tab held up, told',
      'loads that an older package read and left as they were',
      'upgrades cut by a kill that lost no load',
    ],
    guards: [
      {
        removed: 'taking a newer database for one that is only read',
        replacements: [{ file: 'src/adapters/record-database.ts', from: '    isReadOnly = true;\n', to: '    isReadOnly = false;\n' }],
        test: { file: 'test/browser/extension-record-loss.test.ts', only: 'records that a newer version has changed' },
      },
    ],
  },
];
