import { describe, expect, it } from 'vitest';
import { conditionsOf } from '../../../../src/core/audit/published-conditions.ts';
import { mergeFindings, withRecommendation } from '../../../../src/lab/published/merge-findings.ts';

const page = (efficiency: string, { answer = 'It helps.', rest = '' } = {}) =>
  `# study\n\n## Answer\n\n- ${answer}\n\n## Places\n\n| profile | efficiency |\n| --- | --: |\n| c4-d6 | ${efficiency} |\n${rest}`;
const LOG = '\n## Checks of the links\n\n| link |\n| --- |\n| far |\n\n## How it was made\n\n- Seed 7.\n';

describe('findings made from a report alone', () => {
  it('take the place of those published, beside what a person concluded and what follows from the log', () => {
    const made = page('0.43', { answer: 'c4-d6: 0.43.', rest: '\n## How it was made\n' });
    expect(mergeFindings(page('0.47', { rest: LOG }), made)).toEqual({ text: page('0.43', { rest: LOG }), isWhole: true });
  });

  it('hold what the report recommends below the answer, once', () => {
    const once = withRecommendation(page('0.47', { rest: LOG }), ['Eight.'], conditionsOf('pacing'));
    expect(once).toContain(
      '- It helps.\n\n## What plumbfox recommends from these loads, all pages and links together\n\n- Eight.\n\n## When and with what it was measured\n\nMade on 23 November 2026 in Firefox ESR',
    );
    const again = withRecommendation(once, ['Four.', 'By settings alone: nothing.'], conditionsOf('pacing'));
    expect(again).toBe(once.replace('- Eight.', '- Four.\n- By settings alone: nothing.'));
    // It is none of the sections that findings have of their own.
    expect(mergeFindings(once, page('0.43')).text).toBe(page('0.43', { rest: LOG }));
  });

  it('leave a figure as it was where it would get lost', () => {
    const published = page('0.47', { rest: LOG });
    expect(mergeFindings(published, page('–'))).toEqual({ text: published, isWhole: false });
    expect(mergeFindings(published, '# study\n\n## Answer\n\n- It is 0.43.\n').text).toBe(published);
  });

  it('take the place of what a report holds, cell by cell, beside what it does not', () => {
    const of = (...rows: readonly string[]) =>
      `# study\n\n## Places\n\n| page | time | wait | verdict |\n| --- | --: | --: | --- |\n${rows.join('\n')}\n`;
    const published = of('| a | 1 s | 12 ms | better |', '| b | 2 s | 9 ms | worse |');
    const made = of('| a | 1 s | – | undecided |', '| b | – | – | no verdict |');
    expect(mergeFindings(published, made).text).toBe(of('| a | 1 s | 12 ms | undecided |', '| b | 2 s | 9 ms | worse |'));
    // Of other rows: not the same table.
    const other = of('| c | 1 s | 1 ms | better |', '| b | 2 s | 9 ms | worse |');
    expect(mergeFindings(published, `${other}\n## More\n\n- x\n`).text).toBe(published);
  });

  it.each(['not measured', '810 ms and not known', 'excluded', '0 of 0 sound cohorts a win'])(
    'do not say "%s" where a figure was published',
    (unknown) => {
      expect(mergeFindings(page('0.47'), page(unknown)).text).toContain('| 0.47 |');
      expect(mergeFindings(page('2 of 10'), page('0 of 10')).text).toContain('| 0 of 10 |');
    },
  );
});
