/** What a run of a study is measured with besides its plan: as it began, else as is asked, else as is usual. Pure. */
import { PlumbfoxError } from '../../core/errors.ts';
import type { Study } from '../../lab/studies/study.ts';
import type { StudyLine, StudyRecord } from '../../lab/study-run/study-log.ts';
import type { LabRunArguments } from './arguments.ts';

/**
 * A lane waits for its link most of the time. Measured on two cores: the check by which lanes are made fewer lets so many pass for
 * mobile links.
 */
const LANES_PER_PROCESSOR = 5;

export interface RunSettings {
  /** Longest a load may take. */
  readonly timeoutS: number;
  /** Whether packets are recorded. */
  readonly capture: boolean;
  /** At most so many side by side. */
  readonly lanes: number;
  /** The reason, where there are fewer than usual and nobody asked for that. */
  readonly lanesWhy?: string;
}

interface Asked {
  readonly options: Pick<LabRunArguments, 'lanes' | 'timeoutS' | 'capture'>;
  readonly study: Pick<Study, 'timeoutS'>;
  readonly processors: number;
  /** The run that is continued; absent for a new one. An early log lacks the time-out and whether packets were captured. */
  readonly record?: Pick<StudyRecord, 'study' | 'interference'>;
}

export function runSettings({ options, study, processors, record }: Asked): RunSettings {
  const usual = LANES_PER_PROCESSOR * processors;
  const passed = record?.interference.findLast(({ ok }) => ok)?.lanes;
  const isLimited = options.lanes === undefined && passed !== undefined && passed < usual;
  return {
    timeoutS: record?.study?.timeoutS ?? options.timeoutS ?? study.timeoutS,
    capture: record?.study?.capture ?? options.capture,
    lanes: options.lanes ?? (isLimited ? passed : usual),
    ...(isLimited && {
      lanesWhy: `At most ${passed} lanes, as many as were found earlier not to disturb each other; --lanes allows more`,
    }),
  };
}

/**
 * Loads with another time limit, or with captures of some cells only, would stand beside those that were made before.
 * @throws PlumbfoxError `bad-input` where something is asked for that differs from what the run in the folder was begun with.
 */
export function checkSameSettings(
  { timeoutS, capture }: Pick<LabRunArguments, 'timeoutS' | 'capture'>,
  { folder, begun }: { readonly folder: string; readonly begun: StudyLine | undefined },
): void {
  const differing = [
    ...(timeoutS !== undefined && begun?.timeoutS !== undefined && timeoutS !== begun.timeoutS
      ? [{ option: '--timeout', was: `--timeout ${begun.timeoutS}` }]
      : []),
    ...(capture && begun?.capture === false ? [{ option: '--capture', was: 'no --capture' }] : []),
  ];
  const [first] = differing;
  if (first === undefined) return;
  const { option, was } = first;
  throw new PlumbfoxError(
    'bad-input',
    `${option}: the run in ${folder} was begun with ${was}. Without ${option} it continues with that; without --resume a new one begins`,
  );
}

interface Resumed {
  readonly options: Pick<LabRunArguments, 'study' | 'lanes' | 'timeoutS' | 'capture'>;
  readonly folder: string;
  /** What the log began with. */
  readonly begun: StudyLine | undefined;
}

/** The command that goes on with a run as it went so far: with whatever its log does not know. */
export function resumeCommand({ options, folder, begun }: Resumed): string {
  const { study, lanes, timeoutS, capture } = options;
  return [
    `plumbfox lab run ${study} --resume --out ${folder}`,
    ...(lanes === undefined ? [] : [`--lanes ${lanes}`]),
    ...(timeoutS === undefined || begun?.timeoutS !== undefined ? [] : [`--timeout ${timeoutS}`]),
    ...(capture && begun?.capture === undefined ? ['--capture'] : []),
  ].join(' ');
}
