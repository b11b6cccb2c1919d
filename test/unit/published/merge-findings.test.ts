import { describe, expect, it } from 'vitest';
import { mergeFindings } from '../../../src/lab/published/merge-findings.ts';

const page = (efficiency: string, rest = '') =>
  `# study\n\n## Answer\n\n- It is ${efficiency}.\n\n## Places\n\n| profile | efficiency |\n| --- | --: |\n| c4-d6 | ${efficiency} |\n${rest}`;
const LOG = '\n## Checks of the links\n\n| link |\n| --- |\n| far |\n\n## How it was made\n\n- Seed 7.\n';

describe('findings made from a report alone', () => {
  it('take the place of those published, above what follows from the log', () => {
    expect(mergeFindings(page('0.47', LOG), page('0.43', '\n## How it was made\n'))).toBe(page('0.43', LOG));
  });

  it('do not, where a figure would get lost', () => {
    expect(mergeFindings(page('0.47', LOG), page('–'))).toBeUndefined();
    expect(mergeFindings(page('0.47', LOG), '# study\n\n## Answer\n\n- It is 0.43.\n')).toBeUndefined();
  });
});
