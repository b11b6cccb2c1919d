/** What the study of modern defaults finds. Pure. */
import type { ProfileComparison } from '../../../core/compare/comparison.ts';
import { BETTERFOX } from '../../../core/profiles/presets.ts';
import { type ComparisonWithOriginal, countText, type StudyFindings } from '../findings.ts';
import type { StudyData } from '../study.ts';
import { answerOf } from './answer.ts';
import { intervalsTogether, PROTOCOL_NAMES, type ProtocolFindings, protocolFindings } from './scenarios.ts';
import { changeMaps, changeWithInterval, linkTable, othersOf, overallTable } from './tables.ts';

export function modernDefaultsFindings(data: StudyData): StudyFindings {
  const protocols = protocolFindings(data);
  return {
    tables: protocols.length === 0 ? [] : [overallTable(protocols), linkTable(protocols)],
    answer: answerOf(protocols, recipesLoaded(data)),
    comparisonWithOriginal: protocols.length === 0 ? [] : [comparedWithBetterfox(protocols)],
    pictures: changeMaps(protocols),
    figures: {
      intervalsTogether: intervalsTogether(protocols),
      protocols: protocols.map(({ servedBy, http1Share, overall, links }) => ({
        ...{ servedBy, http1Share, overall: overall.profiles.map(verdictFigures) },
        links: links.map(({ link, comparison }) => ({
          link: link.name,
          alpha: comparison.method.alpha,
          profiles: comparison.profiles.map(verdictFigures),
        })),
      })),
    },
  };
}

/** A page counts once, by however many protocols it is served. */
function recipesLoaded({ pages, loads }: StudyData): number {
  const loaded = new Set(loads.map(({ page }) => page));
  return new Set(pages.filter(({ name }) => loaded.has(name)).map(({ recipe }) => recipe.name)).size;
}

const verdictFigures = ({ id, loads, loadTimeMs, versusBaseline: { ratio, low, high, pairs, verdict } }: ProfileComparison) => ({
  ...{ profileId: id, loads, loadTimeMs: loadTimeMs.median, ratio, low, high, pairs, verdict },
});

function comparedWithBetterfox(protocols: readonly ProtocolFindings[]): ComparisonWithOriginal {
  const parts = protocols.flatMap(({ servedBy, overall }) =>
    othersOf(overall)
      .filter(({ id }) => id === BETTERFOX.id)
      .map((profile) => `${PROTOCOL_NAMES[servedBy]} ${changeWithInterval(profile)}`),
  );
  return {
    what: "Betterfox's network preferences against what Firefox ships: efficiency over all links",
    original: 'faster browsing; no figure is given',
    ours:
      parts.length === 0
        ? 'not measured'
        : `${parts.join(', ')} (95 % intervals, all ${countText(intervalsTogether(protocols))} of this study together)`,
    why: 'cold loads of generated pages: what it changes for later visits (caches, speculation) is not in these figures',
  };
}
