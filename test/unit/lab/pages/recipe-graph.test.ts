import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { describe, expect, test } from 'vitest';
import type { Discovery, PageRequest } from '../../../../src/core/graph/page-graph.ts';
import { KEEP_ALIVE_MS, responseHeadBytes, responseHeaders } from '../../../../src/lab/pages/http-heads.ts';
import { type Content, documentContent, documentTag } from '../../../../src/lab/pages/page-content.ts';
import { findPage, PAGES } from '../../../../src/lab/pages/pages.ts';
import { DOCUMENT_ID, laneAddress, recipeGraph } from '../../../../src/lab/pages/recipe-graph.ts';

const requestOf = (page: string, id: string): PageRequest => {
  const found = recipeGraph(findPage(page)).requests.find((request) => request.id === id);
  if (!found) throw new Error(`${page} has no ${id}`);
  return found;
};
const afterOf = ({ after = [] }: PageRequest): readonly Discovery[] => (Array.isArray(after) ? after : [after as Discovery]);

describe('bytes on the wire', () => {
  test('the head of an answer is as long as Node makes it', async () => {
    const content: Content = { contentType: 'text/css', body: Buffer.from('body{}') };
    const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS }, (_request, response) =>
      response.writeHead(200, { ...responseHeaders(content) }).end(content.body),
    );
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
    socket.write('GET / HTTP/1.1\r\nHost: x\r\nConnection: keep-alive\r\n\r\n');
    let received = '';
    while (!received.endsWith('body{}')) received += String((await once(socket, 'data'))[0]);
    socket.destroy();
    server.close();
    expect(received.length - content.body.length).toBe(responseHeadBytes(content));
  });

  // Captured between Firefox 153.7.0esr and the lab's servers; those of the gateway had the same lengths.
  test.each([
    ['wiki', DOCUMENT_ID, 348],
    ['images', DOCUMENT_ID, 350],
    ['wiki', 'skin.css', 325],
    ['wiki', 'gallery.css', 310],
    ['wiki', 'startup.js', 312],
    ['wiki', 'edit.js', 294],
    ['wiki', 'icon-0.png', 381],
    ['wiki', 'thumbnail-11.png', 369],
    ['wiki', 'skin-0.png', 389],
    ['docs', 'text.woff2', 375],
    ['app', 'answer-0.json', 313],
    ['app', 'person-0.png', 364],
    ['app', 'icon-0.png', 362],
    ['news', 'widget-0.js', 280],
    // On 198.18.0.10: one character more.
    ['news', 'widget-4.js', 281],
  ])('the request of %s for %s has %i bytes', (page, id, bytes) => {
    expect(requestOf(page, id).requestBytes).toBe(bytes);
  });

  test('an answer has its head besides its body', () => {
    // "HTTP/1.1 200 OK" to "Keep-Alive: timeout=120" and the empty line: 232 bytes for a PNG whose length has three digits.
    expect(requestOf('wiki', 'icon-0.png').bytes).toBe(420 + 232);
  });
});

describe('what must be there before something is asked for', () => {
  test('the document up to and including the tag, its head counted', () => {
    for (const page of PAGES) {
      const address = laneAddress(page);
      const content = documentContent(page, address);
      for (const resource of page.resources.filter(({ from }) => typeof from === 'string')) {
        const [named, parser] = afterOf(requestOf(page.name, resource.name));
        expect(parser).toMatchObject({ id: DOCUMENT_ID, bytes: 0 });
        const body = content.body.subarray(0, (named?.bytes ?? 0) - responseHeadBytes(content)).toString();
        expect(body.endsWith(documentTag(resource, address)), `${page.name} ${resource.name}`).toBe(true);
      }
    }
  });

  test('a picture of a style sheet waits for the sheet, all that blocks the head, and its element', () => {
    const after = afterOf(requestOf('docs', 'note.png'));
    expect(after.map(({ id }) => id)).toEqual([DOCUMENT_ID, 'theme.css', 'code.css', 'theme.js']);
    const content = documentContent(findPage('docs'), laneAddress(findPage('docs')));
    // `note.png` is the last of 24 resources; its element is the last one before the tags of the body.
    const through = content.body.subarray(0, (after[0]?.bytes ?? 0) - responseHeadBytes(content)).toString();
    expect(through.endsWith('<div class="r23">&nbsp;</div>')).toBe(true);
  });

  test('what a script asks for waits for it, the scripts before it and the style sheets, and not for the scripts after it', () => {
    const after = afterOf(requestOf('app', 'answer-3.json'));
    expect(after.map(({ id }) => id)).toEqual(['application.js', 'base.css', 'parts.css', 'runtime.js', 'framework.js', 'parts.js']);
    expect(after.every(({ bytes }) => bytes === undefined)).toBe(true);
    const ids = afterOf(requestOf('shop', 'stock-0.json')).map(({ id }) => id);
    expect(ids).toEqual(expect.arrayContaining(['part-0.js', 'base-0.js', 'list.css']));
    expect(ids).not.toContain('part-1.js');
  });

  test.each(PAGES.map(({ name }) => name))('%s names only requests that come to an end before it', (name) => {
    const { requests } = recipeGraph(findPage(name));
    const known = new Map(requests.map((request) => [request.id, request]));
    expect(known.size).toBe(requests.length);
    // Everything is reached from the document, so nothing waits for itself.
    const reached = new Set<string>();
    for (let before = -1; before < reached.size; ) {
      before = reached.size;
      for (const request of requests) if (afterOf(request).every(({ id }) => reached.has(id))) reached.add(request.id);
    }
    expect(requests.filter(({ id }) => !reached.has(id))).toEqual([]);
    for (const { id, bytes } of requests.flatMap(afterOf)) expect(bytes ?? 0).toBeLessThanOrEqual(known.get(id)?.bytes ?? -1);
  });
});

test('only style sheets and scripts of the head hold pictures back', () => {
  const blocking = (page: string) => recipeGraph(findPage(page)).requests.flatMap(({ id, blocking: holds }) => (holds ? [id] : []));
  expect(blocking('wiki')).toEqual(['skin.css', 'site.css', 'gallery.css', 'startup.js', 'library.js']);
  expect(blocking('images')).toEqual([]);
});
