/** What every server in front is told, whatever its language. */
import type { CertificateFiles } from './certificates.ts';

export interface FrontConfiguration {
  /** All server addresses of the lane. */
  readonly addresses: readonly string[];
  /** Of the embedded server on loopback. */
  readonly upstreamPort: number;
  /** Holds whatever the server writes; absolute. */
  readonly folder: string;
}

/** Of a server in front that speaks TLS. */
export interface TlsConfiguration extends FrontConfiguration {
  readonly certificate: CertificateFiles;
}

/**
 * Idle connections of a browser are kept so long, s: longer than Firefox keeps them (`network.http.keep-alive.timeout`, 115 s), so that
 * no server closes what the profile left open.
 */
export const CLIENT_IDLE_S = 120;
/** Idle connections to the embedded server, s: shorter than it keeps them (120 s), so that none is used while it is being closed. */
export const UPSTREAM_IDLE_S = 60;
/** Idle connections kept to the embedded server: more than a page of 12 servers wants at once, so that none has to be opened anew. */
export const UPSTREAM_CONNECTIONS = 512;
