/**
 * Signs that a response belongs to another request. HTTP/1.1 responses carry no request id, so order can only be doubted, never proved. These signs
 * miss two swapped responses of the same kind (two images) from an origin that sends no `Assoc-Req`, and anything already forwarded when the first
 * sign appears.
 */

/** The kind of content of a request or response, as far as its Accept or Content-Type shows. */
type ContentFamily = 'image' | 'stylesheet' | 'document' | 'script' | 'font';

/**
 * The kind that Firefox requests, by the beginning of Accept: `image/avif,...`, `text/css,...`, `text/html,...`; scripts, fonts and fetch() send a
 * wildcard, which is `undefined`. Source: `image.http.accept` and the Accept table in netwerk/protocol/http/nsHttpHandler.cpp and
 * layout/style/Loader.cpp.
 */
export function askedFamily(accept: string | undefined): ContentFamily | undefined {
  if (accept === undefined) return undefined;
  if (accept.startsWith('image/')) return 'image';
  if (accept.startsWith('text/css')) return 'stylesheet';
  if (accept.startsWith('text/html')) return 'document';
  return undefined;
}

/** The kind of a Content-Type; `undefined` for types that say nothing here. */
export function answeredFamily(contentType: string | undefined): ContentFamily | undefined {
  if (contentType === undefined) return undefined;
  const end = contentType.indexOf(';');
  const type = (end < 0 ? contentType : contentType.slice(0, end)).trim().toLowerCase();
  if (type.startsWith('image/')) return 'image';
  if (type.startsWith('font/') || type.startsWith('application/font') || type.startsWith('application/x-font')) return 'font';
  if (type === 'text/css') return 'stylesheet';
  if (type === 'text/html' || type === 'application/xhtml+xml') return 'document';
  // Every JavaScript MIME type essence ends like this: https://html.spec.whatwg.org/multipage/scripting.html
  if (type.endsWith('javascript') || type.endsWith('ecmascript')) return 'script';
  return undefined;
}

/**
 * Kinds that no correct response has. An HTML response to an image or a stylesheet is a common error page, and an image as a document is someone
 * opening a picture: neither is a sign.
 */
const CONTRADICTIONS: Readonly<Record<ContentFamily, readonly ContentFamily[]>> = {
  image: ['stylesheet', 'script', 'font'],
  stylesheet: ['image', 'font', 'script'],
  document: ['stylesheet', 'script', 'font'],
  script: [],
  font: [],
};

export interface OrderEvidence {
  readonly method: string;
  /** The requested absolute URL. */
  readonly url: string;
  readonly accept: string | undefined;
  readonly status: number;
  readonly contentType: string | undefined;
  readonly assocReq: string | undefined;
}

/**
 * `assoc-req`: the response names another request (draft-nottingham-http-pipeline; Gecko checked it in nsHttpChannel::EnsureAssocReq under
 * network.http.assoc-req.enforce). `content-type`: no correct response to the request is of this kind. `undefined`: no sign.
 */
export function orderDoubt(evidence: OrderEvidence): 'assoc-req' | 'content-type' | undefined {
  if (evidence.assocReq !== undefined && !assocReqAgrees(evidence.assocReq, evidence)) return 'assoc-req';
  // Errors and redirects often carry a body of another kind.
  if (evidence.status !== 200 && evidence.status !== 206) return undefined;
  const asked = askedFamily(evidence.accept);
  const answered = answeredFamily(evidence.contentType);
  if (asked === undefined || answered === undefined) return undefined;
  return CONTRADICTIONS[asked].includes(answered) ? 'content-type' : undefined;
}

/** `Assoc-Req: METHOD URL`. A value of another shape says nothing. */
function assocReqAgrees(value: string, request: { readonly method: string; readonly url: string }): boolean {
  const space = value.indexOf(' ');
  if (space <= 0) return true;
  const url = value.slice(space + 1).trim();
  if (!URL.canParse(url)) return true;
  return value.slice(0, space) === request.method && new URL(url).href === new URL(request.url).href;
}
