/** A page as a run needs it: one of the lab's recipes, or an address of the user's. */
import type { ReportPage } from '../../core/report/report.ts';
import { bodyBytes, originCount, type PageRecipe, requestCount } from '../pages/page-recipe.ts';
import { recipeGraph } from '../pages/recipe-graph.ts';
import { spokenWith } from '../pages/served-by.ts';

export interface RunPage {
  readonly report: ReportPage;
  /** What the servers must see, where they are the lab's. */
  readonly expected: { readonly requests: number } | undefined;
  /** Its address, fresh for every token where the lab serves it. */
  url(token: string): string;
}

/** @param url - Where the lane serves its pages. */
export function recipePage(page: PageRecipe, url: (page: string, token: string) => string): RunPage {
  const { name } = page;
  return {
    report: {
      name,
      served: { ...spokenWith('embedded'), connections: 'cold' },
      requests: requestCount(page),
      origins: originCount(page),
      bytes: bodyBytes(page),
      graph: recipeGraph(page),
    },
    expected: { requests: requestCount(page) },
    url: (token) => url(name, token),
  };
}

/** Named by its place in the list: a report may leave the machine, addresses do not. */
export function addressPage(address: string, index: number): RunPage {
  return { report: { name: `page-${index + 1}` }, expected: undefined, url: () => address };
}
