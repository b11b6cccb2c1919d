/** What to do with the result of `tune`: each step a command that works where it is pasted. */
import type { Recommendation } from '../../core/compare/comparison.ts';
import { BASELINE_ID, findProfile } from '../../core/profiles/presets.ts';
import { gatewayCommand } from '../../core/report/recommendation-lines.ts';

export interface NextStepsOptions {
  readonly recommendation: Recommendation;
  /** Path of report.html. */
  readonly html: string;
  /** What runs Plumbfox in the person's shell. */
  readonly plumbfox: string;
  readonly platform: NodeJS.Platform;
}

const OPENERS: Readonly<Partial<Record<NodeJS.Platform, string>>> = { darwin: 'open', win32: 'start ""' };

export function nextSteps({ recommendation, html, plumbfox, platform }: NextStepsOptions): readonly string[] {
  const { settingsAlone, gateway } = recommendation;
  const isProven = settingsAlone.state === 'recommended' && settingsAlone.profileId !== BASELINE_ID;
  // A name of the person's own for this run is none that `apply` knows.
  const applied = isProven ? (findProfile(settingsAlone.profileId ?? '')?.id ?? null) : null;
  const steps: readonly (readonly [name: string, command: string])[] = [
    ...(applied === null
      ? []
      : ([
          ['Apply', `${plumbfox} apply --profile ${applied}`],
          ['Undo', `${plumbfox} revert`],
        ] as const)),
    ...(gateway === undefined ? [] : ([['With the gateway', gatewayCommand(gateway, plumbfox)]] as const)),
    ['Open', `${OPENERS[platform] ?? 'xdg-open'} ${quoted(html)}`],
  ];
  const width = Math.max(...steps.map(([name]) => name.length));
  return ['Next:', ...steps.map(([name, command]) => `  ${name.padEnd(width)}  ${command}`)];
}

/** For a POSIX shell. */
const quoted = (path: string): string => (/^[\w./+:@%-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`);
