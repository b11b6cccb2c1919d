/** The arguments of `plumbfox predict`, and its help. */
import type { ParseArgsConfig } from 'node:util';
import { PlumbfoxError } from '../../core/errors.ts';
import type { NamedLink } from '../../core/predict/predict-json.ts';
import type { ProfileReach } from '../../core/predict/recommend-prediction.ts';
import { FIREFOX_DEFAULT, presetNames } from '../../core/profiles/presets.ts';
import { BASELINE_ID, type Profile } from '../../core/profiles/profile.ts';
import { resolveProfiles } from '../../core/profiles/resolve-profiles.ts';
import { DEFAULT_LINKS, linkFigures } from '../../lab/link/links.ts';
import { SIMULATED_STUDIES } from '../../lab/studies/simulated-studies.ts';
import { distinctByName, nameList, nonEmpty, readArguments, wholeNumber } from '../arguments.ts';
import { givenProfiles, PROFILE_HELP } from '../given-profiles.ts';
import { PREDICT_LINKS, parsePredictLinks } from './link.ts';

/** Only connections, which any Firefox can set. */
export const DEFAULT_PREDICT_PROFILES = [BASELINE_ID, 'connections-sweep'];
/** Connections and depth, as the 2008 study combined them: added where depth can have an effect. */
export const DEFAULT_DEEP_PROFILES = ['fennec-18'];

export interface PredictArguments {
  /** Empty only where help is requested. */
  readonly file: string;
  /** `undefined`: those of the file. */
  readonly links: readonly NamedLink[] | undefined;
  /** Baseline first; `undefined`: whatever suits the pages, see `defaultProfiles`. */
  readonly profiles: readonly Profile[] | undefined;
  /** One line each on what the files of profiles have and no profile sets. */
  readonly notices: readonly string[];
  /** Pages of a report; `undefined`: all. */
  readonly pages: readonly string[] | undefined;
  readonly seed: number;
  readonly json: boolean;
  readonly verbose: boolean;
  readonly svg: string | undefined;
  /** `undefined`: the baseline and what is recommended. */
  readonly svgProfiles: readonly string[] | undefined;
  /** A study to simulate in place of a file. */
  readonly study: string | undefined;
  readonly help: boolean;
}

export const predictHelp = (): string => `plumbfox predict: simulates a page under every profile, in seconds, without measuring anything

  plumbfox predict FILE.har [options]       a page load saved by a browser's developer tools or by a test service
  plumbfox predict REPORT.json [options]    the pages of a report written by tune or exported from the extension
  plumbfox predict RECIPE.json [options]    a page recipe written by plumbfox import-har
  plumbfox predict --study NAME             a simulated study: ${SIMULATED_STUDIES.map(({ name }) => name).join(', ')};
                                            it takes only --json of the options below

  --link ...         links by name, or as figures: rtt=300,down=2000,up=384,loss=0.01 (ms, kbit/s, share of packets); also
                     loss-down, loss-up, queue (packets), jitter (ms), iw (initial window, segments),
                     cc (congestion control of the servers: reno or cubic, the default);
                     separate several with ; or repeat the option (default: those of the file, else ${DEFAULT_LINKS.join(';')})
  --profiles a,b     profiles or sets; firefox-default is always included;
                     ${PROFILE_HELP.replaceAll('\n', `\n${' '.repeat(21)}`)}
                     (default: ${DEFAULT_PREDICT_PROFILES.join(',')}, and ${DEFAULT_DEEP_PROFILES.join(',')} where depth can have an effect)
  --page a,b         only these pages of a report, or of a HAR with several (by their ids; default: its first)
  --seed N           seed of the varied links, loss and jitter, 0 to 4294967295 (default: 0)
  --json             print one JSON document and nothing else on stdout
  --verbose          also say how far such predictions were off
  --svg OUT          also draw each request of firefox-default and of the recommended profile into an SVG file,
                     which must not exist yet
  --svg-profile a,b  draw these profiles instead

The table is sorted by load time. A gain is sure if it is at least 3 % over firefox-default, and a gain even at the low
end of its bracket. Recommended is the cheapest (fewest connections, then smallest depth) of the profiles with a sure
gain that are within 3 % of the fastest of these. Nothing is recommended where the simulation does not match the
recording, or brackets are not known to hold. FILE may be gzipped.

links:
${PREDICT_LINKS.map((link) => `  ${link.name.padEnd(18)} ${linkFigures(link)}`).join('\n')}
profiles: ${presetNames().join(', ')}, and every cN-dM

exit codes: 0 done, 1 internal error, 2 bad arguments or input, or a drawing that cannot be written,
            3 the output cannot be written
`;

