/** Where the IPv4 packet begins in what was captured, by the kind of device it was captured on. */
import { PlumbfoxError } from '../../core/errors.ts';

/** `undefined`: what follows is no IPv4. */
export type LinkHeaderBytes = (bytes: Uint8Array) => number | undefined;

/** EtherType of IPv4 (IEEE 802 numbers). */
const IPV4 = [0x08, 0x00] as const;

const rawIp: LinkHeaderBytes = () => 0;
const behindEtherType =
  (at: number, headerBytes: number): LinkHeaderBytes =>
  (bytes) =>
    bytes[at] === IPV4[0] && bytes[at + 1] === IPV4[1] ? headerBytes : undefined;

/** https://www.tcpdump.org/linktypes.html. TUN devices are 101; 12 and 14 are what raw IP is called on the BSDs. */
const LINK_TYPES: ReadonlyMap<number, LinkHeaderBytes> = new Map([
  [101, rawIp],
  [228, rawIp],
  [12, rawIp],
  [14, rawIp],
  [1, behindEtherType(12, 14)],
  [113, behindEtherType(14, 16)],
  [276, behindEtherType(0, 20)],
]);

/** @throws PlumbfoxError `bad-input` for a kind of device that is not known here. */
export function linkHeaderBytes(linkType: number): LinkHeaderBytes {
  const found = LINK_TYPES.get(linkType);
  if (!found)
    throw new PlumbfoxError('bad-input', `The capture is of link type ${linkType}: only raw IP, Ethernet and Linux cooked are read`);
  return found;
}
