/** What a comparison recommends, in the lines that a table, a report and a study show: with the gateway, and by settings alone. */
import { PROTOCOL_LABELS } from '../compare/by-protocol.ts';
import type { Comparison, GatewaySettings, Recommendation } from '../compare/comparison.ts';

/** One line, or two where what is recommended needs the gateway, or where settings alone have another answer; so for each protocol where there are several. */
export function recommendationLines({ recommendation, protocols }: Pick<Comparison, 'recommendation' | 'protocols'>): readonly string[] {
  if (protocols === undefined) return linesOf(recommendation);
  return protocols.flatMap((own) => linesOf(own.recommendation).map((line) => `${PROTOCOL_LABELS[own.protocol]}: ${line}`));
}

function linesOf(recommendation: Recommendation): readonly string[] {
  const { settingsAlone } = recommendation;
  const gateway = gatewayNote({ recommendation });
  const first = gateway === undefined ? recommendation.sentence : `${recommendation.sentence} ${gateway}`;
  const isSame = settingsAlone.profileId === recommendation.profileId && settingsAlone.state === recommendation.state;
  return isSame ? [first] : [first, settingsAlone.sentence];
}

/** How to use a recommended profile that the gateway carried, and what it cannot carry. `undefined`: what is recommended needs no gateway. */
export function gatewayNote({ recommendation: { gateway } }: Pick<Comparison, 'recommendation'>): string | undefined {
  return gateway && `To use it: ${gatewayCommand(gateway)}. It carries plain http only; https never goes through it.`;
}

/** The command that carries a depth in everyday browsing. */
export function gatewayCommand({ connections, depth }: GatewaySettings): string {
  return ['npx plumbfox gateway', ...(connections === undefined ? [] : [`--connections ${connections}`]), `--depth ${depth}`].join(' ');
}
