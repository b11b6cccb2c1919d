/** What a link asks of the kernel at its two ends: the server's initial congestion window, and the client's receive buffer. */
import { PlumbfoxError } from '../../core/errors.ts';
import type { LinkSpec } from './link-spec.ts';

type Run = (command: readonly string[]) => Promise<string>;

export interface EndSettings {
  /** Puts in place what the link asks, and back to the kernel's own what it does not. Of connections opened from now on. */
  apply(link: Pick<LinkSpec, 'initialWindow' | 'receiveBufferBytes'>): Promise<void>;
}

const RECEIVE_BUFFER = '/proc/sys/net/ipv4/tcp_rmem';
/** Whether the kernel moves the buffer between its least and its most; with both the same there is nothing to move, but windows scale. */
const MODERATE = '/proc/sys/net/ipv4/tcp_moderate_rcvbuf';

export interface EndSettingsOptions {
  /** Runs a program in the client's namespace. */
  readonly client: Run;
  /** Runs a program in the server's namespace, where `route` is the way to the client. */
  readonly server: Run;
  /** As `ip route` takes it: `198.18.0.0/24 dev pf1s proto kernel scope link src 198.18.0.2`. */
  readonly route: readonly string[];
}

export function endSettings({ client, server, route }: EndSettingsOptions): EndSettings {
  let window: number | undefined;
  let buffer: number | undefined;
  let own: { readonly buffer: string; readonly moderate: string } | undefined;
  const useWindow = async (wanted: number | undefined) => {
    await server(['ip', 'route', 'change', ...route, ...(wanted === undefined ? [] : ['initcwnd', String(wanted)])]);
    window = wanted;
  };
  const useBuffer = async (wanted: number | undefined) => {
    own ??= { buffer: await client(['cat', RECEIVE_BUFFER]), moderate: await client(['cat', MODERATE]) };
    const { buffer: bytes, moderate } = wanted === undefined ? own : { buffer: `${wanted} ${wanted} ${wanted}`, moderate: '0' };
    await client(['sh', '-c', `echo "$1" > ${RECEIVE_BUFFER} && echo "$2" > ${MODERATE}`, 'sh', bytes.trim(), moderate.trim()]);
    buffer = wanted;
  };
  return {
    apply: async ({ initialWindow, receiveBufferBytes }) => {
      if (initialWindow !== window) await useWindow(initialWindow).catch(refused('initial congestion window'));
      if (receiveBufferBytes !== buffer) await useBuffer(receiveBufferBytes).catch(refused('receive buffer'));
    },
  };
}

const refused = (what: string) => (error: unknown) => {
  throw new PlumbfoxError(
    'environment',
    `The link's ${what} cannot be set here: ${error instanceof Error ? error.message : String(error)}`,
  );
};
