/**
 * A page of the lab: what is on it, how large, on which server, and what must have arrived before it is asked for.
 * The shape follows real pages; the content is generated.
 */
export type ResourceKind = 'stylesheet' | 'script' | 'image' | 'font';

export interface RecipeResource {
  /** File name, unique on the page. */
  readonly name: string;
  readonly kind: ResourceKind;
  /** Body bytes. */
  readonly bytes: number;
  /** Index of the server; 0 serves the document. */
  readonly origin: number;
  /** Time the server thinks before it answers. */
  readonly serverMs?: number;
  /**
   * `head`: named in the document's head (style sheets and scripts there block rendering); `body`: in the body, in order;
   * or the name of the style sheet that asks for it.
   */
  readonly from: 'head' | 'body' | { readonly stylesheet: string };
}

export interface PageRecipe {
  readonly name: string;
  readonly title: string;
  /** Body bytes of the document. */
  readonly documentBytes: number;
  readonly documentServerMs?: number;
  readonly resources: readonly RecipeResource[];
}

/** Number of requests of the page, the document included. */
export const requestCount = (page: PageRecipe): number => page.resources.length + 1;

/** Number of servers of the page. */
export const originCount = (page: PageRecipe): number => new Set([0, ...page.resources.map(({ origin }) => origin)]).size;

/** Body bytes of the whole page. */
export const bodyBytes = (page: PageRecipe): number => page.resources.reduce((sum, { bytes }) => sum + bytes, page.documentBytes);

/** Most resources that can be wanted from one server at once: those the document itself names. */
export function widestWave(page: PageRecipe): number {
  const byOrigin = new Map<number, number>();
  for (const { origin, from } of page.resources) {
    if (from === 'head' || from === 'body') byOrigin.set(origin, (byOrigin.get(origin) ?? 0) + 1);
  }
  return Math.max(0, ...byOrigin.values());
}
