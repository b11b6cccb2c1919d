/**
 * The seven pages of the 2008 study. Its own are not public ("tiki" is the one it names): these are the lab's seven, brought to the weight of
 * that year. The average page of 2008 had 312 kB and 49.9 objects (A. King, "Average Web Page Size Triples Since 2003",
 * websiteoptimization.com/speed/tweak/average-web-page/, from Flinn and Betcher's sample of March 2008). The seven have 52 requests on
 * average, as they are, and 598 kB; one factor for all bodies, the documents' included, brings their mean to 312 kB.
 */
import { mean } from '../../../core/stats/mean.ts';
import { atWeight } from '../../pages/at-weight.ts';
import { bodyBytes, type PageRecipe } from '../../pages/page-recipe.ts';
import { findPage } from '../../pages/pages.ts';
import type { StudyPage } from '../study.ts';

/** Mean body bytes of a page, see above; 1 kB is 1,000 bytes. */
export const AVERAGE_PAGE_BYTES_2008 = 312_000;

const TODAY = ['wiki', 'images', 'news', 'gallery', 'shop', 'docs', 'app'].map(findPage);
const FACTOR = AVERAGE_PAGE_BYTES_2008 / mean(TODAY.map(bodyBytes));

/** `wiki-2008` and so on, in the order of the lab's own. */
export const PAGES_2008: readonly PageRecipe[] = TODAY.map((page) => atWeight(page, { name: `${page.name}-2008`, factor: FACTOR }));

/** The lab's own server serves them, with plain HTTP/1.1, which is all there was. */
export const SERVED_2008: readonly StudyPage[] = PAGES_2008.map((recipe) => ({
  name: recipe.name,
  recipe,
  servedBy: 'embedded',
  connections: 'cold',
}));
