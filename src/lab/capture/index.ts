/** Captures: what the packets of a load say about its connections. */
export * from './capture-analysis.ts';
export * from './capture-analysis.ts';
export * from './capture-figures.ts';
export * from './connection-rows-svg.ts';
export * from './load-comparison-svg.ts';
export * from './load-window.ts';
export * from './time-sequence-svg.ts';
