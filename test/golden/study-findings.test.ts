/**
 * What every study finds in made loads of all of its pages, links and profiles, as it was when somebody last looked at it: answers in words, and the
 * figures. A difference is shown line by line; when it is meant, write it with: npx vitest run --project unit test/golden -u
 */
import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { CONTROL, FIREFOX_DEFAULT } from '../../src/core/profiles/presets.ts';
import { seededRandom } from '../../src/core/random.ts';
import { STUDIES } from '../../src/lab/studies/all-studies.ts';
import type { Study, StudyData, StudyLoad, StudyPage, StudyRequest } from '../../src/lab/studies/study.ts';
import { madeLoad } from '../unit/lab/studies/made-load.ts';

type Link = StudyData['links'][number];
const REPEATS = 3;
const WINDOWS = 60;

/** Each page's objects one after another, the first over a connection of its own where none is open; all at once where they have servers of their own. */
function requestsOf({ recipe, connections }: StudyPage, { rttMs, downKbps }: Link, random: () => number): readonly StudyRequest[] {
  const servers = new Set(recipe.resources.map(({ origin }) => origin)).size;
  let at = 5;
  const objects = recipe.resources.map(({ name, bytes }, index): StudyRequest => {
    const opens = servers > 1 || (connections === 'cold' && index === 0);
    const handshake = opens ? { connectStart: at, connectEnd: at + rttMs * (0.9 + 0.2 * random()) } : {};
    const requestStart = handshake.connectEnd ?? at;
    const responseStart = requestStart + rttMs * (1 + 0.1 * random());
    const responseEnd = responseStart + ((bytes * 8) / downKbps) * (1 + 0.1 * random());
    const request = { name, fetchStart: at, ...handshake, requestStart, responseStart, responseEnd, bytes };
    if (servers === 1) at = responseEnd + 1;
    return request;
  });
  return [{ name: '', fetchStart: 0, responseStart: rttMs, responseEnd: rttMs + 5 }, ...objects];
}

/** Every profile has a speed of its own, by its name; loads vary by 10 %. */
function madeData(study: Study): StudyData {
  const { next: random } = seededRandom(153);
  const profiles = [...study.profiles, FIREFOX_DEFAULT, CONTROL].filter(
    ({ id }, at, all) => all.findIndex((each) => each.id === id) === at,
  );
  const speedOf = (id: string) => 1 + 0.1 * ((createHash('sha256').update(id).digest()[0] ?? 0) % 5);
  const loads = study.links.flatMap((link) =>
    study.pages
      .filter((page) => !study.without?.(page, link))
      .flatMap((page) =>
        Array.from({ length: REPEATS }, (_, block) =>
          profiles.map(({ id }): StudyLoad => {
            const full = (link.downKbps / 8) * 100;
            return madeLoad({
              ...{ profileId: id, page: page.name, link: link.name, block },
              loadTimeMs: (500 + 5 * link.rttMs) * speedOf(id) * (1 + 0.1 * random()),
              requests: requestsOf(page, link, random),
              dropped: { down: block, up: 0 },
              deliveredBytes: Array.from({ length: WINDOWS }, (_, window) => full * (id === 'pull-64k' && window % 2 === 0 ? 0.3 : 0.95)),
            });
          }),
        ).flat(),
      ),
  );
  return { study, pages: study.pages, links: study.links, loads };
}

/** To nine figures, as the last ones are the machine's. */
const rounded = (_key: string, value: unknown): unknown => (typeof value === 'number' ? Number(value.toPrecision(9)) : value);
const digest = (value: unknown): string => createHash('sha256').update(JSON.stringify(value, rounded)).digest('hex').slice(0, 16);

it('every study finds what it found in the same loads', async () => {
  const blocks = STUDIES.map((study) => {
    const { answer, tables, comparisonWithOriginal, figures } = study.findings(madeData(study));
    return [
      `== ${study.id}`,
      ...answer,
      ...comparisonWithOriginal.map(({ what, ours }) => `${what}: ${ours}`),
      ...tables.map(({ title, columns, rows }) => `${title}: ${rows.length} rows of ${columns.length}, ${digest([columns, rows])}`),
      `figures: ${digest(figures)}`,
    ].join('\n');
  });
  await expect(`${blocks.join('\n\n')}\n`).toMatchFileSnapshot('study-findings.txt');
});
