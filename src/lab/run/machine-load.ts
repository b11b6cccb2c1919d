/** How busy the machine is while a run measures: what runs beside it slows every load, and no profile can be blamed for it. */
import { availableParallelism, loadavg } from 'node:os';
import type { Provenance } from '../../core/report/report.ts';

export interface MachineLoad {
  /** Called with every load: the average is of one minute. */
  read(): void;
  readonly recorded: () => NonNullable<Provenance['machineLoad']>;
}

/** Begins with a first reading. @param average - Of the last minute, as the kernel keeps it. */
export function watchMachineLoad(average: () => number = () => loadavg()[0] ?? 0): MachineLoad {
  const atStart = average();
  let most = atStart;
  return {
    read: () => {
      most = Math.max(most, average());
    },
    recorded: () => ({ atStart: rounded(atStart), most: rounded(most), processors: availableParallelism() }),
  };
}

const rounded = (average: number): number => Number(average.toFixed(2));
