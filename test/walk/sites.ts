/** The network and the six sites of the walk: pages of the lab over plain HTTP/1.1, behind an emulated link. */
import { SERVER_ADDRESSES } from '../../src/lab/link/emulated-link.ts';
import { findPage } from '../../src/lab/pages/pages.ts';

/** A far or slow server, where settings matter: over 100 ms 16 connections without pacing are faster for news and shop. */
export const LINK = 'rtt=100,down=10000,up=2000,queue=200';

const PAGES = ['news', 'shop', 'gallery', 'wiki', 'docs', 'images'] as const;

export interface Site {
  readonly host: string;
  /** The same whenever it is loaded, as everyday pages are. */
  readonly url: string;
  /** As shown on its tab. */
  readonly title: string;
  readonly requests: number;
}

/** Nobody owns a name below .example (RFC 2606, section 2). The pages' parts come from addresses. */
export const SITES: readonly Site[] = PAGES.map((page) => {
  const { title, resources } = findPage(page);
  const host = `${page}.example`;
  return { host, url: `http://${host}/${page}/everyday/`, title, requests: resources.length + 1 };
});

/** A hosts file: all names lead to the first of the lab's servers, which has every page. */
export const HOSTS = ['127.0.0.1 localhost', ...SITES.map(({ host }) => `${SERVER_ADDRESSES[0]} ${host}`), ''].join('\n');
