/**
 * An address as a number: a comparison only needs to know whether two are the same, and a number is read a hundred times as fast. 53 bits of the
 * text, by cyrb53 (bryc, public domain, https://github.com/bryc/code/blob/master/jshash/experimental/cyrb53.js). Of 100,000
 * addresses two get the same number with a chance of 1 in 1.8 million (n^2 / 2^54). It is no secret: the address gives the number.
 */
export function addressKey(text: string): number {
  let high = 0xdeadbeef;
  let low = 0x41c6ce57;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    high = Math.imul(high ^ code, 2654435761);
    low = Math.imul(low ^ code, 1597334677);
  }
  high = Math.imul(high ^ (high >>> 16), 2246822507) ^ Math.imul(low ^ (low >>> 13), 3266489909);
  low = Math.imul(low ^ (low >>> 16), 2246822507) ^ Math.imul(high ^ (high >>> 13), 3266489909);
  return 4294967296 * (2097151 & low) + (high >>> 0);
}
