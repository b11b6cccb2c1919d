/**
 * A page of the lab: what is on it, how large, on which server, and what must have arrived before it is asked for.
 * The shape follows real pages; the content is generated.
 */
export type ResourceKind = 'stylesheet' | 'script' | 'image' | 'font' | 'fetch';

export interface RecipeResource {
  /** File name, unique on the page. */
  readonly name: string;
  readonly kind: ResourceKind;
  /** Body bytes. */
  readonly bytes: number;
  /**
   * Index of the server; 0 serves the document. Fonts and fetches must be there too: across servers Firefox asks for them without
   * credentials, on connections of their own that the limit per server does not count together with the others.
   */
  readonly origin: number;
  /** Time the server thinks before it answers. */
  readonly serverMs?: number;
  /**
   * `head`: named in the document's head (style sheets and scripts there block rendering); `body`: in the body, in order;
   * or the name of the style sheet or the script that asks for it (a script for pictures and fetches). Such a style sheet must be on
   * the document's server: Firefox tells a page nothing of the timing of what other servers' style sheets ask for, and
   * a load without it cannot be measured to its end.
   */
  readonly from: 'head' | 'body' | { readonly stylesheet: string } | { readonly script: string };
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

/** Whether a script asks for data: no load event waits for that, so the network may fall silent for a round trip before the page is done. */
export const asksForData = (page: PageRecipe): boolean => page.resources.some(({ kind }) => kind === 'fetch');
