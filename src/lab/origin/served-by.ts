/** What serves the pages of a lane at its address. All but the first stand in front of the embedded server, in the server's namespace. */

/**
 * `embedded`: the lab's own server, plain HTTP/1.1. `nginx`: nginx, plain HTTP/1.1 with pipelining. `https`: nginx, HTTP/1.1 over TLS.
 * `http2`: HAProxy, HTTP/2 over TLS, as in front of most sites. `http3`: Caddy, HTTP/3 over QUIC.
 */
export type ServedBy = 'embedded' | 'nginx' | 'https' | 'http2' | 'http3';

export const SERVED_BY: readonly ServedBy[] = ['embedded', 'nginx', 'https', 'http2', 'http3'];
