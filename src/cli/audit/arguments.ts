/** The arguments of `plumbfox audit`, and its help. */
import type { ParseArgsConfig } from 'node:util';
import { PlumbfoxError } from '../../core/errors.ts';
import type { NamedLink } from '../../core/predict/predict-json.ts';
import { nameList, nonEmpty, readArguments } from '../arguments.ts';
import { parsePredictLinks } from '../predict/link.ts';
import { protocolServer } from '../tune/search/arguments.ts';
import type { MeasureOptions } from './measure.ts';

/** Links of the prediction unless others are known: a cable, and a far one. */
export const TYPICAL_LINKS: readonly string[] = ['cable-50m', 'far-2m'];

export interface AuditArguments {
  /** The list; `undefined`: that of a Firefox profile. */
  readonly file: string | undefined;
  readonly firefoxProfile: string | undefined;
  /** A report or a HAR with the person's own pages. */
  readonly pagesFrom: string | undefined;
  readonly links: readonly NamedLink[] | undefined;
  /** Without starting a Firefox. */
  readonly catalogue: boolean;
  readonly json: boolean;
  readonly html: string | undefined;
  readonly markdown: boolean;
  /** Absent: nothing is written into the list. */
  readonly fix: 'copy' | 'in-place' | undefined;
  /** Absent: nothing is measured. */
  readonly measure: MeasureOptions | undefined;
  readonly help: boolean;
}

export const auditHelp = (): string => `plumbfox audit: says of each line of a tweak list what it does in this Firefox

  plumbfox audit FILE [options]                  FILE is a user.js, prefs.js or policies.json, a file of default
                                                 values, an AutoConfig file (.cfg), or policies as .plist or .reg
  plumbfox audit --firefox-profile DIR           the user.js and prefs.js of a Firefox profile (about:profiles shows its folder)

  --report FILE      predict for your own pages: a report of tune, or one exported from the popup
  --har FILE         predict for a page load saved by a browser (default: typical pages of the lab, by each version of HTTP)
  --link ...         links of the prediction, by name or as figures, as for predict (default: those of the file, else ${TYPICAL_LINKS.join(';')})
  --catalogue        start no Firefox: judge by the catalogue alone
  --measure          measure the list against Firefox's own settings in the lab, as tune does; up to 19 minutes
  --each-line        measure which of its lines carry it: at most 24 sets of settings, up to 19 minutes
  --pages a,b        pages of the lab to measure (default: news,shop)
  --links ...        links to measure over, as for tune (default: dsl-10m;rtt=100,down=10000,up=2000)
  --protocol NAME    protocol of the measured pages, as for tune (default: HTTP/1.1); lines that act only on another are not timed
  --seed N, --out DIR, --yes
                     as for tune
  --fix              write FILE.fixed, in which lines of catalogued preferences that are dead, Firefox's own value or slower are
                     commented out, each with the reason; what guards or costs privacy or security is never changed
  --in-place         with --fix: write FILE itself, and keep what it was as FILE.before-audit
  --json             print one JSON document and nothing else on stdout
  --html FILE        also write the audit as one HTML file, which must not exist yet
  --markdown         print Markdown, to paste into a thread

exit codes: 0 done, whatever was found, 1 internal error, 2 bad arguments or input, 3 something is missing on this machine,
            4 a measurement failed its checks, 130 interrupted
`;

const OPTIONS = {
  'firefox-profile': { type: 'string' },
  report: { type: 'string' },
  har: { type: 'string' },
  link: { type: 'string', multiple: true },
  catalogue: { type: 'boolean' },
  json: { type: 'boolean' },
  html: { type: 'string' },
  markdown: { type: 'boolean' },
  fix: { type: 'boolean' },
  'in-place': { type: 'boolean' },
  measure: { type: 'boolean' },
  'each-line': { type: 'boolean' },
  pages: { type: 'string', multiple: true },
  links: { type: 'string', multiple: true },
  protocol: { type: 'string' },
  seed: { type: 'string' },
  out: { type: 'string' },
  yes: { type: 'boolean' },
} as const satisfies ParseArgsConfig['options'];

/** @throws PlumbfoxError `bad-input`, one line. */
export function parseAuditArguments(args: readonly string[]): AuditArguments {
  const { values, positionals } = parse(args);
  const help = values.help ?? false;
  const firefoxProfile = nonEmpty(values['firefox-profile'], '--firefox-profile');
  const [file, ...others] = positionals;
  if (!help) {
    if ((file === undefined) === (firefoxProfile === undefined) || others.length > 0 || file?.trim() === '')
      throw new PlumbfoxError('bad-input', 'Name one list: plumbfox audit FILE, or --firefox-profile DIR');
    if (values.json && values.markdown) throw new PlumbfoxError('bad-input', '--json and --markdown print two documents: choose one');
    if (values.report !== undefined && values.har !== undefined)
      throw new PlumbfoxError('bad-input', '--report and --har both name your pages: choose one');
  }
  return {
    file,
    firefoxProfile,
    pagesFrom: nonEmpty(values.report, '--report') ?? nonEmpty(values.har, '--har'),
    links: values.link?.flatMap(parsePredictLinks),
    catalogue: values.catalogue ?? false,
    json: values.json ?? false,
    html: nonEmpty(values.html, '--html'),
    markdown: values.markdown ?? false,
    fix: fixOption(values, firefoxProfile),
    measure: measureOptions(values),
    help,
  };
}

function fixOption(values: ReturnType<typeof parse>['values'], firefoxProfile: string | undefined): AuditArguments['fix'] {
  if (values['in-place'] && !values.fix) throw new PlumbfoxError('bad-input', '--in-place goes with --fix');
  if (values.fix && firefoxProfile !== undefined)
    throw new PlumbfoxError('bad-input', '--fix takes one file: name the user.js of the profile in place of --firefox-profile');
  return values.fix ? (values['in-place'] ? 'in-place' : 'copy') : undefined;
}

const MEASURING = ['pages', 'links', 'protocol', 'seed', 'out', 'yes'] as const;

function measureOptions(values: ReturnType<typeof parse>['values']): MeasureOptions | undefined {
  const eachLine = values['each-line'] ?? false;
  if (eachLine || values.measure) {
    if (values.catalogue)
      throw new PlumbfoxError('bad-input', '--catalogue starts no Firefox, and measuring needs one: leave one of them out');
    const { pages, links, protocol, seed, out, yes = false } = values;
    protocolServer(protocol, { real: false });
    return { eachLine, pages: nameList(pages, '--pages'), links, protocol, seed, out, yes };
  }
  const idle = MEASURING.find((option) => values[option] !== undefined);
  if (idle !== undefined) throw new PlumbfoxError('bad-input', `--${idle} goes with --measure or --each-line`);
  return undefined;
}

const parse = (args: readonly string[]) => readArguments('audit', args, OPTIONS);
