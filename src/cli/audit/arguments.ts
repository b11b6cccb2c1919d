/** The arguments of `plumbfox audit`, and its help. */
import type { ParseArgsConfig } from 'node:util';
import { PlumbfoxError } from '../../core/errors.ts';
import type { NamedLink } from '../../core/predict/predict-json.ts';
import { DEFAULT_LINKS } from '../../lab/link/links.ts';
import { nonEmpty, readArguments } from '../arguments.ts';
import { parsePredictLinks } from '../predict/link.ts';

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
  readonly help: boolean;
}

export const auditHelp = (): string => `plumbfox audit: says of each line of a tweak list what it does in this Firefox

  plumbfox audit FILE [options]                  FILE is a user.js, a prefs.js or a policies.json
  plumbfox audit --firefox-profile DIR           the user.js and prefs.js of a Firefox profile (about:profiles shows its folder)

  --report FILE      predict for your own pages: a report of tune, or one exported from the popup
  --har FILE         predict for a page load saved by a browser (default: three typical pages of the lab)
  --link ...         links of the prediction, by name or as figures, as for predict (default: those of the file, else ${DEFAULT_LINKS.join(';')})
  --catalogue        start no Firefox: judge by the catalogue alone
  --json             print one JSON document and nothing else on stdout
  --html FILE        also write the audit as one HTML file, which must not exist yet
  --markdown         print Markdown, to paste into a thread

exit codes: 0 done, whatever was found, 1 internal error, 2 bad arguments or input, 3 the Firefox does not start
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
} as const satisfies ParseArgsConfig['options'];

/** @throws PlumbfoxError `bad-input`, one line. */
export function parseAuditArguments(args: readonly string[]): AuditArguments {
  const { values, positionals } = readArguments('audit', args, OPTIONS);
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
    help,
  };
}
