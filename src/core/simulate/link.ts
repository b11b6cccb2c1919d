/** The network path of a simulation. */
export interface SimulatedLink {
  /** Time of a TCP handshake's SYN and SYN-ACK over the idle link, ms: half of it is the way of a packet in each direction. */
  readonly rttMs: number;
  /** Rate for TCP payload in full segments towards the browser (1,460 bytes of 1,500 on the line), kbit/s. */
  readonly downKbps: number;
  /** The same from the browser. As `downKbps` unless given. */
  readonly upKbps?: number;
  /** Share of packets lost at random towards the browser, in [0, 0.5]. 0 unless given. */
  readonly lossDown?: number;
  /** The same from the browser. */
  readonly lossUp?: number;
  /** Packets that may wait for the line in each direction, the one being sent included; one more is dropped. At least 100, and a bandwidth-delay product, unless given. */
  readonly queuePackets?: number;
  /** Each packet is late by up to this, evenly drawn, and none overtakes another, ms. 0 unless given. */
  readonly jitterMs?: number;
  /** Segments a server sends before the first acknowledgement: 10 (RFC 6928) unless given; 2 to 4 in 2008 (RFC 3390). */
  readonly initialWindow?: number;
  /** Payload of a full-size packet of 1,500 bytes: 1,460 unless given; 1,448 where TCP sends timestamps, as Linux does to Linux. */
  readonly segmentBytes?: number;
  /** Of the servers: CUBIC (RFC 9438), which most on the web and Linux by default use, unless given. */
  readonly congestionControl?: 'reno' | 'cubic';
}
