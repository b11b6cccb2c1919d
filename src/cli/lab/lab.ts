/** `plumbfox lab`: studies in many Firefoxes. */

import { PlumbfoxError } from '../../core/errors.ts';
import { ensureEmulator } from '../../lab/ensure-programs.ts';
import { type PacketLane, packetLane } from '../../lab/lane/packet-lane.ts';
import { type CheckedLink, checkLinks } from '../../lab/link/check-links.ts';
import type { LinkSpec } from '../../lab/link/link-spec.ts';
import { linkFigures } from '../../lab/link/links.ts';
import { findPrivilege } from '../../lab/link/privilege.ts';
import { STUDIES } from '../../lab/studies/all-studies.ts';
import { EXIT_CODES } from '../errors.ts';
import { type Interruption, watchInterrupts } from '../interruption.ts';
import { type InstallAnswer, mayInstall } from '../may-install.ts';
import { type ProgressBar, progressBar } from '../output/terminal.ts';
import { parseLabArguments } from './arguments.ts';
import { labHelp } from './help.ts';
import { listedStudies, listText } from './list.ts';
import { labRun } from './run.ts';
import { labShow } from './show.ts';

export async function lab(args: readonly string[]): Promise<number> {
  const options = parseLabArguments(args);
  switch (options.command) {
    case 'help':
      process.stdout.write(labHelp());
      return EXIT_CODES.done;
    case 'list': {
      const studies = listedStudies();
      process.stdout.write(options.json ? `${JSON.stringify(studies, null, 2)}\n` : listText(studies));
      return EXIT_CODES.done;
    }
    case 'show':
      return labShow(options);
    case 'check':
      return labCheck(options);
    case 'run':
      return labRun(options);
  }
}

/** `plumbfox lab check`: every emulated link measured against what is asked of it. */
async function labCheck({
  json,
  links,
  install,
}: {
  json: boolean;
  links: readonly LinkSpec[] | undefined;
  install: InstallAnswer;
}): Promise<number> {
  const asked = links ?? everyLink();
  const bar = progressBar(process.stderr, () => performance.now(), { plain: process.env.TERM === 'dumb' });
  const interruption = watchInterrupts(() => performance.now());
  try {
    const lane = await opened({ install, bar, interruption }).catch((error: unknown) => {
      // What breaks while the command stops, breaks because of that.
      interruption.check('Interrupted before the first link was checked');
      throw error;
    });
    interruption.onInterrupt(() => lane.close());
    const rows = await check({ lane, asked, bar, interrupted: interruption.interrupted }).finally(() => lane.close());
    bar.clear();
    process.stdout.write(json ? `${JSON.stringify({ links: rows.map(rowJson) }, null, 2)}\n` : rows.map(rowText).join(''));
    interruption.check(`Interrupted after ${rows.length} of ${asked.length} links`);
    const wrong = rows.filter(({ ok }) => !ok);
    if (wrong.length > 0)
      throw new PlumbfoxError('run-void', `${wrong.length} of ${rows.length} links are not what was asked: ${wrong[0]?.reason}`);
    return EXIT_CODES.done;
  } finally {
    bar.clear();
    interruption.close();
  }
}

/** @throws PlumbfoxError `environment` naming what this machine lacks. */
async function opened({
  install,
  bar,
  interruption,
}: {
  readonly install: InstallAnswer;
  readonly bar: ProgressBar;
  readonly interruption: Interruption;
}): Promise<PacketLane> {
  const asking = new AbortController();
  interruption.onInterrupt(async () => asking.abort());
  const may = mayInstall(install, { args: process.argv.slice(2), before: () => bar.clear(), signal: asking.signal });
  await ensureEmulator({ install: may, onInstall: (packages) => bar.say(`Installing ${packages.join(', ')} ...`) });
  const privilege = await findPrivilege();
  if (privilege.kind === 'none')
    throw new PlumbfoxError(
      'environment',
      `Links are emulated in network namespaces, and there are none: ${privilege.reason}. ${privilege.whatToDo}`,
    );
  return packetLane({ prefix: privilege.prefix });
}

/** Of all studies, once each. */
function everyLink(): readonly LinkSpec[] {
  const all = STUDIES.flatMap(({ links }) => links);
  return all.filter((link, index) => all.findIndex(({ name }) => name === link.name) === index);
}

interface Checking {
  readonly lane: Parameters<typeof checkLinks>[0]['lane'];
  readonly asked: readonly LinkSpec[];
  readonly bar: ProgressBar;
  readonly interrupted: () => boolean;
}

async function check({ lane, asked, bar, interrupted }: Checking): Promise<readonly CheckedLink[]> {
  const rows: CheckedLink[] = [];
  const onChecked = (row: CheckedLink) => {
    rows.push(row);
    bar.show({ done: rows.length, total: asked.length, label: row.name });
  };
  try {
    await checkLinks({ lane, links: asked, onChecked, interrupted });
  } catch (error) {
    // What breaks while the command stops, breaks because of that; what was checked before stands.
    if (!interrupted()) throw error;
  }
  return rows;
}

function rowJson({ name, asked: { rttMs, downKbps, upKbps, ...more }, measured, ok, reason, how, attempts }: CheckedLink): object {
  return { name, asked: { rttMs, downKbps, upKbps, ...more }, measured, ok, reason: reason ?? null, how, attempts };
}

function rowText({ name, asked, measured: { rttMs, downKbps, upKbps }, ok, reason }: CheckedLink): string {
  const up = upKbps === undefined ? '' : `, ${upKbps.toFixed(0)} up`;
  return `${ok ? 'ok  ' : 'OFF '} ${name}: ${linkFigures({ name, ...asked })}\n     measured RTT ${rttMs.toFixed(1)} ms, ${downKbps.toFixed(0)} kbit/s down${up}${reason === undefined ? '' : `; ${reason}`}\n`;
}
