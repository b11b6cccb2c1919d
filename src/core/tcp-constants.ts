/** Sizes of what goes over a simulated link, with their sources. */

/** TCP payload of a full-size segment over an Ethernet path: 1,500 less the IPv4 and TCP headers (RFC 9293, section 3.7.1). */
export const SEGMENT_BYTES = 1460;
/** A full-size packet of an Ethernet path. */
export const PACKET_BYTES = 1500;
/** A request of Firefox 153 for a resource of a plain-http page, with its headers: measured in the lab, 330 to 420. */
export const DEFAULT_REQUEST_BYTES = 400;
/**
 * A link's rate, simulated or emulated, is that of TCP payload in full-size segments, because that is what a speed test or a download shows;
 * headers are charged on top.
 */
export const WIRE_BYTES_PER_PAYLOAD_BYTE = PACKET_BYTES / SEGMENT_BYTES;
/** Segments a new connection sends at once (RFC 6928). */
export const INITIAL_WINDOW = 10;
/** The bytes that a server may send before the first acknowledgement. */
export const FIRST_FLIGHT_BYTES = INITIAL_WINDOW * SEGMENT_BYTES;

/** A ClientHello as Firefox sends it: about 600 bytes, and the 1,184 of an ML-KEM-768 key since Firefox 132 (draft-kwiatkowski-tls-ecdhe-mlkem). */
export const CLIENT_HELLO_BYTES = 1800;
/** The server's first flight with a certificate chain of two: 2.5 to 4.5 kB are common. */
export const SERVER_FLIGHT_BYTES = 3500;
/** A Finished message and what goes with it. Chosen, not measured. */
export const FINISHED_BYTES = 250;
/** An HTTP/2 WINDOW_UPDATE frame is 13 bytes (RFC 9113, section 6.9); TLS adds 22. */
export const WINDOW_UPDATE_BYTES = 35;

/** IPv4 and TCP headers with their options; a bare acknowledgement is nothing else. */
export const headerBytes = (segmentBytes: number): number => PACKET_BYTES - segmentBytes;

/** Full size of a message on the link, one header per segment it needs. */
export const wireBytes = (payload: number, segmentBytes: number): number =>
  payload + headerBytes(segmentBytes) * Math.max(1, Math.ceil(payload / segmentBytes));
