/** The text of `plumbfox lab --help`. */
import { PAGES } from '../../lab/pages/pages.ts';
import { STUDIES } from '../../lab/studies/all-studies.ts';

export const labHelp = (): string => `plumbfox lab: studies in many real Firefoxes over emulated links

  plumbfox lab list [--json]         the studies and their questions
  plumbfox lab run STUDY [options]   measures a study, and answers its question
  plumbfox lab show DIR [--json] [--write]
                                     the findings of a run again, also of one that is not finished; --write: into its files too
  plumbfox lab check [--links a,b] [--json]
                                     measures every emulated link against what is asked of it

  --lanes N          Firefoxes side by side, at most, 1 to 32 (default: 5 for each processor, with --resume no more than were found not to
                     disturb each other); fewer where they disturb each other, or little is left to do
  --resume           goes on where the run in DIR ended, however it ended; without --out: the newest run of the study; with all that
                     it was begun with, and nothing else
  --only page=a,link=b,profile=c
                     part of the study; a name without = belongs to the one before; the baseline stays
  --pages a,b.json   these pages in place of the study's own: of the lab (${PAGES.map(({ name }) => name).join(', ')}),
                     and recipes that import-har made of recorded loads
  --cut              the small part of the study that is its own test: half a minute to two minutes on two processors
  --repeats N        times every profile takes its turn on every page and link, 1 to 1000 (default: as the study says)
  --timeout S        seconds that a load may take, 1 to 600 (default: as the study says)
  --seed N           seed of the order, of losses, jitter and traces, 0 to 4294967295 (default: random; printed at the start)
  --out DIR          where the files go (default: a new folder in plumbfox-results/)
  --capture          makes one load more of each cell, which counts in no timing, records its packets with tcpdump, and draws them
  --json             stdout is one JSON document and nothing else; progress goes to stderr
  --yes              installs with apt-get what is missing, and does not ask
  --no-install       installs nothing; says what is missing

studies: ${STUDIES.map(({ id }) => id).join(', ')}

exit codes: 0 done, 1 internal error, 2 bad arguments or input, 3 the environment lacks something,
            4 the run is void or has loads missing, 130 interrupted
`;
