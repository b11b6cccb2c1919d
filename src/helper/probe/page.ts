/** What the probe serves: small pieces, and a page of them for a browser without our extension. */

/** A GIF of one transparent pixel, https://www.w3.org/Graphics/GIF/spec-gif89a.txt: 43 bytes, one packet with its head. */
export const PIECE = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64');

/** Policy of the page: its own pictures, its own script by its nonce, its own figures. */
export const pagePolicy = (nonce: string): string =>
  `default-src 'none'; img-src 'self'; connect-src 'self'; style-src 'nonce-${nonce}'; script-src 'nonce-${nonce}'; base-uri 'none'; form-action 'none'`;

/**
 * The pictures have an address of their own in every round, and are there from the beginning: made by a script, they would come later than
 * what a browser fetches ahead of it.
 */
export function probePage({ pieces, round, nonce }: { pieces: number; round: number; nonce: string }): string {
  const pictures = Array.from({ length: pieces }, (_, at) => `<img src="${at}?${round}" width="1" height="1" alt="">`).join('');
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Plumbfox probe</title><link rel="icon" href="data:,">
<style nonce="${nonce}">body{font:1.2rem/1.5 sans-serif;margin:1rem;overflow-wrap:break-word}output{display:block;font-size:1.5rem}</style></head>
<body><h1>Connections to one server</h1><output id="shown">Counting ...</output><p>Reload the page to count again.</p>${pictures}
<script nonce="${nonce}">addEventListener('load', async () => {
  const { connections, depth } = await (await fetch('result')).json();
  document.getElementById('shown').textContent = connections + (connections === 1 ? ' connection' : ' connections') + ' at once, ' +
    (depth === 1 ? 'one request' : 'up to ' + depth + ' requests') + ' on each';
});</script></body></html>
`;
}
