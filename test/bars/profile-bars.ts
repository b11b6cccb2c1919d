/** Bars 12 to 19: preferences, policies and the files that hold them. */
import type { Bar } from './bar.ts';

export const PROFILE_BARS: readonly Bar[] = [
  {
    number: 12,
    title: 'Another one’s policies',
    fault: 'A policy in /etc/firefox of this machine.',
    holds: 'Tests run with a home and an /etc/firefox of their own, and fail where they do not.',
    counts: [
      'stray policies that ended the test',
      'policies of the test itself that did not',
      'homes of somebody else that ended the test',
    ],
    guards: [
      {
        removed: 'the look at the policies in effect',
        replacements: [{ file: 'test/support/own-world.ts', from: 'world.status !== INACTIVE', to: 'world.status < INACTIVE' }],
        test: { file: 'test/browser/own-world.test.ts', only: 'did not make' },
      },
    ],
  },
  {
    number: 13,
    title: 'Damaged policies.json',
    fault: 'The file is cut off at each byte, empty, in UTF-16, has a byte order mark or a name twice.',
    holds: 'It is refused and stays as it is, to the byte; Firefox takes none of its cuts for a policy either.',
    counts: ['cuts refused and left as they were', 'cuts that Firefox takes for no policy', 'other damages refused and left as they were'],
    guards: [
      {
        removed: 'the refusal of a name that stands twice',
        replacements: [
          {
            file: 'src/core/profiles/json-text.ts',
            from: 'if (members.some((member) => member.name === name)) throw',
            to: 'if (members.length < 0) throw',
          },
        ],
        test: { file: 'test/contract/helper/policy-file.test.ts', only: 'a damaged file is refused' },
      },
    ],
  },
  {
    number: 14,
    title: 'Profiles in effect',
    fault: 'Each profile and each of its preferences is set by policy, as a default and locked.',
    holds: 'The running Firefox holds what was meant: value, type and lock.',
    counts: ['preferences read back from Firefox as they were meant'],
    guards: [
      {
        removed: 'the lock that was asked for',
        replacements: [
          {
            file: 'src/core/profiles/policies-json.ts',
            from: '{ Value: value, Status: status, Type: typeof',
            to: `{ Value: value, Status: status && 'default', Type: typeof`,
          },
        ],
        test: { file: 'test/browser/policy-profiles.test.ts', only: 'is in effect after a start' },
      },
    ],
  },
  {
    number: 15,
    title: 'Traps of types',
    fault: 'Sets of preferences with 0 and 1 for booleans, text for numbers, fractions, and numbers beyond 32 bits.',
    holds: 'They are refused, or written with their type, and Firefox reads them back as they were meant.',
    counts: [
      'sets refused or written to a policy with their types',
      'sets that Firefox reads from a policy as they were meant',
      'sets that Firefox reads from user.js as they were meant',
      'sets written and read back',
      'values of a wrong type refused',
    ],
    guards: [
      {
        removed: 'the look at whole numbers',
        replacements: [
          {
            file: 'src/core/profiles/check-profile.ts',
            from: "if (typeof value !== 'number' || !Number.isInteger(value)) {",
            to: "if (typeof value !== 'number') {",
          },
        ],
        test: { file: 'test/property/user-js-files.test.ts', only: 'of the wrong type or beyond the bounds are refused' },
      },
    ],
  },
  {
    number: 16,
    title: 'Somebody’s user.js',
    fault: 'Files with foreign lines, mistakes, line ends of Windows, unended strings, and a block of ours that was edited.',
    holds: 'Only our block changes, byte for byte; what Firefox could not read whole is refused.',
    counts: [
      'damaged blocks refused',
      'files of which every foreign byte stayed',
      'files refused for their mistakes alone',
      'files that Firefox reads as we do',
    ],
    guards: [
      {
        removed: 'the refusal of what Firefox cannot read',
        replacements: [{ file: 'src/core/profiles/user-js.ts', from: 'if (first !== undefined) {', to: 'if (first === null) {' }],
        test: { file: 'test/property/user-js-files.test.ts', only: 'with mistakes are refused' },
      },
    ],
  },
  {
    number: 17,
    title: 'A write that fails or is killed',
    fault: 'Each system call of a replacement fails (EIO, ENOSPC, EROFS, EPERM) or the process is killed at it.',
    holds: 'The file is the former or the new one; what is left behind goes at the next write.',
    counts: ['faults after which the file was the former or the new one', 'states that the disk was asked to keep, in order'],
    guards: [
      {
        removed: 'asking the disk to keep what was written',
        replacements: [{ file: 'src/helper/files/replace-file.ts', from: '  fsyncSync(fd);\n', to: '' }],
        test: { file: 'test/contract/helper/replace-file-faults.test.ts', only: 'the disk is asked to keep' },
      },
      {
        removed: 'asking the disk to keep the folder',
        replacements: [
          {
            file: 'src/helper/files/replace-file.ts',
            from: '  folder.sync();\n  folder.checkStillThere();\n  const now',
            to: '  folder.checkStillThere();\n  const now',
          },
        ],
        test: { file: 'test/contract/helper/replace-file-faults.test.ts', only: 'the disk is asked to keep' },
      },
    ],
  },
  {
    number: 18,
    title: 'Files that lead elsewhere',
    fault: 'Links, FIFOs, devices, folders of others at the place of a file, and a racer that exchanges them.',
    holds: 'They are refused, and the file of somebody else is untouched.',
    counts: [
      'packages exchanged between check and use',
      'packages refused',
      'races that left the other file alone',
      'ways to another file that are refused',
    ],
    guards: [
      {
        removed: 'the look for a second name of the file',
        replacements: [{ file: 'src/helper/files/checked-file.ts', from: 'if (found.nlink > 1) {', to: 'if (found.nlink > 1000) {' }],
        test: { file: 'test/contract/helper/replace-file-cases.test.ts', only: 'a hard link' },
      },
      {
        removed: 'the look at what stands at the place of a file',
        replacements: [
          {
            file: 'src/helper/files/checked-file.ts',
            from: 'const what = whatItIs(found);',
            to: 'const what = whatItIs(found) && undefined;',
          },
        ],
        test: { file: 'test/contract/helper/replace-file-cases.test.ts', only: 'neither read nor written through' },
      },
    ],
  },
  {
    number: 19,
    title: 'Wrong user, open profile, two helpers',
    fault: 'The helper runs as root, with the profile open in Firefox, or twice at once.',
    holds: 'It refuses; of two exactly one works.',
    counts: [
      'files of another user refused to root',
      'helpers that another user could not hold up',
      'locks left behind that one of fifty took over',
      'locks left behind that one of six took over',
      'meetings of two machines with one winner',
      'meetings of two network namespaces with one winner',
      'pairs of helpers of which one worked',
      'profiles in use that are refused',
    ],
    guards: [
      {
        removed: 'the look whether the holder of a lock lives',
        replacements: [
          {
            file: 'src/helper/profile/lock.ts',
            from: 'if (found === undefined || (await isHeld(folder, found))) return false;',
            to: 'if (found === undefined) return false;',
          },
        ],
        test: { file: 'test/contract/helper/profile-lock.test.ts', only: 'what a living process has taken' },
      },
    ],
  },
];
