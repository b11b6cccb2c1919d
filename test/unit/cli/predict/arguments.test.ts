import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { parseLabArguments } from '../../../../src/cli/lab/arguments.ts';
import { defaultProfiles, parsePredictArguments, predictHelp } from '../../../../src/cli/predict/arguments.ts';
import { linkLabel, parsePredictLinks } from '../../../../src/cli/predict/link.ts';
import { type Measurable, measureCommand } from '../../../../src/cli/predict/measure.ts';
import type { NamedLink } from '../../../../src/core/predict/predict-json.ts';
import { parseLinks } from '../../../../src/lab/link/parse-link.ts';

const ids = (profiles: readonly { readonly id: string }[] = []) => profiles.map(({ id }) => id);

describe('arguments of predict', () => {
  it('have defaults', () => {
    expect(parsePredictArguments(['a.har'])).toEqual({
      file: 'a.har',
      links: undefined,
      profiles: undefined,
      notices: [],
      pages: undefined,
      seed: 0,
      json: false,
      verbose: false,
      svg: undefined,
      svgProfiles: undefined,
      help: false,
    });
  });

  it('have the baseline first, once, and sets taken apart', () => {
    expect(ids(parsePredictArguments(['a', '--profiles', 'c4-d6,firefox-default', '--profiles', 'c8-d1']).profiles)).toEqual([
      'firefox-default',
      'c4-d6',
      'c8-d1',
    ]);
    expect(parsePredictArguments(['a', '--profiles', 'fennec-18']).profiles).toHaveLength(19);
  });

  it('leave profiles that differ in depth only to pages where depth acts', () => {
    const sweep = ['firefox-default', 'c1-d1', 'c2-d1', 'c4-d1', 'c6-d1', 'c8-d1', 'c10-d1', 'c16-d1'];
    expect(ids(defaultProfiles({ requests: 9, byConnections: 9, byDepth: 0 }))).toEqual(sweep);
    expect(ids(defaultProfiles({ requests: 9, byConnections: 9, byDepth: 1 })).slice(0, 8)).toEqual(sweep);
    expect(defaultProfiles({ requests: 9, byConnections: 9, byDepth: 1 })).toHaveLength(26);
  });

  it('take links from several options, each once', () => {
    const { links } = parsePredictArguments(['a', '--link', 'far-2m;dsl-10m', '--link', 'rtt=10,down=500', '--link', 'far-2m']);
    expect(links?.map(({ name }) => name)).toEqual(['far-2m', 'dsl-10m', 'rtt=10,down=500']);
  });

  it.each([
    [[], /Name one file: plumbfox predict FILE\.har, REPORT\.json or RECIPE\.json/],
    [[''], /Name one file/],
    [['a', 'b'], /Name one file/],
    [['a', '--link', ''], /No link is named/],
    [['a', '--profiles', ','], /--profiles needs a value/],
    [['a', '--profiles', 'c4-d66'], /There is no profile "c4-d66"/],
    [['a', '--page', ' '], /--page needs a value/],
    [['a', '--seed', '-1'], /--seed needs a value/],
    [['a', '--seed', '1e3'], /--seed must be a whole number, not "1e3"/],
    [['a', '--seed', '4294967296'], /--seed must lie between 0 and 4294967295/],
    [['a', '--svg', ' '], /--svg needs a value/],
    [['a', '--svg-profile', 'c4-d6'], /--svg-profile goes with --svg FILE/],
    [
      ['--study', 'fennec-2008', '--link', 'far-2m'],
      /--study has pages, links and profiles of its own and draws nothing: leave out --link/,
    ],
    [['--study', 'fennec-2008', '--svg', 'a.svg'], /leave out --svg$/],
    [['a', '--fast'], /Unknown option '--fast'\. See plumbfox predict --help/],
    [['a', '--json=yes'], /'--json' does not take an argument/],
  ])('refused: %j', (args, says) => {
    expect(() => parsePredictArguments(args)).toThrow(says);
  });

  it('are not looked at for help', () => {
    expect(parsePredictArguments(['--help']).help).toBe(true);
    expect(parsePredictArguments(['a.har', '--help'])).toMatchObject({ help: true, file: '' });
    expect(predictHelp()).toContain('firefox-default,connections-sweep, and fennec-18 where depth can have an effect');
  });
});

