import { describe, expect, it } from 'vitest';
import { html, markupText } from '../../../../src/core/text/markup.ts';

describe('html', () => {
  it('escapes every value', () => {
    expect(markupText(html`<a title="${`"><img src=x onerror='x'>&`}">${'<b>'}</a>`)).toBe(
      '<a title="&quot;&gt;&lt;img src=x onerror=&#39;x&#39;&gt;&amp;">&lt;b&gt;</a>',
    );
  });

  it('does not escape what it made itself, alone or in a list', () => {
    expect(markupText(html`<p>${html`<b>${'&'}</b>`}${[html`<i>`, html`</i>`]}${undefined}${3}</p>`)).toBe('<p><b>&amp;</b><i>\n</i>3</p>');
  });

  it('keeps a number and its percent sign together', () => {
    expect(markupText(html`${'24 % more'}`)).toBe('24\u00a0% more');
  });
});
