/** What a comparison recommends, in the lines that a table, a report and a study show: with the gateway, and by settings alone. */
import { PROTOCOL_LABELS } from '../compare/by-protocol.ts';
import type { Comparison, GatewaySettings, Recommendation } from '../compare/comparison.ts';

/** As it is installed; a report may be read on any machine. */
const NAME = 'plumbfox';

/**
 * One line, or two where what is recommended needs the gateway, or where settings alone have another answer; so for each protocol where there are several.
 * @param plumbfox - What runs Plumbfox in the shell of whoever reads it, where that is known.
 */
export function recommendationLines(
  { recommendation, protocols }: Pick<Comparison, 'recommendation' | 'protocols'>,
  plumbfox = NAME,
): readonly string[] {
  if (protocols === undefined) return linesOf(recommendation, plumbfox);
  return protocols.flatMap((own) => linesOf(own.recommendation, plumbfox).map((line) => `${PROTOCOL_LABELS[own.protocol]}: ${line}`));
}

function linesOf(recommendation: Recommendation, plumbfox: string): readonly string[] {
  const { settingsAlone } = recommendation;
  const gateway = gatewayNote({ recommendation }, plumbfox);
  const first = gateway === undefined ? recommendation.sentence : `${recommendation.sentence} ${gateway}`;
  const isSame = settingsAlone.profileId === recommendation.profileId && settingsAlone.state === recommendation.state;
  return isSame ? [first] : [first, settingsAlone.sentence];
}

/** How to use a recommended profile that the gateway carried, and what it cannot carry. `undefined`: what is recommended needs no gateway. */
export function gatewayNote({ recommendation: { gateway } }: Pick<Comparison, 'recommendation'>, plumbfox = NAME): string | undefined {
  return gateway && `To use it: ${gatewayCommand(gateway, plumbfox)}. It carries plain http only; https never goes through it.`;
}

/** Finds such a command in a sentence. */
export const GATEWAY_COMMAND = /(?<=To use it: )(.+? gateway(?: --[a-z]+ \d+)+)/;

/** The command that carries a depth in everyday browsing. */
export function gatewayCommand({ connections, depth }: GatewaySettings, plumbfox: string): string {
  return [`${plumbfox} gateway`, ...(connections === undefined ? [] : [`--connections ${connections}`]), `--depth ${depth}`].join(' ');
}
