import type { RequestRecord } from './page-load.ts';

/** Whether the request had to do with the network: not answered by a cache, and not data: or blob:. What is not known to be cached counts. */
export const isNetworkRequest = (request: RequestRecord): boolean => request.origin !== null && request.wire?.fromCache !== true;

/** The requests that had to do with the network, in their order. */
export const networkRequests = (requests: readonly RequestRecord[]): readonly RequestRecord[] => requests.filter(isNetworkRequest);
