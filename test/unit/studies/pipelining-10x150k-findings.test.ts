import { describe, expect, it } from 'vitest';
import { checkProfile } from '../../../src/core/profiles/check-profile.ts';
import { CONTROL } from '../../../src/core/profiles/presets.ts';
import { FAST, FAST_2011, pipelining10x150k, SLOW } from '../../../src/lab/studies/pipelining-10x150k.ts';
import { firstByteWaits, pictureCells, picturePage } from '../../../src/lab/studies/pipelining-10x150k-cells.ts';
import { BUNDLED_ID, pipelining10x150kFindings } from '../../../src/lab/studies/pipelining-10x150k-findings.ts';
import { bundlesOf, pictureRoundTrips } from '../../../src/lab/studies/pipelining-10x150k-rounds.ts';
import type { StudyLoad } from '../../../src/lab/studies/study-load.ts';
import { madeLoad } from './made-load.ts';

const profile = (id: string) => {
  const found = [...pipelining10x150k.profiles, CONTROL].find((each) => each.id === id);
  if (found === undefined) throw new Error(`no ${id}`);
  return found;
};
const recipeOf = (name: string) => {
  const found = pipelining10x150k.pages.find((page) => page.name === name)?.recipe;
  if (found === undefined) throw new Error(`no ${name}`);
  return found;
};

describe('ten pictures', () => {
  it.each([
    ['firefox-default', [1, 1], [1, 1]],
    ['control', [1, 1], [1, 1]],
    [BUNDLED_ID, [1, 4], [1]],
    ['c6-d4', [2], [2]],
    ['c4-d6', [3], [3]],
    ['c1-d10', [10], []],
  ])('%s asks for %j on the document’s connection and %j on the fullest other', (id, first, other) => {
    expect(bundlesOf(profile(id), 10)).toEqual({ first, other });
  });

  // 150 kB are 104 segments. Ten, doubled every round: 10, 30, 70, 150, 310, 630, 1270 in all after 1 to 7 rounds.
  it.each([
    // A handshake; 104 in 4 rounds; the window is 160 then, so the second takes one.
    ['firefox-default', 6],
    // Without a handshake, 4 rounds; 416 more in 160 and 320. The others: a handshake and 4.
    [BUNDLED_ID, 6],
    // A handshake, and 208 in one go.
    ['c6-d4', 6],
    // A handshake, and 312 in one go: two more than five rounds send.
    ['c4-d6', 7],
    // 1,040 in one go, on the connection that stands.
    ['c1-d10', 7],
  ])('of 150 kB are sent after as many round trips with %s: %i', (id, roundTrips) => {
    expect(pictureRoundTrips(profile(id), picturePage(recipeOf('images-cold')))).toBe(roundTrips);
  });

  it('of 16 kB need a handshake, two rounds and one more with ten segments at first, three and one more with three', () => {
    // 12 segments: 10 + 20; then 40. With three: 3 + 6 + 12; then 24.
    const page = picturePage(recipeOf('images-16k-cold'));
    expect(page).toEqual({ pictures: 10, pictureBytes: 16_000 });
    expect(pictureRoundTrips(profile('firefox-default'), page, FAST.initialWindow)).toBe(4);
    expect(pictureRoundTrips(profile('firefox-default'), page, FAST_2011.initialWindow)).toBe(5);
  });
});

/** Ten pictures asked for at 200 ms; each as long behind as given. */
function load(profileId: string, { page = 'images-cold', link = FAST.name, loadTimeMs = 1000, behindMs = 0, block = 0 } = {}): StudyLoad {
  const pictures = Array.from({ length: 10 }, (_, at) => ({
    name: `picture-${at}.png`,
    fetchStart: 200,
    requestStart: 210,
    // A round trip of 100 ms and 5 ms of the server, besides what it waited.
    responseStart: 305 + at * behindMs,
    responseEnd: loadTimeMs,
  }));
  return madeLoad({
    ...{ profileId, page, link, loadTimeMs, block },
    requests: [{ name: '', fetchStart: 0, responseStart: 110, responseEnd: 120 }, ...pictures],
  });
}

const data = (loads: readonly StudyLoad[]) => ({
  study: pipelining10x150k,
  pages: pipelining10x150k.pages,
  links: pipelining10x150k.links,
  loads,
});

it('waiting for a first byte is what it takes beyond a round trip and the server', () => {
  expect(firstByteWaits(load('control', { behindMs: 20 }), FAST, recipeOf('images-cold'))).toEqual([
    0, 20, 40, 60, 80, 100, 120, 140, 160, 180,
  ]);
});