describe('links of predict', () => {
  const [link] = parsePredictLinks('rtt=300,down=2000,up=384,loss=0.01');

  it('by figures, with every default in place', () => {
    expect(link).toMatchObject({
      name: 'rtt=300,down=2000,up=384,loss=0.01',
      basis: 'given',
      link: {
        rttMs: 300,
        downKbps: 2000,
        upKbps: 384,
        lossDown: 0.01,
        lossUp: 0.01,
        queuePackets: 100,
        jitterMs: 0,
        initialWindow: 10,
      },
    });
  });

  it('by name, with the figures of the lab', () => {
    expect(parsePredictLinks('far-2m')).toEqual([
      { name: 'far-2m', basis: 'given', link: { rttMs: 300, downKbps: 2000, upKbps: 384, queuePackets: 1000 } },
    ]);
  });

  it('by name, as they were in 2008', () => {
    expect(parsePredictLinks('edge-2008')[0]?.link).toEqual({ rttMs: 840, downKbps: 240, upKbps: 200, queuePackets: 100 });
  });

  it('may lose more one way than the other', () => {
    const [uneven] = parsePredictLinks('rtt=1,down=20,loss=0.02,loss-up=0,queue=7,jitter=2.5,iw=3');
    expect(uneven?.link).toMatchObject({ lossDown: 0.02, lossUp: 0, queuePackets: 7, jitterMs: 2.5, initialWindow: 3, upKbps: 20 });
    expect(uneven && linkLabel(uneven)).toBe(
      'RTT 1 ms, 20 kbit/s down, 20 up, queue 7 packets, loss 2 % down, 0 % up, jitter 2.5 ms, initial window 3',
    );
  });

  it('are of CUBIC unless they say Reno, which is shown', () => {
    const [reno] = parsePredictLinks('rtt=100,down=2000,cc=reno');
    expect(reno?.link.congestionControl).toBe('reno');
    expect(reno && linkLabel(reno)).toMatch(/initial window 10, sent with Reno$/);
    expect(parsePredictLinks('rtt=100,down=2000')[0]?.link.congestionControl).toBe('cubic');
    expect(() => parsePredictLinks('rtt=100,down=2000,cc=bbr')).toThrow('cc must be one of reno, cubic, not "bbr"');
    expect(parsePredictLinks('rtt=100,down=2000, cc=reno')[0]?.link.congestionControl).toBe('reno');
    expect(() => parsePredictLinks('rtt=100,down=2000,cc=reno,cc=cubic')).toThrow('Link "cc=cubic" needs rtt (ms) and down (kbit/s)');
    expect(() => parsePredictLinks('rtt=100,trace=4g-car')).toThrow('has no varying rates');
  });

  it('are shown with what is unusual', () => {
    expect(link && linkLabel(link)).toBe('RTT 300 ms, 2000 kbit/s down, 384 up, queue 100 packets, loss 1 % each way, initial window 10');
    expect(linkLabel({ name: 'x', basis: 'estimated', link: { rttMs: 41.26, downKbps: 5123.4 } })).toBe(
      'RTT 41.3 ms, 5123.4 kbit/s down, 5123.4 up, queue 100 packets, initial window 10, estimated',
    );
  });

  it.each([
    ['far', /There is no link "far"\. Did you mean far-2m\? Links: far-2m, dsl-10m, edge-2008, .*, or figures such as rtt=300/],
    ['rtt=300', /needs rtt \(ms\) and down \(kbit\/s\), such as rtt=300,down=2000,up=384,loss=0\.01/],
    ['rtt=300,down=2000,loss=1%', /loss must be a number, not "1%"/],
    ['rtt=300,down=2000,loss=1', /loss must lie between 0 and 0\.5/],
    ['rtt=300,down=0', /down must lie between 1 and 100000000/],
    ['rtt=300,down=2000,speed=1', /"speed" is not one of rtt, down, up, loss, loss-down, loss-up, queue, jitter, iw/],
  ])('refused: %s', (text, says) => {
    expect(() => parsePredictLinks(text)).toThrow(says);
  });
});

/** As bash reads it, word by word: what a person gets who pastes the line. */
const words = (command: string) =>
  execFileSync('bash', ['-c', `printf '%s\\n' ${command}`], { encoding: 'utf8' })
    .trimEnd()
    .split('\n');

