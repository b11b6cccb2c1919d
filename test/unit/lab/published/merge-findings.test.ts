import { describe, expect, it } from 'vitest';
import { mergeFindings, withRecommendation } from '../../../../src/lab/published/merge-findings.ts';

const page = (efficiency: string, rest = '') =>
  `# study\n\n## Answer\n\n- It is ${efficiency}.\n\n## Places\n\n| profile | efficiency |\n| --- | --: |\n| c4-d6 | ${efficiency} |\n${rest}`;
const LOG = '\n## Checks of the links\n\n| link |\n| --- |\n| far |\n\n## How it was made\n\n- Seed 7.\n';

describe('findings made from a report alone', () => {
  it('take the place of those published, above what follows from the log', () => {
    expect(mergeFindings(page('0.47', LOG), page('0.43', '\n## How it was made\n'))).toEqual({ text: page('0.43', LOG), isWhole: true });
  });

  it('hold what the report recommends below the answer, once', () => {
    const once = withRecommendation(page('0.47', LOG), ['Eight.']);
    expect(once).toContain(
      '- It is 0.47.\n\n## What plumbfox recommends from these loads, all pages and links together\n\n- Eight.\n\n## Places',
    );
    const again = withRecommendation(once, ['Four.', 'By settings alone: nothing.']);
    expect(again).toBe(once.replace('- Eight.', '- Four.\n- By settings alone: nothing.'));
    // It is none of the sections that findings have of their own.
    expect(mergeFindings(once, page('0.43')).text).toBe(page('0.43', LOG));
  });

  it('leave a figure as it was where it would get lost', () => {
    expect(mergeFindings(page('0.47', LOG), page('–'))).toEqual({ text: page('0.47', LOG), isWhole: false });
    const answerAlone = '# study\n\n## Answer\n\n- It is 0.43.\n';
    expect(mergeFindings(page('0.47', LOG), answerAlone).text).toBe(page('0.47', LOG).replace('It is 0.47', 'It is 0.43'));
  });

  it('take the place of what a report holds, cell by cell and sentence by sentence, beside what it does not', () => {
    const of = (sentence: string, ...rows: readonly string[]) =>
      `# study\n\n## Answer\n\n- ${sentence}\n- The wait was 12 ms.\n\n## Places\n\n| page | time | wait | verdict |\n| --- | --: | --: | --- |\n${rows.join('\n')}\n`;
    const published = of('c4-d6 is +3 % (2 pairs), better.', '| a | 1 s | 12 ms | better |', '| b | 2 s | 9 ms | worse |');
    const made = of('c4-d6 is +4 % (2 pairs), need more loads (about 8).', '| a | 1 s | – | undecided |', '| b | – | – | no verdict |');
    expect(mergeFindings(published, made.replace('- The wait was 12 ms.', '- No wait is known.')).text).toBe(
      of('c4-d6 is +4 % (2 pairs), need more loads (about 8).', '| a | 1 s | 12 ms | undecided |', '| b | 2 s | 9 ms | worse |'),
    );
    // Of another profile, or of other rows: not the same.
    const other = of('c8-d1 is +4 % (2 pairs), better.', '| c | 1 s | 1 ms | better |', '| b | 2 s | 9 ms | worse |');
    expect(mergeFindings(published, `${other}\n## More\n\n- x\n`).text).toBe(published);
  });

  it.each(['not measured', '810 ms and not known', 'set aside', '0 of 0 sound cohorts a win'])(
    'do not say "%s" where a figure was published',
    (unknown) => {
      expect(mergeFindings(page('0.47'), page(unknown)).text).toContain('| 0.47 |');
      expect(mergeFindings(page('2 of 10'), page('0 of 10')).text).toContain('| 0 of 10 |');
    },
  );

  it('gain a sentence between two that stood side by side, and none in the place of another', () => {
    const of = (...sentences: readonly string[]) => `# study\n\n## Answer\n\n${sentences.map((one) => `- ${one}`).join('\n')}\n`;
    const table = '\n## Waits\n\n| wait |\n| --: |\n| 12 ms |\n';
    const merged = (published: readonly string[], made: readonly string[]) =>
      mergeFindings(`${of(...published)}${table}`, of(...made)).text;
    expect(merged(['One is 1.', 'Two is 2.'], ['One is 3.', 'It is open.', 'Two is 4.'])).toBe(
      `${of('One is 3.', 'It is open.', 'Two is 4.')}${table}`,
    );
    expect(merged(['One is 1.', 'Waits are 9 ms.', 'Two is 2.'], ['One is 3.', 'Too little was measured.', 'Two is 4.'])).toBe(
      `${of('One is 3.', 'Waits are 9 ms.', 'Two is 4.')}${table}`,
    );
  });
});
