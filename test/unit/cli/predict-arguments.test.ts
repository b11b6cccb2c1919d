import { describe, expect, it } from 'vitest';
import { defaultProfiles, parsePredictArguments } from '../../../src/cli/predict-arguments.ts';
import { predictHelp } from '../../../src/cli/predict-help.ts';
import { parsePredictLinks, predictLinkWords } from '../../../src/cli/predict-link.ts';
import { measureCommand } from '../../../src/cli/predict-measure.ts';

const ids = (profiles: readonly { readonly id: string }[] = []) => profiles.map(({ id }) => id);

describe('arguments of predict', () => {
  it('have defaults', () => {
    expect(parsePredictArguments(['a.har'])).toEqual({
      file: 'a.har',
      links: undefined,
      profiles: undefined,
      pages: undefined,
      seed: 0,
      json: false,
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
    [['a', '--profiles', ','], /--profiles names nothing/],
    [['a', '--profiles', 'c4-d66'], /There is no profile "c4-d66"/],
    [['a', '--page', ' '], /--page names nothing/],
    [['a', '--seed', '-1'], /--seed lacks its value/],
    [['a', '--seed', '1e3'], /--seed must be a whole number, not "1e3"/],
    [['a', '--seed', '4294967296'], /--seed must lie between 0 and 4294967295/],
    [['a', '--svg', ' '], /--svg names nothing/],
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
    expect(uneven && predictLinkWords(uneven)).toBe(
      'RTT 1 ms, 20 kbit/s down, 20 up, queue 7 packets, loss 2 % down, 0 % up, jitter 2.5 ms, initial window 3',
    );
  });

  it('are of CUBIC unless they say Reno, which is shown', () => {
    const [reno] = parsePredictLinks('rtt=100,down=2000,cc=reno');
    expect(reno?.link.congestionControl).toBe('reno');
    expect(reno && predictLinkWords(reno)).toMatch(/initial window 10, sent with Reno$/);
    expect(parsePredictLinks('rtt=100,down=2000')[0]?.link.congestionControl).toBe('cubic');
    expect(() => parsePredictLinks('rtt=100,down=2000,cc=bbr')).toThrow('cc must be one of reno, cubic, not "bbr"');
  });

  it('are shown with what is unusual', () => {
    expect(link && predictLinkWords(link)).toBe(
      'RTT 300 ms, 2000 kbit/s down, 384 up, queue 100 packets, loss 1 % each way, initial window 10',
    );
    expect(predictLinkWords({ name: 'x', basis: 'estimated', link: { rttMs: 41.26, downKbps: 5123.4 } })).toBe(
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

describe('the command that measures', () => {
  const links = parsePredictLinks('far-2m;rtt=40,down=8000');

  it('loads pages of the lab over links that it can emulate', () => {
    expect(measureCommand({ labPages: ['wiki', 'images'], links }, ['firefox-default', 'c4-d6'])).toBe(
      "npm run tune -- --pages wiki,images --links 'far-2m;rtt=40,down=8000,up=8000,queue=100' --profiles firefox-default,c4-d6",
    );
    expect(measureCommand({ labPages: ['wiki'], links: links.slice(0, 1) }, ['firefox-default'])).toBe(
      'npm run tune -- --pages wiki --links far-2m',
    );
  });

  it.each(['loss=0.01', 'jitter=3', 'iw=3'])('leaves out links that the lab cannot emulate: %s', (figure) => {
    const unusual = parsePredictLinks(`rtt=40,down=8000,${figure}`);
    expect(measureCommand({ labPages: ['wiki'], links: unusual }, ['a', 'b'])).toBe('npm run tune -- --pages wiki --profiles a,b');
  });

  it('loads other pages over the real network', () => {
    expect(measureCommand({ labPages: [], links }, ['firefox-default', 'c8-d1'])).toBe(
      "npm run tune -- --real-network --urls FILE --profiles firefox-default,c8-d1 (FILE holds the page's address)",
    );
  });

  it('links of the lab by name have the loss they are named for; what no figure of the simulator describes is not among them', () => {
    expect(parsePredictLinks('cable-50m-loss1')[0]?.link).toMatchObject({ rttMs: 28, lossDown: 0.01, lossUp: 0.01, queuePackets: 500 });
    // A trace, and jitter of another kind.
    for (const name of ['train-wifi', '4g-car', '4g-15m']) expect(() => parsePredictLinks(name)).toThrow(/There is no link/);
  });
});
