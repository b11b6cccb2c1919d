/** Bars 20 to 25: what speaks with the helper and the Experiment, and the way back. */
import type { Bar } from './bar.ts';

export const HELPER_BARS: readonly Bar[] = [
  {
    number: 20,
    title: 'Framing',
    fault:
      'Messages of no byte, cut off, of 4 GiB, split at every byte, two in one piece, not UTF-8, deep, with __proto__; 1 MiB and a byte more.',
    holds: 'Each is answered by what it is, or the helper ends in good order; nothing but frames comes out, in less than 100 MB.',
    tests: [{ file: 'test/property/helper/host-session.test.ts' }, { file: 'test/contract/helper/host.test.ts' }],
    counts: [
      'fuzzed messages answered by what they are',
      'messages answered by the process within 100 MB',
      'cuts of two messages understood',
    ],
    guards: [
      {
        removed: 'the bound on the length of a message',
        replacements: [
          {
            file: 'src/helper/native-frames.ts',
            from: 'if (lengthBytes > LONGEST_REQUEST_BYTES) {',
            to: 'if (lengthBytes > 0xffff_ffff) {',
          },
        ],
        test: { file: 'test/property/helper/host-session.test.ts', only: 'answers 100,000 fuzzed messages' },
      },
    ],
  },
  {
    number: 21,
    title: 'Hosts that fail',
    fault: 'The helper is missing, not allowed, crashes, answers garbage, or hangs.',
    holds: 'Each is told apart within 5 s, and loads are recorded all the while.',
    tests: [],
    counts: [],
    guards: [],
  },
  {
    number: 22,
    title: 'Callers and requests that are not ours',
    fault: 'Other callers, members more or missing, unknown operations, profiles and preferences.',
    holds: 'They are refused; no path, name or value of the extension’s reaches a file.',
    tests: [{ file: 'test/property/helper/host-session.test.ts' }, { file: 'test/contract/helper/host.test.ts' }],
    counts: ['requests with a member more refused', 'requests with a wrong member refused', 'callers refused'],
    guards: [
      {
        removed: 'the look at who calls',
        replacements: [{ file: 'src/helper/host.ts', from: '  checkCaller(args);\n', to: '' }],
        test: { file: 'test/contract/helper/host.test.ts', only: 'ends with a line for the console' },
      },
    ],
  },
  {
    number: 23,
    title: 'Profiles that break Firefox',
    fault: 'A profile with which no page comes, or with which Firefox ends before the extension runs.',
    holds: 'After two starts that nobody called well, everything is as before, to the byte.',
    tests: [],
    counts: [],
    guards: [],
  },
  {
    number: 24,
    title: 'The way back',
    fault: 'A profile or policy is taken back, with policies and preferences of others beside it.',
    holds: 'Files are as they were, to the byte; what others have changed since stays.',
    tests: [],
    counts: [],
    guards: [],
  },
  {
    number: 25,
    title: 'The Experiment',
    fault: 'It is absent, switched off, its preferences are locked, or it is asked for what it may not do.',
    holds: 'The person is told which; no name or value outside the catalogue is ever set.',
    tests: [],
    counts: [],
    guards: [],
  },
];
