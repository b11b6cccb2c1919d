/** The sites that a person has listed for pipelining, and what is said of them between the extension, its helper and the gateway. */
import * as v from 'valibot';

/** The most sites that can be listed: every request is compared with each. */
export const MAX_SITES = 200;

/** `http://host` or `http://host:port`, as the URL standard serialises it. */
const origin = v.pipe(v.string(), v.regex(/^http:\/\/[^/?#@\s]+$/), v.maxLength(300));

/**
 * Why a listed site goes direct all the same. For good, until the person takes it off the list: `authentication` (it requested a password, and
 * what carries one never goes through the gateway), `misbehaved` (it answered more than it was asked, not as HTTP/1.1 says, or closed in the middle),
 * `this-machine` (its name leads to this machine or its own network link). While it lasts: `other-proxy` (another proxy is in effect for it).
 */
export const directReasonSchema = v.picklist(['authentication', 'misbehaved', 'this-machine', 'other-proxy']);
export type DirectReason = v.InferOutput<typeof directReasonSchema>;

/** Header of the gateway's answers to what it has not carried. A server's own header of this name does not pass. */
export const HANDED_BACK = 'plumbfox-gateway';

/** Why it has not: what holds of the site from now on, or `again`: only of this request. Firefox then asks for it direct. */
export const handedBackSchema = v.picklist(['authentication', 'misbehaved', 'this-machine', 'again']);
export type HandedBack = v.InferOutput<typeof handedBackSchema>;

/** Where Firefox itself has found a site: the gateway asks no name server. */
export const foundSiteSchema = v.strictObject({
  origin,
  /** IPv4, or IPv6 without brackets. */
  address: v.pipe(v.string(), v.maxLength(60)),
});
export type FoundSite = v.InferOutput<typeof foundSiteSchema>;

/** A site that the person has listed for pipelining. */
export const listedSiteSchema = v.object({
  origin,
  /** Absent: its requests may go through the gateway. */
  direct: v.optional(directReasonSchema),
});
export type ListedSite = v.InferOutput<typeof listedSiteSchema>;
