/**
 * A recorded load, in the one form from which page graphs are made: a HAR and the extension's own records are both
 * brought into it, so that every rule of inference exists once. What the record does not say is `undefined`.
 */
import type { HttpVersion } from '../measure/page-load.ts';
import type { Inference } from './inference.ts';
import type { ContentClass } from './page-graph.ts';

/** Times on one clock of the record's own, ms; durations in ms. */
export interface ObservedTiming {
  /** The page requested it. */
  readonly startMs?: number;
  /** The response's first byte was there. */
  readonly firstByteMs?: number;
  /** The response's last byte was there. */
  readonly endMs?: number;
  readonly dnsMs?: number;
  /** Only TCP's handshake, without TLS; on HTTP/3 that of QUIC. Absent where the request found its connection open. */
  readonly handshakeMs?: number;
  /** The handshake may have begun before the request, so it may have taken longer than it seems. */
  readonly handshakeCut?: boolean;
  /** Time from the request's last byte to the response's first. */
  readonly waitMs?: number;
  /** The recorder began to count only when the request got a connection: how long it had waited for one is unknown. */
  readonly startsWhenSent?: boolean;
}

/** A response's size as recorded, bytes. */
export interface ObservedSize {
  /** On the wire, headers included. */
  readonly total?: number;
  /** Headers on the wire. */
  readonly headers?: number;
  /** The headers as text, where only their text is known. */
  readonly headersText?: number;
  /** Body on the wire. */
  readonly body?: number;
  /** Body after decompression. */
  readonly content?: number;
  /** The body was sent compressed. */
  readonly compressed?: boolean;
  /** The status or the method says that there is no body. */
  readonly bodiless?: boolean;
}

/** The initiators of a request, as far as recorded: addresses without fragment, the likeliest first. */
export interface ObservedInitiators {
  /** Those that the producer names as the initiator. */
  readonly named: readonly string[];
  /** The `Referer` header, or the address of the document it was requested in. */
  readonly referer?: string;
  /** A style sheet requested it; which one is unknown. */
  readonly fromStylesheet?: boolean;
}

/** What the class of a request rests on. */
type ClassBasis = 'stated' | 'media-type' | 'address' | 'unknown';

export interface ObservedRequest {
  /** The address without fragment; it gets into no graph. */
  readonly url: string;
  /** A few characters to know it by in a graph; absent: its number must do. */
  readonly label?: string;
  /** scheme://host:port; the graph may name it otherwise. */
  readonly origin: string;
  readonly secure: boolean;
  readonly class: ContentClass;
  readonly classBasis: ClassBasis;
  readonly outcome: 'answered' | 'redirected' | 'failed' | 'unfinished';
  /** Where it was redirected to, without fragment. */
  readonly redirectsTo?: string;
  readonly fromCache: boolean;
  /** A GET that brought the whole thing: no range of it (206). Absent: unknown. */
  readonly isWholeGet?: boolean;
  /** The server sent it without being asked (HTTP/2 push): its wait says nothing. */
  readonly pushed?: boolean;
  readonly timing: ObservedTiming;
  readonly size: ObservedSize;
  /** Bytes of the request on the wire, headers included. */
  readonly requestBytes?: number;
  readonly httpVersion?: HttpVersion;
  readonly tls?: '1.2' | '1.3';
  readonly resumed?: boolean;
  /** SETTINGS_MAX_CONCURRENT_STREAMS. */
  readonly maxStreams?: number;
  /** Whether others wait for it. */
  readonly blocking?: boolean;
  /** Name of its connection, unique among those of its server; absent: unknown. */
  readonly connection?: string;
  readonly initiators: ObservedInitiators;
}

export interface ObservedLoad {
  /** In the record's order. */
  readonly requests: readonly ObservedRequest[];
  /** End of the load event on the clock of the requests' times. */
  readonly loadEventMs?: number;
  /** Without a load event everything recorded belongs to the load; else the document's end stands in for it. */
  readonly wholeWithoutEvent?: boolean;
  /** How long the recorder waited for the network to be quiet; absent: as long as `load-window.ts` says. */
  readonly quietMs?: number;
  /** Position of the page's document among the requests, where the record states it. */
  readonly document?: number;
  /** What reading the record has already left out or assumed. */
  readonly inferred: readonly Inference[];
}
