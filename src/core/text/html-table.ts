/** One table of the HTML report, in a section of its own. */
import { html, type Markup } from './markup.ts';

/** `name` heads the section; `rows` are whole `<tr>`. */
export interface TableParts {
  readonly name: string;
  readonly caption: string;
  readonly headings: readonly string[];
  readonly rows: readonly Markup[];
  /** `heat`: narrow cells of figures, whose colour means something. */
  readonly kind?: 'heat';
}

/** A table that scrolls by itself where the page is narrow, and can be scrolled by keyboard. */
export function tableSection({ name, caption, headings, rows, kind }: TableParts): Markup {
  return html`<section>
<h2>${name}</h2>
<div class="scroll" role="region" aria-label="${name}" tabindex="0"><table${kind === undefined ? html`` : html` class="${kind}"`}>
<caption><span>${caption}</span></caption>
<thead><tr>${headings.map((heading) => html`<th scope="col">${heading}</th>`)}</tr></thead>
<tbody>${rows}</tbody>
</table></div>
</section>`;
}
