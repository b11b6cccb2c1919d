import { describe, expect, test } from 'vitest';
import { CONNECTION_HEADER, proxiedRequests } from '../../../../src/lab/origin/proxied-requests.ts';
import { originsOf, REVERSE_PROXY_PORTS, reverseProxyKinds, SERVED_BY } from '../../../../src/lab/pages/served-by.ts';

const ADDRESSES = ['198.18.0.2', '198.18.0.3'];
const asked = (host: string, connection = '198.18.0.1:50000') => ({ headers: { host, [CONNECTION_HEADER]: connection } });

describe('who asked for what, behind a server in front', () => {
  const behind = proxiedRequests(['nginx', 'http2'], ADDRESSES);

  test('the Host header tells the server, and how its page names the others', () => {
    expect(behind.identify(asked('198.18.0.3:9443'))).toMatchObject({
      origin: 'https://198.18.0.3:9443',
      origins: ['https://198.18.0.2:9443', 'https://198.18.0.3:9443'],
    });
    expect(behind.identify(asked('198.18.0.2:8080'))).toMatchObject({ origin: 'http://198.18.0.2:8080' });
  });

  test.each(['198.18.0.2', '198.18.0.4:8080', '198.18.0.2:10443', ''])('nobody is behind %j', (host) => {
    expect(behind.identify(asked(host))).toBeUndefined();
  });

  test("connections are the browser's: told apart by its end and by server, until the next load", () => {
    const first = behind.identify(asked('198.18.0.2:8080'))?.connection;
    expect(behind.identify(asked('198.18.0.2:8080'))?.connection).toBe(first);
    expect(behind.identify(asked('198.18.0.2:8080', '198.18.0.1:50001'))?.connection).not.toBe(first);
    expect(behind.identify(asked('198.18.0.3:8080'))?.connection).not.toBe(first);
    behind.reset();
    expect(behind.identify(asked('198.18.0.2:8080'))?.connection).not.toBe(first);
  });
});

describe('addresses', () => {
  test('every kind has a port and a scheme of its own', () => {
    expect(SERVED_BY.map((kind) => originsOf(kind, ['198.18.0.2'])[0])).toEqual([
      'http://198.18.0.2',
      'http://198.18.0.2:8080',
      'https://198.18.0.2:8443',
      'https://198.18.0.2:9443',
      'https://198.18.0.2:10443',
    ]);
    expect(new Set(Object.values(REVERSE_PROXY_PORTS)).size).toBe(4);
  });

  test('the embedded server stands in front of nothing, and no kind counts twice', () => {
    expect(reverseProxyKinds(['http3', 'embedded', 'nginx', 'http3'])).toEqual(['nginx', 'http3']);
    expect(reverseProxyKinds(['embedded'])).toEqual([]);
  });
});
