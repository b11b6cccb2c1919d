import { expect, test } from 'vitest';
import { refusal } from '../../../../src/lab/link/namespace-process.ts';

test.each([
  ['no TUN device', { code: 77, stderr: '' }, /^no \/dev\/net\/tun$/, /sudo modprobe tun/],
  [
    'no namespaces',
    { code: 1, stderr: 'a warning\nunshare: unshare failed: Operation not permitted\n' },
    /refused here \(unshare: unshare failed: Operation not permitted\)/,
    /container/,
  ],
  ['nothing said', { code: 127, stderr: '' }, /refused here \(exit code 127\)/, /container/],
])('%s: what is told to root helps, and is not to become root', (_name, trial, reason, whatToDo) => {
  const told = refusal(trial);
  expect(told.reason).toMatch(reason);
  expect(told.whatToDo).toMatch(whatToDo);
  expect(told.whatToDo).not.toMatch(/as root/);
});