describe('the command that measures', () => {
  const links = parsePredictLinks('far-2m;rtt=40,down=8000');
  const lab = { loadedBy: 'lab', pages: ['wiki'], labPages: ['wiki'], links } as const;
  const linksOf = (given: readonly NamedLink[], pages: Partial<Measurable> = {}) => {
    const command = words(measureCommand({ ...lab, ...pages, links: given }, ['a', 'b']));
    const at = command.indexOf('--links');
    return at < 0 ? undefined : parseLinks(command[at + 1] ?? '');
  };

  it('loads pages of the lab over links that it can emulate', () => {
    expect(measureCommand({ ...lab, labPages: ['shop.json'], protocol: 'http/2', links: [] }, ['firefox-default'])).toBe(
      'npm run tune -- --pages shop.json --protocol http/2',
    );
    expect(measureCommand({ ...lab, labPages: ['wiki', 'images'] }, ['firefox-default', 'c4-d6'])).toBe(
      "npm run tune -- --pages wiki,images --links 'far-2m;rtt=40,down=8000,up=8000,queue=100' --profiles firefox-default,c4-d6",
    );
    expect(measureCommand({ ...lab, links: links.slice(0, 1) }, ['firefox-default'])).toBe('npm run tune -- --pages wiki --links far-2m');
  });

  it.each(['jitter=3', 'up=60000'])('leaves out links that the lab cannot emulate: %s', (figure) => {
    const unusual = parsePredictLinks(`rtt=40,down=8000,${figure}`);
    expect(measureCommand({ ...lab, links: unusual }, ['a', 'b'])).toBe('npm run tune -- --pages wiki --profiles a,b');
  });

  it('asks for the window, the losses and the congestion control that were predicted', () => {
    const [measured] = linksOf(parsePredictLinks('rtt=40,down=8000,loss-up=0.01,iw=3,cc=reno')) ?? [];
    expect(measured).toMatchObject({ rttMs: 40, downKbps: 8000, lossUp: 0.01, initialWindow: 3, congestionControl: 'reno' });
    // As reports name it that were measured with Reno: the lab's link of that name is sent with CUBIC today.
    const [far] = parsePredictLinks('far-2m');
    if (far === undefined) throw new Error('there is no far-2m');
    const [renoFar] = linksOf([{ ...far, link: { ...far.link, congestionControl: 'reno' } }]) ?? [];
    expect(renoFar).toMatchObject({ rttMs: 300, downKbps: 2000, upKbps: 384, queue: 1000, congestionControl: 'reno' });
  });

  it.each(["my pages/it's.json", '$HOME/a;b.json', 'a(1).json'])('can be pasted with a recipe at %s', (file) => {
    const command = measureCommand({ ...lab, labPages: [file] }, ['firefox-default', 'c8-d1']);
    expect(words(command).slice(0, 6)).toEqual(['npm', 'run', 'tune', '--', '--pages', file]);
  });

  it('loads other pages over the real network', () => {
    const command = measureCommand({ ...lab, loadedBy: 'real-network', labPages: [] }, ['firefox-default', 'c8-d1']);
    expect(words(command)).toEqual('npm run tune -- --real-network --urls FILE --profiles firefox-default,c8-d1'.split(' '));
  });

  it('loads pages of a study by the study, as far as it has these links and profiles', () => {
    const umts = { name: 'umts-2008', basis: 'configured', link: { rttMs: 400, downKbps: 384 } } as const;
    const study = { ...lab, pages: ['wiki-2008', 'news-2008'], labPages: [] };
    const only = (command: string) => parseLabArguments(words(command).slice(2));
    expect(only(measureCommand({ ...study, links: [umts] }, ['firefox-default', 'c4-d6']))).toMatchObject({
      study: 'fennec-2008',
      // firefox-default joins by itself, as the gateway carries c4-d6.
      only: { page: ['wiki-2008', 'news-2008'], link: ['umts-2008'], profile: ['c4-d6'] },
    });
    // A profile that it has not: all of its own.
    expect(measureCommand({ ...study, links }, ['firefox-default', 'c8-d1'])).toBe(
      'plumbfox lab run fennec-2008 --only page=wiki-2008,news-2008 # it has profiles and links of its own, not all of these',
    );
  });

  it('loads a page of the lab that is neither by its recipe', () => {
    const command = measureCommand({ ...lab, pages: ['my shop'], labPages: [], links: links.slice(0, 1) }, ['firefox-default', 'c8-d1']);
    expect(command).toBe(
      'npm run tune -- --pages FILE.json --links far-2m --profiles firefox-default,c8-d1 # FILE.json is the recipe of my shop',
    );
  });

  it('links of the lab by name have the loss they are named for; what no figure of the simulator describes is not among them', () => {
    expect(parsePredictLinks('cable-50m-loss1')[0]?.link).toMatchObject({ rttMs: 28, lossDown: 0.01, lossUp: 0.01, queuePackets: 500 });
    // A trace, and jitter of another kind.
    for (const name of ['train-wifi', '4g-car', '4g-15m']) expect(() => parsePredictLinks(name)).toThrow(/There is no link/);
  });
});
