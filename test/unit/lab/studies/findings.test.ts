import { describe, expect, it } from 'vitest';
import { comparedWith, figureColumn, type StudyFindings, tableOf, textColumn } from '../../../../src/lab/studies/findings.ts';
import { findingsMarkdown, findingsText } from '../../../../src/lab/studies/write-findings.ts';

const NOTHING: StudyFindings = { tables: [], answer: [], comparisonWithOriginal: [], pictures: [], figures: {} };
const FINDINGS: StudyFindings = {
  tables: [
    {
      title: 'Places',
      columns: [
        { name: 'profile', align: 'left' },
        { name: 'firsts', align: 'right' },
        { name: 'mean efficiency', align: 'right' },
      ],
      rows: [
        ['c4-d6', '8', '0.701'],
        ['c1-d2', '0', '0.474'],
      ],
    },
  ],
  answer: ['Pick c4-d6: it is in the top quartile in 30 of 56 scenarios.'],
  comparisonWithOriginal: [{ what: 'c1-d2 is last', original: '48 of 56', where: 'table 2', ours: '52 of 56', why: 'pages of our own' }],
  pictures: [{ name: 'connections-by-depth', title: 'Mean efficiency', svg: '<svg/>' }],
  figures: {},
};

describe('tables', () => {
  it('have a dash where a figure is not known', () => {
    const rows = [{ id: 'c4-d6', firsts: 8 }, { id: 'c1-d2' }];
    const table = tableOf<{ readonly id: string; readonly firsts?: number }>('Places', rows, [
      textColumn('profile', ({ id }) => id),
      figureColumn('firsts', ({ firsts }) => firsts),
    ]);
    expect(table).toEqual({
      title: 'Places',
      columns: [
        { name: 'profile', align: 'left' },
        { name: 'firsts', align: 'right' },
      ],
      rows: [
        ['c4-d6', '8'],
        ['c1-d2', '–'],
      ],
    });
  });
});

it('the figures of the original stand in the order of the declaration, ours beside them where they were measured', () => {
  const original = { last: { what: 'c1-d2 is last', original: '48 of 56' }, gain: { what: 'gain', original: '58 %', where: 'page 3' } };
  expect(comparedWith({ original }, { last: '52 of 56', gain: undefined })).toEqual([
    { ...original.last, ours: '52 of 56' },
    { ...original.gain, ours: 'not measured' },
  ]);
});

describe('pictures on the page', () => {
  it('are shown, the first of them, and linked', () => {
    const page = findingsMarkdown(
      { ...FINDINGS, pictures: [...FINDINGS.pictures, { name: 'rows of a', title: 'Rows', svg: '<svg/>' }] },
      { study: { id: 'a', question: 'Is it?', source: 'us' }, pictures: 'pictures' },
    );
    expect(page).toContain('\n\n![Mean efficiency](pictures/connections-by-depth.svg)\n\n');
    expect(page.endsWith('\n\n## More pictures\n\n- [Rows](pictures/rows%20of%20a.svg)\n')).toBe(true);
  });
});

