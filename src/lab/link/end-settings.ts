/** The kernel settings of a link at its two ends: congestion control of both, the server's initial window, the client's receive buffer. */
import { PlumbfoxError } from '../../core/errors.ts';
import type { CongestionControlName } from '../../core/report/report.ts';
import type { LinkSpec } from './link-spec.ts';

type Run = (command: readonly string[]) => Promise<string>;

interface EndSettings {
  /**
   * The congestion control of links that name none: CUBIC, which servers run (RFC 9438), or Reno where this kernel has no CUBIC. Puts it in place.
   */
  defaultCongestionControl(): Promise<CongestionControlName>;
  /**
   * Puts in place what the link asks, and back to the default what it does not. Of connections opened from now on.
   * @throws PlumbfoxError `environment` naming what this kernel refuses.
   */
  apply(link: Pick<LinkSpec, 'initialWindow' | 'receiveBufferBytes' | 'congestionControl'>): Promise<void>;
}

const RECEIVE_BUFFER = '/proc/sys/net/ipv4/tcp_rmem';
/** Whether the kernel moves the buffer between its least and its most; with both the same there is nothing to move, but windows scale. */
const MODERATE = '/proc/sys/net/ipv4/tcp_moderate_rcvbuf';

/** The namespace of one end. */
interface LinkEnd {
  /** Runs a program in it. */
  readonly run: Run;
  /** The way to the other end, as `ip route` takes it: `198.18.0.0/24 dev pf1s proto kernel scope link src 198.18.0.2`. */
  readonly route: readonly string[];
}

/**
 * Congestion control is a matter of the route: as a namespace's default only those of `tcp_allowed_congestion_control` are taken, of which
 * CUBIC need not be one. By route it holds for every TCP server and client of the namespace, whoever wrote the program.
 */
export function endSettings({ client, server }: { readonly client: LinkEnd; readonly server: LinkEnd }): EndSettings {
  const inPlace = new Map<LinkEnd, string>();
  let buffer: number | undefined;
  let own: { readonly buffer: string; readonly moderate: string } | undefined;
  let unless: CongestionControlName = 'cubic';
  const changeRoute = async (end: LinkEnd, attributes: readonly string[]) => {
    if (inPlace.get(end) === attributes.join(' ')) return;
    await end.run(['ip', 'route', 'change', ...end.route, ...attributes]);
    inPlace.set(end, attributes.join(' '));
  };
  const useControl = (control: CongestionControlName) =>
    Promise.all([client, server].map((end) => changeRoute(end, ['congctl', control]))).then(() => control);
  const useBuffer = async (wanted: number | undefined) => {
    own ??= { buffer: await client.run(['cat', RECEIVE_BUFFER]), moderate: await client.run(['cat', MODERATE]) };
    const { buffer: bytes, moderate } = wanted === undefined ? own : { buffer: `${wanted} ${wanted} ${wanted}`, moderate: '0' };
    await client.run(['sh', '-c', `echo "$1" > ${RECEIVE_BUFFER} && echo "$2" > ${MODERATE}`, 'sh', bytes.trim(), moderate.trim()]);
    buffer = wanted;
  };
  return {
    defaultCongestionControl: async () => {
      unless = await useControl('cubic').catch(() => useControl('reno'));
      return unless;
    },
    apply: async ({ initialWindow, receiveBufferBytes, congestionControl = unless }) => {
      const window = initialWindow === undefined ? [] : ['initcwnd', String(initialWindow)];
      await changeRoute(client, ['congctl', congestionControl]).catch(refused(`congestion control (${congestionControl})`));
      await changeRoute(server, ['congctl', congestionControl, ...window]).catch(
        refused(window.length === 0 ? `congestion control (${congestionControl})` : 'initial congestion window'),
      );
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
