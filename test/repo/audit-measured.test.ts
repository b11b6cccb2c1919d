/** What an audit says that studies measured stands on their pages, to the digit. */
import { expect, it } from 'vitest';
import { MEASURED_EFFECTS, studyLink } from '../../src/core/audit/measured-effects.ts';
import { textOf } from './support/source-tree.ts';

it.each(MEASURED_EFFECTS.map((each) => [`${each.study}: ${each.preference} ${each.value}`, each] as const))(
  '%s',
  (_, { study, quotes, sentence, harmful }) => {
    const page = textOf(studyLink(study));
    expect(quotes.length).toBeGreaterThan(0);
    for (const [at, quote] of quotes.entries()) {
      expect(page).toContain(quote);
      const cells = quote
        .split('|')
        .map((cell) => cell.trim())
        .filter((cell) => cell !== '');
      for (const cell of cells.slice(-4)) expect(sentence).toContain(cell);
      if (at === 0) expect(harmful).toBe(cells.at(-1) === 'slower');
    }
  },
);
