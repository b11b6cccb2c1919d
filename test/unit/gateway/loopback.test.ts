import { expect, test } from 'vitest';
import { isLoopback } from '../../../src/gateway/loopback.ts';

test.each(['127.0.0.1', '127.255.255.254', '0.0.0.0', '::1', '::', '::ffff:127.0.0.1', '::ffff:7f00:1'])(
  '%s is this machine',
  (address) => {
    expect(isLoopback(address)).toBe(true);
  },
);

test.each(['126.255.255.255', '128.0.0.1', '192.168.1.1', '198.18.0.2', '::2', '2001:db8::1', '::ffff:192.0.2.1', 'localhost', ''])(
  '%s is not',
  (address) => {
    expect(isLoopback(address)).toBe(false);
  },
);