describe('the findings', () => {
  const both = (options: Parameters<typeof load>[1], id: string) => [0, 1, 2].map((block) => load(id, { ...options, block }));
  const loads = [
    ...both({ loadTimeMs: 1000 }, 'firefox-default'),
    ...both({ loadTimeMs: 1020 }, 'control'),
    ...both({ loadTimeMs: 1530, behindMs: 50 }, BUNDLED_ID),
    ...both({ loadTimeMs: 918 }, 'c6-d4'),
    ...both({ loadTimeMs: 700, page: 'images-warm' }, 'firefox-default'),
    ...both({ loadTimeMs: 700, page: 'images-warm' }, 'control'),
    ...both({ loadTimeMs: 770, page: 'images-warm' }, BUNDLED_ID),
  ];
  const findings = pipelining10x150kFindings(data(loads));

  it('compare what goes through the gateway with the gateway alone, over all scenarios of a kind', () => {
    // 1,530 over 1,020 and 770 over 700; 918 over 1,020. The control is 2 % off the baseline, which is less than its own cost would have to be.
    expect(findings.answer[0]).toMatch(
      /^No: on cold connections the seed's pipelining, a bundle of up to four onto one of six, took 1\.5\d \(.*\) times as long as six without pipelining \(the most in one scenario: 1\.50 \(images-cold over rtt100-50m\)\)\.$/,
    );
    expect(findings.answer[1]).toMatch(
      new RegExp(`^${BUNDLED_ID}, .*: 1\\.5\\d \\(.*\\) on cold connections; 1\\.10 \\(.*\\) on warm connections\\.$`),
    );
    expect(findings.answer[2]).toMatch(/^c6-d4, .*: 0\.9\d \(.*\) on cold connections\.$/);
  });

  it('say why by round trips, and how long a first byte waits', () => {
    // 510 ms more than the control; 12 Mbit on a line of 50 Mbit/s.
    expect(findings.answer.join('\n')).toContain(
      `${BUNDLED_ID} (images-cold over rtt100-50m): all pictures are sent after 6 round trips, against 6 without pipelining: no more by arithmetic, 510 ms more measured. The line itself needs 240 ms.`,
    );
    expect(findings.answer.at(-1)).toContain(`450 ms with ${BUNDLED_ID} (images-cold over rtt100-50m), 0 ms without`);
  });

  it('say that few loads are few', () => {
    const once = [load('firefox-default', { loadTimeMs: 500 }), load(BUNDLED_ID, { loadTimeMs: 550 })];
    expect(pipelining10x150kFindings(data(once)).answer[0]).toMatch(/^No, as far as so few loads can tell: .* took 1\.10 times/);
  });

  it('call it doubled where it is', () => {
    const doubled = [...both({ loadTimeMs: 500 }, 'firefox-default'), ...both({ loadTimeMs: 900 }, BUNDLED_ID)];
    expect(pipelining10x150kFindings(data(doubled)).answer[0]).toMatch(/^Yes: .* took 1\.80 /);
    const elsewhere = [SLOW.name, FAST_2011.name].flatMap((link) =>
      ['firefox-default', BUNDLED_ID].flatMap((id) => both({ loadTimeMs: 500, link }, id)),
    );
    expect(pipelining10x150kFindings(data([...doubled, ...elsewhere])).answer[0]).toMatch(/^Only in places: .* took 1\.22 /);
  });

  it('have a row and a bar for every load there is, and nothing unknown in a picture', () => {
    expect(findings.tables.map(({ rows }) => rows.length)).toEqual([7]);
    for (const { columns, rows } of findings.tables) for (const row of rows) expect(row).toHaveLength(columns.length);
    expect(findings.pictures.map(({ name }) => name)).toEqual([
      'pipelining-10x150k-images-cold-rtt100-50m',
      'pipelining-10x150k-images-warm-rtt100-50m',
    ]);
    for (const { svg } of findings.pictures) expect(svg).not.toMatch(/NaN|undefined/);
    // Four profiles with eleven requests of two bars, the background and two of the legend.
    expect(findings.pictures[0]?.svg.match(/<rect/g)).toHaveLength(4 * 11 * 2 + 3);
  });

  it.each([
    ['nothing', []],
    ['no pipelining', both({}, 'firefox-default')],
    ['nothing to compare with', both({}, BUNDLED_ID)],
  ])('say that too little was measured: %s', (_, few) => {
    const { answer, besides } = pipelining10x150kFindings(data(few));
    expect(answer).toHaveLength(1);
    expect(answer[0]).toMatch(/^Too little was measured/);
    expect(besides[0]?.ours).toBe('not measured');
  });
});

it('a profile through the gateway is judged as such', () => {
  const cells = pictureCells(data([load('firefox-default'), load(BUNDLED_ID)]));
  expect(cells.map(({ compared }) => compared.carrier)).toEqual(['none', 'gateway']);
});

it('every profile of the study may be applied', () => {
  for (const each of pipelining10x150k.profiles) expect(() => checkProfile(each)).not.toThrow();
});