const OPTIONS = {
  link: { type: 'string', multiple: true },
  profiles: { type: 'string', multiple: true },
  page: { type: 'string', multiple: true },
  seed: { type: 'string' },
  verbose: { type: 'boolean' },
  study: { type: 'string' },
  json: { type: 'boolean' },
  svg: { type: 'string' },
  'svg-profile': { type: 'string', multiple: true },
} as const satisfies ParseArgsConfig['options'];

const MAX_SEED = 0xffff_ffff;

export function parsePredictArguments(args: readonly string[]): PredictArguments {
  const { values, positionals } = parse(args);
  const help = values.help ?? false;
  const study = nonEmpty(values.study, '--study');
  const file = help ? '' : fileOf(positionals, { study: study !== undefined });
  if (study !== undefined) checkStudy(values);
  const svgProfiles = nameList(values['svg-profile'], '--svg-profile');
  if (svgProfiles !== undefined && values.svg === undefined) throw new PlumbfoxError('bad-input', '--svg-profile goes with --svg FILE');
  const names = nameList(values.profiles, '--profiles');
  const given = names && givenProfiles(names, '--profiles');
  return {
    file,
    links: values.link && distinctByName(values.link.flatMap(parsePredictLinks)),
    profiles: given && withBaseline(given.profiles),
    notices: given?.notices ?? [],
    pages: nameList(values.page, '--page'),
    seed: wholeNumber(values.seed, { option: '--seed', min: 0, max: MAX_SEED }) ?? 0,
    json: values.json ?? false,
    verbose: values.verbose ?? false,
    svg: nonEmpty(values.svg, '--svg'),
    svgProfiles,
    study,
    help,
  };
}

function fileOf([file = '', ...others]: readonly string[], { study }: { readonly study: boolean }): string {
  if (study && file !== '') throw new PlumbfoxError('bad-input', `--study takes no file: leave out ${file}`);
  if (!study && (file.trim() === '' || others.length > 0))
    throw new PlumbfoxError('bad-input', 'Name one file: plumbfox predict FILE.har, REPORT.json or RECIPE.json');
  return file;
}

/** What a study has of its own cannot be given: an option that does nothing is a fault that no user sees. */
function checkStudy(values: ReturnType<typeof parse>['values']): void {
  const own = (['link', 'profiles', 'page', 'seed', 'svg', 'svg-profile'] as const).find((option) => values[option] !== undefined);
  if (own === undefined) return;
  throw new PlumbfoxError('bad-input', `--study has pages, links and profiles of its own and draws nothing: leave out --${own}`);
}

/** Depth profiles are omitted where depth has no effect: they would fill the table with equal figures. */
export function defaultProfiles({ byDepth }: ProfileReach): readonly Profile[] {
  return withBaseline(resolveProfiles([...DEFAULT_PREDICT_PROFILES, ...(byDepth > 0 ? DEFAULT_DEEP_PROFILES : [])]));
}

function withBaseline(profiles: readonly Profile[]): readonly Profile[] {
  return [FIREFOX_DEFAULT, ...profiles.filter(({ id }) => id !== BASELINE_ID)];
}

const parse = (args: readonly string[]) => readArguments('predict', args, OPTIONS);
