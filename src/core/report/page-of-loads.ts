/** A page of a report as its loads show it: its name, and what is on it where one of them tells. */
import { PlumbfoxError } from '../errors.ts';
import type { InferredPage } from '../graph/inference.ts';
import { pageFromLoad } from '../graph/page-from-load.ts';
import type { PageLoad } from '../measure/page-load.ts';
import type { ReportPage } from './report.ts';

/** Loads that are tried: what the newest few do not tell, older ones hardly do. Our own choice. */
const MAX_TRIED = 5;

/** @param loads - In the order of their start. Those seen to their end and made without the gateway come first, the newest of them. */
export function pageOfLoads(name: string, loads: readonly PageLoad[]): ReportPage {
  const newest = loads.toReversed();
  const plain = newest.filter(isPlain);
  const others = newest.filter((load) => !isPlain(load));
  for (const load of [...plain, ...others].slice(0, MAX_TRIED)) {
    const found = pageOf(load);
    if (found === undefined) continue;
    const { page, inferred } = found;
    return { name, graph: page, ...(inferred.length > 0 && { inferred }) };
  }
  return { name };
}

/** Behind the gateway the browser sees no handshake of a server, and an early end hides what would have followed. */
const isPlain = ({ observation, requests }: PageLoad): boolean =>
  observation.ended === 'quiet' && requests.every(({ wire }) => wire?.proxied !== true);

/** `undefined`: nothing of it was answered over the network. */
function pageOf(load: PageLoad): InferredPage | undefined {
  try {
    return pageFromLoad(load);
  } catch (error) {
    if (error instanceof PlumbfoxError && error.kind === 'bad-input') return undefined;
    throw error;
  }
}
