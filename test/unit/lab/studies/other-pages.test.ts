import { describe, expect, it } from 'vitest';
import type { PageRecipe } from '../../../../src/lab/pages/page-recipe.ts';
import { STUDIES } from '../../../../src/lab/studies/all-studies.ts';
import { fennec2008Study } from '../../../../src/lab/studies/fennec-2008.ts';
import { modernDefaults } from '../../../../src/lab/studies/modern-defaults.ts';
import { otherPagesNote, withPages } from '../../../../src/lab/studies/other-pages.ts';
import type { Study } from '../../../../src/lab/studies/study.ts';
import { warmUp } from '../../../../src/lab/studies/warm-up.ts';
import { slowLoadsSentence } from '../../../../src/lab/study-run/run-notes.ts';
import { planFingerprint, studyPlan } from '../../../../src/lab/study-run/study-plan.ts';

const recipe = (name: string, documentBytes = 2000): PageRecipe => ({ name, title: 'A page', documentBytes, resources: [] });
const mine = { recipe: recipe('mine'), file: 'mine.json' };
const names = ({ pages }: Pick<Study, 'pages'>) => pages.map(({ name }) => name);
const everything = (study: Study) => studyPlan(study, { cut: {}, seed: 1 });

describe('a study on other pages', () => {
  it('serves each as it serves its own, under a name that says only what differs', () => {
    expect(names(withPages(fennec2008Study, [mine]))).toEqual(['mine']);
    expect(names(withPages(modernDefaults, [mine, { recipe: recipe('b') }]))).toEqual([
      'h1-mine',
      'h2-mine',
      'h3-mine',
      'h1-b',
      'h2-b',
      'h3-b',
    ]);
    expect(names(withPages(warmUp, [mine]))).toEqual(['mine-cold', 'mine-warm']);
    expect(withPages(modernDefaults, [mine]).pages.map(({ servedBy }) => servedBy)).toEqual(['https', 'http2', 'http3']);
  });

  it('keeps links, profiles and repeats, and of its cut what serves it', () => {
    const study = withPages(modernDefaults, [mine]);
    // Its cut has one page by HTTP/1.1 and by HTTP/2, one link, three profiles and one repeat.
    expect(study.cut.pages).toEqual(['h1-mine', 'h2-mine']);
    expect(studyPlan(study, { cut: study.cut, seed: 1 }).loads).toBe(2 * 3);
    // 3 ways of one page, 8 links, 9 profiles, 3 repeats.
    expect(everything(study).loads).toBe(3 * 8 * 9 * 3);
  });

  it('is another run with every byte of a recipe that differs', () => {
    const print = (bytes: number) => planFingerprint(everything(withPages(modernDefaults, [{ recipe: recipe('mine', bytes) }])));
    expect(print(2000)).toBe(print(2000));
    expect(print(2000)).not.toBe(print(2001));
  });

  it.each(STUDIES.map((study) => ({ id: study.id, study })))('$id measures it with its cut and whole', ({ study }) => {
    const other = withPages(study, [mine]);
    expect(everything(other).loads).toBeGreaterThan(0);
    expect(studyPlan(other, { cut: other.cut, seed: 1 }).loads).toBeGreaterThan(0);
    expect(new Set(names(other)).size).toBe(other.pages.length);
  });

  it('asks its own question only where that is about no page in particular', () => {
    expect(withPages(modernDefaults, [mine]).question).toBe(modernDefaults.question);
    expect(withPages(fennec2008Study, [mine]).question).toBe(
      'How do the profiles of fennec-2008 do over its links on mine, instead of its own pages?',
    );
  });

  it.each(['h1-docs', 'docs'])('takes no file that is named %s like a page of the study', (name) => {
    expect(() => withPages(modernDefaults, [{ recipe: recipe(name), file: 'a.json' }])).toThrow(
      expect.objectContaining({
        kind: 'bad-input',
        message: `--pages: a.json is named "${name}" like a page of modern-defaults: change its "name"`,
      }),
    );
  });

  it('says which they are, and where from', () => {
    expect(otherPagesNote(modernDefaults, [mine, { recipe: recipe('wiki') }])).toBe(
      'Pages instead of those of modern-defaults: mine (mine.json; A page); wiki (of the lab; A page).',
    );
  });
});

describe('loads that take too long', () => {
  const plan = everything(withPages(fennec2008Study, [{ recipe: recipe('heavy', 3_000_000) }]));
  const slow = slowLoadsSentence(
    { ...plan, blocks: plan.blocks.filter(({ link }) => link.name.startsWith('edge')) },
    { timeoutMs: 120_000 },
  );

  it('are told before, against the 60 s that are recorded', () => {
    // 24,000 kbit at 240 kbit/s take 100 s.
    expect(slow).toMatch(
      /^Loads are likely to take over 60 s, and then to be excluded: heavy over edge-2008 \(about \d{3} s\)\. --only leaves/,
    );
  });

  it('are not spoken of where there is none', () => {
    const light = everything(withPages(fennec2008Study, [mine]));
    expect(slowLoadsSentence(light, { timeoutMs: 120_000 })).toBeUndefined();
  });
});
