import { describe, expect, it } from 'vitest';
import { mergeFindings, withRecommendation } from '../../../src/lab/published/merge-findings.ts';

const page = (efficiency: string, rest = '') =>
  `# study\n\n## Answer\n\n- It is ${efficiency}.\n\n## Places\n\n| profile | efficiency |\n| --- | --: |\n| c4-d6 | ${efficiency} |\n${rest}`;
const LOG = '\n## Checks of the links\n\n| link |\n| --- |\n| far |\n\n## How it was made\n\n- Seed 7.\n';

describe('findings made from a report alone', () => {
  it('take the place of those published, above what follows from the log', () => {
    expect(mergeFindings(page('0.47', LOG), page('0.43', '\n## How it was made\n'))).toBe(page('0.43', LOG));
  });

  it('hold what the report recommends below the answer, once', () => {
    const once = withRecommendation(page('0.47', LOG), ['Eight.']);
    expect(once).toContain(
      '- It is 0.47.\n\n## What plumbfox recommends from these loads, all pages and links together\n\n- Eight.\n\n## Places',
    );
    const again = withRecommendation(once, ['Four.', 'By settings alone: nothing.']);
    expect(again).toBe(once.replace('- Eight.', '- Four.\n- By settings alone: nothing.'));
    // It is none of the sections that findings have of their own.
    expect(mergeFindings(once, page('0.43'))).toBe(page('0.43', LOG));
  });

  it('do not, where a figure would get lost', () => {
    expect(mergeFindings(page('0.47', LOG), page('–'))).toBeUndefined();
    expect(mergeFindings(page('0.47', LOG), '# study\n\n## Answer\n\n- It is 0.43.\n')).toBeUndefined();
  });
});
