import { describe, expect, test } from 'vitest';
import { parseLabArguments } from '../../../../src/cli/lab/arguments.ts';
import { PlumbfoxError } from '../../../../src/core/errors.ts';

describe('the links of lab check', () => {
  const checked = (...args: string[]) => {
    const parsed = parseLabArguments(['check', ...args]);
    return parsed.command === 'check' ? parsed.links?.map(({ name, rttMs, downKbps, upKbps }) => [name, rttMs, downKbps, upKbps]) : [];
  };

  test('none: every link of every study', () => expect(checked()).toBeUndefined());

  test('names, and figures with their commas, as tune takes them', () => {
    expect(checked('--links', 'dsl-10m,rtt=300,down=2000,up=384;far-2m', '--links', 'rtt=20,down=4000')).toEqual([
      ['dsl-10m', 50, 10_000, 1000],
      ['rtt=300,down=2000,up=384', 300, 2000, 384],
      ['far-2m', 300, 2000, 384],
      ['rtt=20,down=4000', 20, 4000, 4000],
    ]);
  });

  test.each([
    ['nix', /There is no link "nix"/],
    [',', /No link is named/],
    ['rtt=300', /needs rtt \(ms\) and down/],
  ])('%s is refused before anything starts', (links, says) => {
    expect(() => checked('--links', links)).toThrow(PlumbfoxError);
    expect(() => checked('--links', links)).toThrow(says);
  });
});