describe('findings on the terminal', () => {
  it('are tables, the answer, and the original beside', () => {
    expect(findingsText(FINDINGS, { width: 100, colour: false })).toBe(`Places
profile  firsts  mean efficiency
───────  ──────  ───────────────
c4-d6         8            0.701
c1-d2         0            0.474

Answer
Pick c4-d6: it is in the top quartile in 30 of 56 scenarios.

Beside the original
c1-d2 is last: there 48 of 56 (table 2); here 52 of 56. Why: pages of our own.
`);
  });

  it('go on below where the terminal is too narrow, the first column repeated', () => {
    const lines = findingsText(FINDINGS, { width: 25, colour: false }).split('\n');
    // The whole table takes 7 + 2 + 6 + 2 + 15 = 32 columns; profile and mean efficiency 24.
    expect(lines.slice(0, 9)).toEqual([
      'Places',
      'profile  firsts',
      '───────  ──────',
      'c4-d6         8',
      'c1-d2         0',
      '',
      'profile  mean efficiency',
      '───────  ───────────────',
      'c4-d6              0.701',
    ]);
    for (const line of lines) expect(line.length).toBeLessThanOrEqual(25);
  });

  it('go on below with what tells the rows apart, and leave out what does not', () => {
    const columns = ['page', 'link', 'profile', 'load time', 'longest wait'].map((name) => ({ name, align: 'left' as const }));
    const rows = [
      ['wiki', 'far', 'c1-d2', '900 ms', '10 ms'],
      ['wiki', 'far', 'c4-d6', '800 ms', '20 ms'],
    ];
    // page, link and profile take 4 + 2 + 4 + 2 + 7 = 19 columns, with the load time 30, with the wait 44; page and profile 13, less than half.
    const lines = findingsText({ ...NOTHING, tables: [{ title: 'Times', columns, rows }] }, { width: 32, colour: false }).split('\n');
    expect(lines.slice(1, 9)).toEqual([
      'page  link  profile  load time',
      '────  ────  ───────  ─────────',
      'wiki  far   c1-d2    900 ms',
      'wiki  far   c4-d6    800 ms',
      '',
      'page  profile  longest wait',
      '────  ───────  ────────────',
      'wiki  c1-d2    10 ms',
    ]);
  });

  it('have headings in bold where there are colours, and nothing else', () => {
    const coloured = findingsText(FINDINGS, { width: 100, colour: true });
    expect(coloured.replaceAll('\u001b[1m', '').replaceAll('\u001b[0m', '')).toBe(findingsText(FINDINGS, { width: 100, colour: false }));
    expect(coloured).toContain('\u001b[1mAnswer\u001b[0m\n');
  });

  it('say so where there is no answer', () => {
    expect(findingsText(NOTHING, { width: 100, colour: false })).toBe('Too little was measured for an answer.\n');
  });

  it('keep what steers a terminal out', () => {
    const answer = ['red \u001b[31m line\u0007'];
    expect(findingsText({ ...NOTHING, answer }, { width: 100, colour: false })).toBe('Answer\nred ?[31m line?\n');
  });
});

describe('findings as a page', () => {
  const study = { id: 'fennec-2008', question: 'How many?', source: 'P. McManus, 2008' };

  it('have the answer first, then the original beside, pictures, tables, and how they were made', () => {
    const options = { study, command: 'plumbfox lab run fennec-2008', facts: ['Firefox 153'], pictures: 'fennec-2008' };
    expect(findingsMarkdown(FINDINGS, options)).toBe(`# fennec-2008

How many?

Prompted by: P. McManus, 2008.

## Answer

- Pick c4-d6: it is in the top quartile in 30 of 56 scenarios.

## Beside the original

| what | original | here | why they differ |
| --- | --- | --- | --- |
| c1-d2 is last | 48 of 56 (table 2) | 52 of 56 | pages of our own |

![Mean efficiency](fennec-2008/connections-by-depth.svg)

## Places

| profile | firsts | mean efficiency |
| --- | --: | --: |
| c4-d6 | 8 | 0.701 |
| c1-d2 | 0 | 0.474 |

## How it was made

    plumbfox lab run fennec-2008

- Firefox 153
`);
  });

  it('take the checks of the links along, below their own tables', () => {
    const checks = { title: 'Links', columns: [{ name: 'link', align: 'left' as const }], rows: [['edge-2008']] };
    expect(findingsMarkdown(FINDINGS, { study, moreTables: [checks] })).toContain(
      '| c1-d2 | 0 | 0.474 |\n\n## Links\n\n| link |\n| --- |\n| edge-2008 |',
    );
  });

  it('let no text of theirs be markup', () => {
    const answer = ['a | b <img src=x> `c` *d* [e](f)\n## g'];
    const page = findingsMarkdown({ ...NOTHING, answer }, { study });
    expect(page).toContain('- a \\| b \\<img src=x\\> \\`c\\` \\*d\\* \\[e\\](f) ## g\n');
  });

  it('say so where there is no answer', () => {
    expect(findingsMarkdown(NOTHING, { study })).toContain('- Too little was measured for an answer.');
  });
});
