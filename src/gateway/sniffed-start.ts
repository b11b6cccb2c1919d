/**
 * For a picture from another site without CORS, Firefox inspects the first piece that it reads of the body, and refuses the picture
 * (`NS_BINDING_ABORTED`) if that does not show its type: Opaque Response Blocking (netwerk/protocol/http/OpaqueResponseUtils.cpp;
 * https://github.com/annevk/orb; seen in Firefox 153 with a first piece of 6 bytes). A server begins every response with a packet, but pipelined
 * ones begin anywhere in one, so the pieces that come upstream may be that small.
 */

/** A browser inspects no more of a resource to find its type (https://mimesniff.spec.whatwg.org/#reading-the-resource-header). */
export const SNIFFED_BYTES = 1445;

const MEDIA = /^\s*(?:image|audio|video)\//i;
/** Types that tell a browser nothing, so that it inspects the bytes of a picture with one of them too. */
const UNTOLD = /^\s*(?:(?:application|binary)\/octet-stream|text\/plain)\s*(?:;|$)/i;

/**
 * Whether the first bytes of a response have to come together; text that trickles, as of server-sent events, must not wait.
 * @param accept - The request's Accept; Firefox's for pictures begins with `image/`.
 */
export function isSniffed({
  contentType,
  accept,
}: {
  readonly contentType: string | undefined;
  readonly accept: string | undefined;
}): boolean {
  if (contentType !== undefined && MEDIA.test(contentType)) return true;
  return (accept?.startsWith('image/') ?? false) && (contentType === undefined || UNTOLD.test(contentType));
}

/** Keeps the beginning of a body together. */
export class SniffedStart {
  readonly #pieces: Buffer[] = [];
  #bytes = 0;

  /** @returns what may be passed on: nothing until there is enough to show the type, then everything that was kept. */
  add(chunk: Buffer): Buffer | undefined {
    this.#pieces.push(chunk);
    this.#bytes += chunk.length;
    return this.#bytes < SNIFFED_BYTES ? undefined : this.take();
  }

  /** Returns what is kept, at the end of the body. */
  take(): Buffer | undefined {
    if (this.#bytes === 0) return undefined;
    this.#bytes = 0;
    return Buffer.concat(this.#pieces.splice(0));
  }
}
