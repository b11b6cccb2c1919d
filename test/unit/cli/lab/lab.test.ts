import { expect, it } from 'vitest';
import { listedStudies, listText } from '../../../../src/cli/lab/lab.ts';

const measured = {
  id: 'one',
  question: 'Does it?',
  pages: ['wiki', 'shop'],
  links: ['near'],
  profiles: ['c2-d1', 'c4-d1', 'firefox-default'],
  loads: 6,
  tookMinutes: 3,
};

it('tells the size of each study, and how long it took where it has been measured', () => {
  const { tookMinutes: _, ...unmeasured } = { ...measured, id: 'other' };
  expect(listText([measured, unmeasured])).toBe(
    [
      'one',
      '  Does it?',
      '  6 loads: 2 pages, 1 link, 3 profiles; took 3 min on two processors',
      '',
      'other',
      '  Does it?',
      '  6 loads: 2 pages, 1 link, 3 profiles',
      '',
    ].join('\n'),
  );
});

it('lists every study with the members that --json promises', () => {
  for (const study of listedStudies()) {
    expect(study).toMatchObject({
      id: expect.stringMatching(/^[a-z0-9-]+$/),
      question: expect.stringMatching(/\?$/),
      loads: expect.any(Number),
    });
    for (const names of [study.pages, study.links, study.profiles]) expect(names.length).toBeGreaterThan(0);
    expect(study.loads).toBeGreaterThan(study.profiles.length);
  }
});
