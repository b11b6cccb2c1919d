/**
 * Where an address is, seen from this machine, as Local Network Access tells them apart (https://wicg.github.io/local-network-access/):
 * a page of one space reaches a server of a nearer one only after Firefox has asked the person.
 */
export type AddressSpace = 'public' | 'private' | 'link-local' | 'loopback';

/** IANA's special-purpose registry for IPv4 (RFC 6890, RFC 6598): first address, bits that are fixed, and where it is. */
const IPV4: readonly (readonly [string, number, AddressSpace])[] = [
  ['0.0.0.0', 8, 'loopback'],
  ['127.0.0.0', 8, 'loopback'],
  ['169.254.0.0', 16, 'link-local'],
  ['10.0.0.0', 8, 'private'],
  ['100.64.0.0', 10, 'private'],
  ['172.16.0.0', 12, 'private'],
  ['192.168.0.0', 16, 'private'],
];

/** @param address - IPv4, or IPv6 with or without brackets. `undefined`: it is no address. */
export function addressSpaceOf(address: string): AddressSpace | undefined {
  const bare = address.startsWith('[') ? address.slice(1, -1) : address;
  const v4 = ipv4Of(bare);
  if (v4 !== undefined) return spaceOfV4(v4);
  const groups = ipv6Groups(bare);
  if (groups === undefined) return undefined;
  const [first = 0] = groups;
  // ::ffff:a.b.c.d is IPv4 (RFC 4291, 2.5.5.2).
  if (groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff) {
    return spaceOfV4((groups[6] ?? 0) * 0x10000 + (groups[7] ?? 0));
  }
  if (groups.slice(0, 7).every((group) => group === 0) && (groups[7] ?? 0) <= 1) return 'loopback';
  if ((first & 0xffc0) === 0xfe80) return 'link-local';
  // Unique local addresses (RFC 4193).
  return (first & 0xfe00) === 0xfc00 ? 'private' : 'public';
}

function spaceOfV4(value: number): AddressSpace {
  const found = IPV4.find(([first, bits]) => Math.floor(value / 2 ** (32 - bits)) === Math.floor((ipv4Of(first) ?? 0) / 2 ** (32 - bits)));
  return found?.[2] ?? 'public';
}

function ipv4Of(text: string): number | undefined {
  const parts = /^(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})$/.exec(text)?.slice(1).map(Number);
  if (parts === undefined || parts.some((part) => part > 255)) return undefined;
  return parts.reduce((value, part) => value * 256 + part, 0);
}

/** Eight numbers of 16 bits. */
function ipv6Groups(text: string): readonly number[] | undefined {
  const [plain = ''] = text.split('%');
  const dotted = /^(.*:)([\d.]+)$/.exec(plain);
  const v4 = dotted ? ipv4Of(dotted[2] ?? '') : undefined;
  const whole = dotted && v4 !== undefined ? `${dotted[1]}${(v4 >>> 16).toString(16)}:${(v4 & 0xffff).toString(16)}` : plain;
  const halves = whole.split('::');
  if (halves.length > 2 || !whole.includes(':')) return undefined;
  const [head = [], tail = []] = halves.map((half) => (half === '' ? [] : half.split(':')));
  const missing = 8 - head.length - tail.length;
  if (halves.length === 2 ? missing < 1 : missing !== 0) return undefined;
  const groups = [...head, ...Array.from({ length: missing }, () => '0'), ...tail];
  return groups.every((group) => /^[\da-f]{1,4}$/i.test(group)) ? groups.map((group) => Number.parseInt(group, 16)) : undefined;
}

/** Decides by the name or the literal address. Firefox itself leads no loopback host through an extension's proxy. */
export function isThisMachine(hostname: string): boolean {
  if (hostname === 'localhost' || hostname.endsWith('.localhost')) return true;
  const space = addressSpaceOf(hostname);
  return space === 'loopback' || space === 'link-local';
}
