/** Captures: what the packets of a load say about its connections. */
export * from './capture-analysis.ts';
