/** The tables of links that no option names. */
import { describe, expect, test } from 'vitest';
import type { LinkSpec } from '../../../../src/lab/link/link-spec.ts';
import { LINKS, LINKS_2008 } from '../../../../src/lab/link/links.ts';
import { parseLink } from '../../../../src/lab/link/parse-link.ts';
import { CORPUS_LINKS } from '../../../accuracy/corpus/capture-plan.ts';

const asFigures = ({ rttMs, downKbps, upKbps, queue }: LinkSpec): string => `rtt=${rttMs},down=${downKbps},up=${upKbps},queue=${queue}`;

describe.each([
  ['of the corpus', CORPUS_LINKS],
  ['of 2008', LINKS_2008],
])('the links %s', (_name, links) => {
  test('are eight, of different names', () => {
    expect(new Set(links.map(({ name }) => name)).size).toBe(8);
  });

  test.each(links.map((link) => [link.name, link] as const))(
    '%s could be typed: it lies within what the emulator was tried with',
    (_each, link) => {
      expect({ ...parseLink(asFigures(link)), name: link.name }).toEqual(link);
      expect(link.upKbps).toBeLessThanOrEqual(link.downKbps);
    },
  );
});

test('a link of the corpus that has the name of one of tune is that link', () => {
  const shared = CORPUS_LINKS.filter(({ name }) => LINKS.some((link) => link.name === name));
  expect(shared).toEqual(LINKS.toSorted((a, b) => a.rttMs - b.rttMs));
});
