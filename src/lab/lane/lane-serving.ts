/** The servers of a packet lane: the embedded one, those in front of it, and what all of them serve. */
import { PlumbfoxError } from '../../core/errors.ts';
import { SERVER_ADDRESSES } from '../link/emulated-link.ts';
import { type FrontServers, startFrontServers } from '../origin/reverse-proxies.ts';
import { parseRecipe } from '../pages/recipe-schema.ts';
import { frontKinds, originsOf } from '../pages/served-by.ts';
import type { Part } from '../process-lifetimes.ts';
import type { RpcClient } from '../rpc.ts';
import type { Lane } from './lane.ts';
import type { SecureServers } from './lane-protocol.ts';

export interface LaneServing extends Pick<Lane, 'serve' | 'servePages' | 'versions' | 'pageUrl'> {
  /** The servers in front, so far. */
  readonly parts: () => readonly Part[];
  /** What the browser must be started with. */
  readonly secure: () => { readonly secure?: SecureServers };
  readonly close: () => Promise<void>;
}

/** @param server - The origin process. */
export function laneServing(server: RpcClient): LaneServing {
  let fronts: FrontServers | undefined;
  let kinds: ReturnType<typeof frontKinds> = [];
  return {
    serve: async (wanted) => {
      if (fronts) throw new PlumbfoxError('internal', 'The servers of this lane have been started');
      const front = frontKinds(wanted);
      if (front.length === 0) return;
      fronts = await startFrontServers({ kinds: front, server, addresses: SERVER_ADDRESSES });
      kinds = front;
    },
    servePages: async (recipes) => {
      await server.call('serve-pages', recipes.map(parseRecipe));
    },
    versions: () => fronts?.versions ?? {},
    pageUrl: (page, token, servedBy = 'embedded') => {
      if (servedBy !== 'embedded' && !kinds.includes(servedBy))
        throw new PlumbfoxError('internal', `${servedBy} was not asked of this lane before its browser started`);
      return `${originsOf(servedBy, SERVER_ADDRESSES)[0]}/${page}/${token}/`;
    },
    parts: () => fronts?.parts ?? [],
    secure: () =>
      fronts?.authority === undefined
        ? {}
        : { secure: { authority: fronts.authority, http3: kinds.includes('http3') ? SERVER_ADDRESSES : [] } },
    close: async () => fronts?.close(),
  };
}
