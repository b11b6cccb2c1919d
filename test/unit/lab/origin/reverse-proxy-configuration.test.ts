import { describe, expect, test } from 'vitest';
import {
  caddyConfiguration,
  haproxyConfiguration,
  nginxConfiguration,
  type TlsConfiguration,
} from '../../../../src/lab/origin/reverse-proxy-configuration.ts';
import { KEEP_ALIVE_MS } from '../../../../src/lab/pages/http-heads.ts';

const COMMON = { addresses: ['198.18.0.2', '198.18.0.3'], upstreamPort: 40_123, folder: '/run/lane/kind' };
const SECURE: TlsConfiguration = {
  ...COMMON,
  certificate: {
    certificatePath: '/run/lane/server.pem',
    keyPath: '/run/lane/server.key',
    certificateWithKeyPath: '/run/lane/server-with-key.pem',
  },
};
const CADDY = { ...SECURE, port: 10_443, visits: 'first' } as const;
const golden = (name: string) => `../../../golden/server-${name}.txt`;

describe('configurations of the servers in front, as a whole', () => {
  test('nginx, plain', () => expect(nginxConfiguration(COMMON)).toMatchFileSnapshot(golden('nginx')));
  test('nginx over TLS', () => expect(nginxConfiguration(SECURE)).toMatchFileSnapshot(golden('https')));
  test('HAProxy', () => expect(haproxyConfiguration(SECURE)).toMatchFileSnapshot(golden('http2')));
  test('Caddy', () => expect(caddyConfiguration(CADDY)).toMatchFileSnapshot(golden('http3')));
});

describe('what holds for all of them', () => {
  test('a browser closes its idle connections first (115 s), a server in front its own to the embedded one', () => {
    const seconds = (text: string, pattern: RegExp) => Number(pattern.exec(text)?.[1]);
    const idle = [
      seconds(nginxConfiguration(COMMON), /^ {2}keepalive_timeout (\d+)s/m),
      seconds(haproxyConfiguration(SECURE), /timeout http-keep-alive (\d+)s/),
      seconds(caddyConfiguration(CADDY), /"idle_timeout": "(\d+)s",\n {10}"automatic/),
    ];
    for (const each of idle) expect(each).toBeGreaterThan(115);
    const upstream = [
      seconds(nginxConfiguration(COMMON), /^ {4}keepalive_timeout (\d+)s/m),
      seconds(caddyConfiguration(CADDY), /"idle_timeout": "(\d+)s",\n\s+"max_idle/),
    ];
    for (const each of upstream) expect(each).toBeLessThan(KEEP_ALIVE_MS / 1000);
  });
});
