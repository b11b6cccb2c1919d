/** The section of report.html about a search: what was simulated, what went to Firefox, and what became of it step by step. */
import { DROP_LABELS } from '../../compare/format-verdict.ts';
import { profileLabelWithId } from '../../profiles/presets.ts';
import type { SearchRecord, SearchStep } from '../../search/search-record.ts';
import { counted, signedPercent, UNKNOWN } from '../../text/figures.ts';
import { html, type Markup, tableSection } from '../../text/markup.ts';

const STEPS: Readonly<Record<SearchStep['kind'], string>> = {
  race: 'Compared',
  contributions: 'Without one preference each',
};

const OUTCOMES: Readonly<Record<SearchStep['arms'][number]['outcome'], string>> = {
  kept: 'measured to the end',
  behind: `dropped: ${DROP_LABELS.behind}`,
  worse: `dropped: ${DROP_LABELS.worse}`,
  same: `dropped: ${DROP_LABELS.same}`,
  'cannot-win': `dropped: ${DROP_LABELS['cannot-win']}`,
  'no-loads': 'no load counts',
  'not-measured': 'not measured: too little time',
};

/** Absent where nothing was searched. */
export function searchSection(search: SearchRecord | undefined): Markup {
  if (search === undefined) return html``;
  const { screening, steps } = search;
  const rows = steps.flatMap(({ kind, blocks, arms }) =>
    arms.map(
      ({ profileId, ratio, outcome }) => html`<tr><th scope="row">${profileLabelWithId(profileId)}</th>
<td class="words">${STEPS[kind]}<small>${counted(blocks, 'block')}</small></td>
<td>${ratio === undefined ? UNKNOWN : signedPercent(ratio - 1)}</td><td class="words">${kind === 'race' ? OUTCOMES[outcome] : ''}</td></tr>`,
    ),
  );
  const simulated = `${counted(screening.combinations, 'combination')} simulated in ${counted(screening.simulatedLoads, 'load')}: ${screening.supported} supported by their whole band, ${screening.possible} possible.`;
  const unread = screening.outOfReach.length === 0 ? '' : ` No request of these pages reads ${screening.outOfReach.join(', ')}.`;
  return tableSection({
    name: 'Search',
    caption: `${simulated}${unread}`,
    headings: ['Settings', 'Step', "Against Firefox's own", 'Outcome'],
    rows,
  });
}
