/** As much of Lantern's interface as is used (`models/trace/lantern` of its package). */
export interface LanternRequest {
  readonly requestId: string;
  readonly url: string;
  readonly protocol: string;
  readonly parsedURL: { readonly scheme: string; readonly host: string; readonly securityOrigin: string };
  /** ms */
  readonly rendererStartTime: number;
  readonly networkRequestTime: number;
  readonly networkEndTime: number;
  readonly transferSize: number;
  readonly resourceType: 'Document' | 'Stylesheet' | 'Script' | 'Font' | 'Fetch' | 'Image' | 'Media' | 'Other';
  readonly priority: 'VeryLow' | 'Low' | 'Medium' | 'High' | 'VeryHigh';
  readonly fromDiskCache: boolean;
}

export interface LanternNode {
  addDependency(on: LanternNode): void;
}

/** As much as is used of the trace event that a task of the processor is made from; times in microseconds. */
export interface LanternTask {
  readonly tid: number;
  readonly ts: number;
  readonly dur: number;
}

export interface LanternOptions {
  readonly rtt: number;
  /** bit/s */
  readonly throughput: number;
  readonly cpuSlowdownMultiplier: number;
  readonly layoutTaskMultiplier: number;
  readonly additionalRttByOrigin: ReadonlyMap<string, number>;
  /** ms; 0 is taken for 30. */
  readonly serverResponseTimeByOrigin: ReadonlyMap<string, number>;
}

export interface Lantern {
  readonly Graph: {
    readonly NetworkNode: new (request: LanternRequest) => LanternNode;
    readonly CPUNode: new (task: LanternTask) => LanternNode;
  };
  readonly Simulation: {
    readonly Simulator: new (options: LanternOptions) => { simulate(root: LanternNode): { readonly timeInMs: number } };
    /** Round trips that a name costs once per host; 2 as shipped. */
    readonly DNSCache: { rttMultiplier: number };
  };
}
