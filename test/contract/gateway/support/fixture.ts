import { afterEach } from 'vitest';
import { type Gateway, type GatewayOptions, type GatewaySeams, startGateway } from '../../../../src/gateway/gateway.ts';
import type { Running } from './servers.ts';
import { GatewayClient } from './through-gateway.ts';

const toClose: (() => unknown)[] = [];

afterEach(async () => {
  for (const close of toClose.splice(0).reverse()) await close();
});

/** Closed after the test. */
export async function using<T extends Running>(server: Promise<T>): Promise<T> {
  const running = await server;
  toClose.push(() => running.close());
  return running;
}

/** A gateway and a client of it, closed after the test: if nothing else is said, one of the lab's, whose origins have passed probation. */
export async function gatewayWith(
  { sites = 'any', ...setting }: Omit<GatewayOptions, 'sites'> & Partial<Pick<GatewayOptions, 'sites'>>,
  seams: GatewaySeams = {},
): Promise<{ gateway: Gateway; client: GatewayClient }> {
  const gateway = await startGateway({ ...setting, sites }, { ...(sites === 'any' && { probation: 0 }), ...seams });
  const client = new GatewayClient(gateway.route);
  toClose.push(() => gateway.close());
  toClose.push(() => client.close());
  return { gateway, client };
}

/** Name resolution that knows no name, at once: what it takes to learn that differs from machine to machine. */
export const noNames: GatewaySeams = {
  lookup: (_host, _options, callback) => setImmediate(() => callback(Object.assign(new Error('no such name'), { code: 'ENOTFOUND' }), [])),
};
