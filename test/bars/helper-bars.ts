/** Bars 20 to 25: what speaks with the helper and the Experiment, and the way back. */
import type { Bar } from './bar.ts';

export const HELPER_BARS: readonly Bar[] = [
  {
    number: 20,
    title: 'Framing',
    fault:
      'Messages of no byte, cut off, of 4 GiB, split at every byte, two in one piece, not UTF-8, deep, with __proto__; 1 MiB and a byte more.',
    holds: 'Each is answered by what it is, or the helper ends in good order; nothing but frames comes out, in less than 100 MB.',
    counts: [
      'cuts of two messages understood',
      'fuzzed messages answered by what they are',
      'messages answered by the process within 100 MB',
      'messages at the bounds, through Firefox',
    ],
    guards: [
      {
        removed: 'the bound on the length of a message',
        replacements: [
          {
            file: 'src/helper/host/native-frames.ts',
            from: 'if (lengthBytes > MAX_REQUEST_BYTES) {',
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
    counts: ['hosts that failed and were told apart within 5 s'],
    guards: [
      {
        removed: 'the time after which a silent helper has failed',
        replacements: [{ file: 'src/adapters/native-helper.ts', from: 'const HELLO_MS = 3_000;', to: 'const HELLO_MS = 30_000;' }],
        test: { file: 'test/browser/extension-helper.test.ts', only: 'hosts that fail' },
      },
    ],
  },
  {
    number: 22,
    title: 'Callers and requests that are not ours',
    fault: 'Other callers, members more or missing, unknown operations, profiles and preferences.',
    holds: 'They are refused; no path, name or value of the extension’s reaches a file.',
    counts: [
      'callers refused',
      'native messages of nothing but operation, profile, nonce and version',
      'requests with a member more refused',
      'requests with a wrong member refused',
    ],
    guards: [
      {
        removed: 'the look at who calls',
        replacements: [{ file: 'src/helper/host/host.ts', from: '  checkCaller(args);\n', to: '' }],
        test: { file: 'test/contract/helper/host.test.ts', only: 'ends with a line for the console' },
      },
    ],
  },
  {
    number: 23,
    title: 'Profiles that break Firefox',
    fault: 'A profile with which no page comes, or with which Firefox ends before the extension runs.',
    holds: 'After two starts that nobody called well, everything is as before, to the byte.',
    counts: [
      'bad profiles gone in Firefox after two starts',
      'files given back after restarts of the machine',
      'files given back by the guard, to the byte',
      'starts after which the former state was back',
    ],
    guards: [
      {
        removed: 'the end of a profile after two starts',
        replacements: [
          {
            file: 'src/helper/profile/profile-changes.ts',
            from: `if (record?.phase === 'pending' && record.starts.length >= UNCONFIRMED_STARTS) {`,
            to: `if (record?.phase === 'pending' && record.starts.length < 0) {`,
          },
        ],
        test: { file: 'test/contract/helper/profile-changes.test.ts', only: 'two starts are the last' },
      },
    ],
  },
  {
    number: 24,
    title: 'The way back',
    fault: 'A profile or policy is taken back, with policies and preferences of others beside it.',
    holds: 'Files are as they were, to the byte; what others have changed since stays.',
    counts: [
      'changes of others kept',
      'policies taken back to the byte',
      'preferences as Firefox ships them after a policy',
      'profiles taken back to the byte',
    ],
    guards: [
      {
        removed: 'the copy of what was there before',
        replacements: [
          {
            file: 'src/helper/policy/policies-json.ts',
            from: 'return backup?.hash === record.before ? backup : undefined;',
            to: 'return backup && undefined;',
          },
        ],
        test: { file: 'test/contract/helper/policy-file.test.ts', only: 'gives back to the byte' },
      },
    ],
  },
  {
    number: 25,
    title: 'The Experiment',
    fault: 'It is absent, switched off, its preferences are locked, or it is asked for what it may not do.',
    holds: 'The person is told which; no name or value outside the catalogue is ever set.',
    counts: ['refusals in their own words', 'requests refused where Experiments are off', 'ways to hand in a false former value'],
    guards: [
      {
        removed: 'the bounds of a number',
        replacements: [
          {
            file: 'src/experiment-api/network-preferences/api.js',
            from: `if (bounds.type === 'integer' && (Number(value) < bounds.min || Number(value) > bounds.max)) {`,
            to: `if (bounds.type === 'none') {`,
          },
        ],
        test: { file: 'test/browser/extension-applier-experiment-api.test.ts', only: 'each refusal has its own words' },
      },
    ],
  },
];
