import { expect, test } from 'vitest';
import { writtenLines } from '../../../src/cli/tune-command.ts';

const files = { report: 'o/report.json', html: 'o/report.html', policies: 'o/policies.json', userJs: 'o/user.js' };

test('the files of a run in a column; those that set nothing are not said to hold a recommended profile', () => {
  expect(writtenLines(files, { recommended: true }).slice(3)).toEqual([
    '  o/policies.json  the recommended profile for administrators',
    '  o/user.js        the recommended profile for one Firefox profile',
  ]);
  expect(writtenLines(files, { recommended: false }).slice(3)).toEqual([
    '  o/policies.json  sets nothing, as none is recommended; for administrators',
    '  o/user.js        sets nothing, as none is recommended; for one Firefox profile',
  ]);
});
