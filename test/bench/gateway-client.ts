/** Asks a gateway for the same few files over and over, as many at once as Firefox does: quicker than a browser, and looks at nothing but lengths. */
import { connect } from 'node:net';
import type { GatewayRoute } from '../../src/core/profiles/profile.ts';
import { basic } from '../contract/gateway/support/through-gateway.ts';

const AT_ONCE = 32;

/** Each response must have a length. @throws Error when a connection ends before `count` responses are there. */
export async function askOften(route: GatewayRoute, urls: readonly string[], count: number): Promise<void> {
  let asked = 0;
  const next = () => (asked < count ? urls[asked++ % urls.length] : undefined);
  await Promise.all(Array.from({ length: AT_ONCE }, () => askOver(route, next)));
}

function askOver(route: GatewayRoute, next: () => string | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect(route.port, route.host).setNoDelay();
    let head = '';
    let left = 0;
    const ask = () => {
      const url = next();
      head = '';
      if (url === undefined) socket.end(resolve);
      else socket.write(`GET ${url} HTTP/1.1\r\nHost: ${new URL(url).host}\r\nProxy-Authorization: ${basic(route.secret)}\r\n\r\n`);
    };
    socket.once('connect', ask).once('error', reject);
    socket.once('close', () => reject(new Error('The gateway closed a connection')));
    socket.on('data', (chunk) => {
      if (left > 0) left -= chunk.length;
      else {
        head += chunk.toString('latin1');
        const end = head.indexOf('\r\n\r\n');
        if (end < 0) return;
        left = Number(/content-length: (\d+)/i.exec(head)?.[1]) - (head.length - end - 4);
      }
      if (left === 0) ask();
    });
  });
}
