/** The text of `plumbfox tune --help`. */
import { presetNames } from '../../core/profiles/presets.ts';
import { DEFAULT_LINKS, LINK_FIGURES_HELP, linkFigures, NAMED_LINKS } from '../../lab/link/links.ts';
import { DEFAULT_PAGES, PAGES } from '../../lab/pages/pages.ts';
import { DEFAULT_BLOCKS, DEFAULT_PROFILES, DEFAULT_TIMEOUT_S, MAX_BLOCKS, MAX_TIMEOUT_S } from './arguments.ts';

export const tuneHelp = (): string => `plumbfox tune: measures candidate profiles in a real Firefox and recommends one

  plumbfox tune [options]            npm run tune -- [options]

  --pages a,b.json   pages of the lab, and recipes that import-har made of recorded loads (default: ${DEFAULT_PAGES.join(',')})
  --links ...        links by name, or as figures; several: separate them with ; or give the option again
                     (default: ${DEFAULT_LINKS.join(';')})
                     ${LINK_FIGURES_HELP.replaceAll('\n', `\n${' '.repeat(21)}`)}
  --profiles a,b     profiles or sets (default: ${DEFAULT_PROFILES.join(',')});
                     cN-dM is N connections per server (1 to 255) with depth M (1 to 64); again=c4-d6 enters a profile under a second name
  --blocks N         times every profile takes its turn on every page and link, 1 to ${MAX_BLOCKS} (default: ${DEFAULT_BLOCKS})
  --seed N           seed of the order, of losses, jitter and traces, 0 to 4294967295 (default: random; printed at the start)
  --out DIR          where the files go (default: a new folder in plumbfox-results/)
  --timeout S        seconds that Firefox may take to start, and a load to be over, 1 to ${MAX_TIMEOUT_S} (default: ${DEFAULT_TIMEOUT_S});
                     of a load the first 60 are recorded
  --json             stdout is one JSON document and nothing else; progress goes to stderr
  --real-network --urls FILE
                     measures the addresses of FILE (one per line) on the real network, with no emulation
  --relay            emulates with the relay (no packet effects) even where namespaces could be made
  --yes              installs with apt-get what is missing, and does not ask
  --no-install       installs nothing; says what is missing

pages:
${PAGES.map(({ name, title }) => `  ${name.padEnd(18)} ${title}`).join('\n')}
links:
${NAMED_LINKS.map((link) => `  ${link.name.padEnd(18)} ${linkFigures(link)}`).join('\n')}
profiles: ${presetNames().join(', ')}, and every cN-dM

exit codes: 0 done, 1 internal error, 2 bad arguments or input, 3 the environment lacks something,
            4 the run is void (checks failed), 130 interrupted
`;
