/** The text of `plumbfox predict --help`. */
import { presetNames } from '../../core/profiles/presets.ts';
import { DEFAULT_LINKS, linkFigures } from '../../lab/link/links.ts';
import { SIMULATED_STUDIES } from '../../lab/studies/studies.ts';
import { DEFAULT_DEEP_PROFILES, DEFAULT_PREDICT_PROFILES } from './arguments.ts';
import { PREDICT_LINKS } from './link.ts';

export const predictHelp =
  (): string => `plumbfox predict: says by simulation what every profile would make of a page, in seconds; it measures nothing

  plumbfox predict FILE.har [options]       a page load that a browser's developer tools or a test service saved
  plumbfox predict REPORT.json [options]    the pages of a report of tune, or of one that the popup exported
  plumbfox predict RECIPE.json [options]    a page recipe, as plumbfox import-har writes one
  plumbfox predict --study NAME             a study by simulation: ${SIMULATED_STUDIES.map(({ name }) => name).join(', ')};
                                            of the options below it takes --json only

  --link ...         links by name, or as figures: rtt=300,down=2000,up=384,loss=0.01 (ms, kbit/s, share of packets); also
                     loss-down, loss-up, queue (packets), jitter (ms), iw (initial window, segments),
                     cc (what the servers send with: reno or cubic, the default);
                     several: separate them with ; or give the option again (default: those of the file, else ${DEFAULT_LINKS.join(';')})
  --profiles a,b     profiles or sets; firefox-default is always among them
                     (default: ${DEFAULT_PREDICT_PROFILES.join(',')}, and ${DEFAULT_DEEP_PROFILES.join(',')} where depth can have an effect)
  --page a,b         only these pages of a report, or of a HAR with several (by their ids; default: its first)
  --seed N           seed of shaken links, loss and jitter, 0 to 4294967295 (default: 0)
  --json             stdout is one JSON document and nothing else
  --svg OUT          also draws each request of firefox-default and of what is recommended, as one SVG file
                     that must not exist
  --svg-profile a,b  draws these profiles in place of them

The table is in the order of load time. A gain is sure if it is at least 3 % over firefox-default, no less
than what nine of ten predicted gains of its kind are off by, and a gain even at the low end of its bracket. Recommended
is the cheapest (fewest connections, then smallest depth) of the profiles with a sure gain that are within 3 % of the
fastest of these; nothing, where the simulation does not come out as the file recorded. FILE may be gzipped.

links:
${PREDICT_LINKS.map((link) => `  ${link.name.padEnd(18)} ${linkFigures(link)}`).join('\n')}
profiles: ${presetNames().join(', ')}, and every cN-dM

exit codes: 0 done, 1 internal error, 2 bad arguments or input, or a drawing that cannot be written,
            3 the output cannot be written
`;
