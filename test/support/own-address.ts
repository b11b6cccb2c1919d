/** An address of this machine that is not loopback: Firefox sends none of those through a proxy of an extension, and the gateway reaches none. */
import { networkInterfaces } from 'node:os';

/** @throws where this machine has no other: then nothing can be led through a gateway to it. */
export function ownAddress(): string {
  const found = Object.values(networkInterfaces())
    .flat()
    .find((one) => one !== undefined && !one.internal && one.family === 'IPv4');
  if (found === undefined) throw new Error('This machine has no IPv4 address but loopback, which gateways leave out: give it one');
  return found.address;
}
