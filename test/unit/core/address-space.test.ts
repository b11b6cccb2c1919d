import { expect, it } from 'vitest';
import { addressSpaceOf } from '../../../src/core/address-space.ts';

/** Beginning and end of each range of RFC 6890, 6598, 4193 and 4291. */
it.each([
  ['127.0.0.1', 'loopback'],
  ['127.255.255.255', 'loopback'],
  ['0.0.0.0', 'loopback'],
  ['10.0.0.0', 'private'],
  ['10.255.255.255', 'private'],
  ['11.0.0.0', 'public'],
  ['100.63.255.255', 'public'],
  ['100.64.0.0', 'private'],
  ['100.127.255.255', 'private'],
  ['100.128.0.0', 'public'],
  ['169.254.0.1', 'link-local'],
  ['172.15.255.255', 'public'],
  ['172.16.0.0', 'private'],
  ['172.31.255.255', 'private'],
  ['172.32.0.0', 'public'],
  ['192.168.255.255', 'private'],
  ['203.0.113.9', 'public'],
  ['::', 'loopback'],
  ['::1', 'loopback'],
  ['[::1]', 'loopback'],
  ['::2', 'public'],
  ['fe80::1', 'link-local'],
  ['fe80::1%eth0', 'link-local'],
  ['febf:ffff::1', 'link-local'],
  ['fec0::1', 'public'],
  ['fc00::1', 'private'],
  ['fdff::1', 'private'],
  ['fe00::1', 'public'],
  ['2001:db8::7', 'public'],
  ['::ffff:127.0.0.1', 'loopback'],
  ['::ffff:10.0.0.1', 'private'],
  ['::ffff:a00:1', 'private'],
  ['::ffff:8.8.8.8', 'public'],
  ['1:2:3:4:5:6:7:8', 'public'],
])('%s is %s', (address, space) => expect(addressSpaceOf(address)).toBe(space));

it.each(['', 'example.org', '1.2.3', '1.2.3.256', '1:2', ':::', '1:2:3:4:5:6:7:8:9', '::g', '1::2::3', '[', 'localhost'])(
  '%j is no address',
  (text) => expect(addressSpaceOf(text)).toBeUndefined(),
);
