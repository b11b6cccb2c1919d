/** A load as it is stored now, out of what a former version stored: with its addresses cut, and not more requests than a load may have. */
import { withinMaxRequests } from './max-requests.ts';
import type { PageLoad } from './page-load.ts';
import { storedUrl } from './stored-url.ts';

export function storedLoad(load: PageLoad): PageLoad {
  const requests = load.requests.map((request) => ({ ...request, url: storedUrl(request.url) }));
  return withinMaxRequests({ ...load, url: storedUrl(load.url), requests });
}
