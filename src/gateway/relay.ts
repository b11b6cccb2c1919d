import type { IncomingMessage, ServerResponse } from 'node:http';
import type { LookupFunction, Socket } from 'node:net';
import { hasBody } from './exchange.ts';
import { failureOf } from './failure.ts';
import { requestHead } from './hop-by-hop.ts';
import type { Origin } from './origin-pools.ts';
import { endWithAnswer } from './plain-answer.ts';
import { openUpstreamSocket } from './upstream-socket.ts';

interface Link {
  readonly origin: string;
  readonly upstream: Socket;
  /** Whether the body of its last request came to its end. */
  isSent: boolean;
  /** What has come of the head of the response that is due; `undefined` once that is complete. */
  head: string | undefined;
  /** What of it is not passed on yet. */
  held: Buffer;
}

/** Characters of a head that are looked at. */
const MAX_HEAD_CHARACTERS = 16_384;
const INTERIM = /^HTTP\/\S+[\t ]+1\d\d/i;
/** Firefox looks for a status line behind what is none, too. */
const ASKS_FOR_SECRET = /HTTP\/\S{1,3}[\t ]+407\b/i;
const MAY_ASK = /H(?:T(?:T(?:P(?:\/(?:\S{1,3}(?:[\t ]+(?:40?7?)?)?)?)?)?)?)?$/i;

/**
 * Stands in for Firefox's own way to a server where the client cannot be handed back what is not carried: a client's connection has one connection to
 * one server, on which nothing is pipelined or repeated, and what comes back is passed on unread, byte for byte. What a server knows of the connection
 * (NTLM, Negotiate) stays that client's; a body that is longer or shorter than it said reaches nobody else.
 */
export class Relays {
  readonly #lookup: LookupFunction;
  readonly #links = new Map<Socket, Link>();

  constructor(lookup: LookupFunction) {
    this.#lookup = lookup;
  }

  relay(request: IncomingMessage, response: ServerResponse, { origin, path }: { readonly origin: Origin; readonly path: string }): void {
    const client = request.socket;
    // It is not its turn: it came before the response to an earlier one was complete, as from no browser.
    if (response.socket !== client) {
      client.destroy();
      return;
    }
    const link = this.#linkTo(origin, client);
    const { upstream } = link;
    const isChunked = request.headers['transfer-encoding'] !== undefined;
    const bodiless = request.method === 'GET' || request.method === 'HEAD';
    const options = { hasBody: hasBody(request.headers) || !bodiless, isChunked };
    upstream.write(requestHead(request, { origin: origin.origin, path }, options), 'latin1');
    link.isSent = false;
    link.head = '';
    request.on('data', (piece: Buffer) => {
      if (isChunked) upstream.write(`${piece.length.toString(16)}\r\n`);
      const isTaken = upstream.write(piece);
      if (isChunked) upstream.write('\r\n');
      if (isTaken) return;
      request.pause();
      upstream.once('drain', () => request.resume());
    });
    const onSent = () => {
      if (isChunked) upstream.write('0\r\n\r\n');
      link.isSent = true;
      // Node is done with it: the response goes to the socket itself, and Firefox sends nothing else before it has all of it.
      response.emit('finish');
    };
    if (request.readableEnded) onSent();
    else request.once('end', onSent);
  }

  #linkTo(origin: Origin, client: Socket): Link {
    const before = this.#links.get(client);
    if (before?.origin === origin.origin && before.isSent && before.upstream.writable) return before;
    const upstream = openUpstreamSocket(origin, { lookup: this.#lookup });
    const link: Link = { origin: origin.origin, upstream, isSent: false, head: undefined, held: Buffer.alloc(0) };
    this.#links.set(client, link);
    if (before === undefined) client.once('close', () => this.#forget(client));
    else before.upstream.destroy();
    const isCurrent = () => this.#links.get(client) === link;
    let isConnected = false;
    upstream
      .once('connect', () => {
        isConnected = true;
      })
      .on('data', (piece) => {
        const due = isCurrent() ? this.#due(client, link, piece) : undefined;
        if (due === undefined || client.write(due)) return;
        upstream.pause();
        client.once('drain', () => upstream.resume());
      })
      .on('error', (error) => {
        if (!isCurrent()) return;
        if (isConnected) client.destroy();
        else endWithAnswer(client, failureOf(error), { prefix: `${origin.origin}: ` });
      })
      .once('close', () => {
        if (!isCurrent()) return;
        client.write(link.held);
        client.destroySoon();
      });
    return link;
  }

  /** What may be passed on. Only a proxy may ask for proxy authentication, and the only proxy here is this one (RFC 9110, 15.5.8). */
  #due(client: Socket, link: Link, piece: Buffer): Buffer | undefined {
    if (link.head === undefined) return piece;
    link.held = Buffer.concat([link.held, piece]);
    const head = link.head + piece.toString('latin1', 0, MAX_HEAD_CHARACTERS);
    const blocks = head.split(/\n\r?\n/);
    const interim = blocks.findIndex((block) => !INTERIM.test(block));
    const last = interim < 0 ? blocks.length - 1 : interim;
    if (ASKS_FOR_SECRET.test(blocks.slice(0, last + 1).join('\n'))) {
      endWithAnswer(client, { status: 502, sentence: 'it asked for proxy authentication' });
      this.#forget(client);
      return undefined;
    }
    const isComplete = last < blocks.length - 1 || head.length > MAX_HEAD_CHARACTERS;
    link.head = isComplete ? undefined : head;
    if (!isComplete && MAY_ASK.test(head)) return undefined;
    const due = link.held;
    link.held = Buffer.alloc(0);
    return due;
  }

  #forget(client: Socket): void {
    const link = this.#links.get(client);
    this.#links.delete(client);
    link?.upstream.destroy();
  }

  /** Ends every relay, and the client's connection with it. */
  close(): void {
    for (const client of this.#links.keys()) client.destroy();
  }
}
