import { describe, expect, test } from 'vitest';
import { parseTuneArguments } from '../../../../src/cli/tune/arguments.ts';
import { PlumbfoxError } from '../../../../src/core/errors.ts';

const ids = (...args: string[]) => parseTuneArguments(args).profiles.map(({ id }) => id);

describe('the arguments of tune', () => {
  test('nothing: 2 pages, 2 links, 3 candidates with baseline and control, 3 blocks', () => {
    const all = parseTuneArguments([]);
    expect(all).toMatchObject({
      pages: [{ name: 'wiki' }, { name: 'images' }],
      blocks: 3,
      json: false,
      install: 'ask',
      relay: false,
      help: false,
      timeoutS: 75,
    });
    expect(all.links.map(({ name }) => name)).toEqual(['far-2m', 'dsl-10m']);
    expect(all.profiles.map(({ id }) => id)).toEqual(['firefox-default', 'c1-d2', 'c4-d6', 'c8-d1', 'control']);
    expect([all.out, all.urlFile]).toEqual([undefined, undefined]);
    expect(all.seed).toBeGreaterThanOrEqual(1);
    expect(all.seed).toBeLessThan(1_000_000);
  });

  test('every option', () => {
    expect(
      parseTuneArguments(
        '--pages hold --links rtt=20,down=4000 --profiles c2-d1 --blocks 7 --seed 0 --out x --json --timeout 5 --relay --no-install -h'.split(
          ' ',
        ),
      ),
    ).toMatchObject({
      pages: [{ name: 'hold' }],
      links: [{ rttMs: 20, downKbps: 4000, upKbps: 4000, queue: 100 }],
      blocks: 7,
      seed: 0,
      out: 'x',
      json: true,
      timeoutS: 5,
      relay: true,
      install: 'no',
      help: true,
    });
    expect(parseTuneArguments(['--real-network', '--urls', 'f']).urlFile).toBe('f');
  });

  test('the baseline is always measured, the control where a profile needs the gateway, each once', () => {
    expect(ids('--profiles', 'c8-d1')).toEqual(['firefox-default', 'c8-d1']);
    expect(ids('--profiles', 'c8-d1,firefox-default,c8-d1')).toEqual(['firefox-default', 'c8-d1']);
    expect(ids('--profiles', 'c4-d6')).toEqual(['firefox-default', 'c4-d6', 'control']);
    expect(ids('--profiles', 'control,c8-d1')).toEqual(['firefox-default', 'c8-d1', 'control']);
    expect(ids('--profiles', 'again=c8-d1', '--profiles', 'c8-d1')).toEqual(['firefox-default', 'again', 'c8-d1']);
  });

  test('links may be given again, and count once', () => {
    expect(parseTuneArguments(['--links', 'far-2m', '--links', 'rtt=20,down=4000;far-2m']).links.map(({ rttMs }) => rttMs)).toEqual([
      300, 20,
    ]);
  });

  test('pages may be given again too, and count once', () => {
    expect(parseTuneArguments(['--pages', 'hold', '--pages', 'wiki,hold']).pages.map(({ name }) => name)).toEqual(['hold', 'wiki']);
  });

  test('a list of a thousand profiles is read', () => {
    const names = Array.from({ length: 1000 }, (_, index) => `n${index}=c2-d1`).join(',');
    expect(ids('--profiles', names)).toHaveLength(1001);
  });

  test.each([
    [['--blocks', '0'], '--blocks must lie between 1 and 1000'],
    [['--blocks', '1001'], '--blocks must lie between 1 and 1000'],
    [['--blocks', '2.5'], '--blocks must be a whole number, not "2.5"'],
    [['--blocks', ''], '--blocks must be a whole number, not ""'],
    [['--seed', '4294967296'], '--seed must lie between 0 and 4294967295'],
    [['--timeout', '601'], '--timeout must lie between 1 and 600'],
    [['--pages', ' , '], '--pages names nothing'],
    [['--urls', ''], '--urls goes with --real-network'],
    [['--real-network', '--urls', ''], '--real-network needs --urls FILE, a file with one address per line'],
    [
      ['--real-network', '--urls', 'f', '--relay'],
      '--pages, --links and --relay are for the emulated network; with --real-network the file of --urls names the pages',
    ],
    [['--out', ' '], '--out needs the name of a folder'],
    [['--nonsense'], "Unknown option '--nonsense'. See plumbfox tune --help"],
    [
      ['--blocks', '--json'],
      '--blocks lacks its value, or has one that begins with a dash: that is written --blocks=VALUE. See plumbfox tune --help',
    ],
  ])('refused: %j', (args, message) => {
    expect(() => parseTuneArguments(args)).toThrow(new PlumbfoxError('bad-input', message));
  });
});
