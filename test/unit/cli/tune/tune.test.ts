import { expect, test } from 'vitest';
import { writtenLines } from '../../../../src/cli/tune/tune.ts';

const files = { report: 'o/report.json', html: 'o/report.html', policies: 'o/policies.json', userJs: 'o/user.js' };

test('the files of a run in a column, and what two of them set', () => {
  expect(writtenLines(files, { profileId: 'c8-d1' }).slice(3)).toEqual([
    '  o/policies.json  c8-d1 for administrators',
    '  o/user.js        c8-d1 for one Firefox profile',
  ]);
});

test('where nothing is proven by settings alone, it is said that neither is written', () => {
  expect(writtenLines({ ...files, policies: null, userJs: null }, { profileId: 'firefox-default' }).slice(3)).toEqual([
    'Not written: policies.json and user.js, as nothing is proven faster by settings alone.',
  ]);
});
