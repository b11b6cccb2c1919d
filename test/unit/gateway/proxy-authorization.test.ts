import { expect, it } from 'vitest';
import { PROXY_CHALLENGE, proxyAuthorizationCheck } from '../../../src/gateway/proxy-authorization.ts';

const check = proxyAuthorizationCheck('secret');
/** `plumbfox:secret`, by coreutils' base64. */
const RIGHT = 'cGx1bWJmb3g6c2VjcmV0';

it.each([
  [`Basic ${RIGHT}`, true],
  [`bAsIc ${RIGHT}`, true],
  [`Basic   ${RIGHT} `, true],
  [undefined, false],
  ['', false],
  [RIGHT, false],
  [`Bearer${RIGHT}`, false],
  [`Basic:${RIGHT}`, false],
  [`Digest ${RIGHT}`, false],
  ['Basic ', false],
  [`Basic ${RIGHT.slice(0, -1)}`, false],
  [`Basic ${RIGHT}A`, false],
  [`Basic ${RIGHT.toLowerCase()}`, false],
  // The right user with another secret, and the right secret with another user.
  ['Basic cGx1bWJmb3g6c2VjcmVU', false],
  ['Basic cGx1bWJmb3g=', false],
])('%s: %s', (header, passes) => {
  expect(check(header)).toBe(passes);
});

it('asks for Basic', () => {
  expect(PROXY_CHALLENGE).toBe('Basic realm="plumbfox"');
});
