/** The trend of a site: its load times over days as a picture of core's, which the page draws in the person's language, and the same as a table. */
import { trendSvg } from '../core/report/trend-svg.ts';
import type { PlainId } from '../core/text/messages.ts';
import type { TrendAnswer } from '../protocol/history-messages.ts';
import { attempt, create } from '../views/page.ts';
import { linkLabel } from '../views/prediction-view.ts';
import { settingsText } from '../views/profile-text.ts';
import { format, text } from '../views/text.ts';
import { createDrawn, type DrawnView, onRedrawOrResize, pictureWidth } from './drawn.ts';
import type { HistoryClient } from './history.ts';
import { settingsLabel, type TrendView, trendSentence, trendView } from './sites-view.ts';
import { countedChoice, fillFilter } from './tables.ts';

interface ChosenSite {
  readonly site: number;
  readonly name: string;
}

export interface Trend {
  /** Hidden until a site is chosen. */
  readonly section: HTMLElement;
  /** Draws the site; the focus moves to its heading. */
  readonly show: (site: ChosenSite) => Promise<void>;
  readonly hide: () => void;
  readonly refresh: () => Promise<void>;
}

const COLUMNS: readonly PlainId[] = ['trend.day', 'sites.loads', 'sites.loadTime', 'trend.interval', 'trend.settings'];
const MAX_WIDTH = 900;

/** Makes the section without anything in it. */
export function createTrend(history: HistoryClient): Trend {
  let chosen: ChosenSite | undefined;
  let asked = 0;
  let shown: { readonly answer: TrendAnswer; readonly site: string; readonly network: number | undefined } | undefined;

  const heading = create('h3', {});
  heading.id = 'trend-heading';
  heading.tabIndex = -1;
  const status = create('p', { className: 'quiet' });
  status.setAttribute('role', 'status');
  const networks = document.createElement('select');
  networks.id = 'trend-network';
  const drawn = createDrawn('trend', 'below');
  const choice = create('label', { className: 'field' }, text('trend.network'), ' ', networks);
  const section = create('div', {}, heading, choice, status, drawn.element);
  section.id = 'trend';
  section.hidden = true;

  async function draw(): Promise<void> {
    const own = chosen;
    if (own === undefined) return;
    asked += 1;
    const number = asked;
    const network = networks.value === '' ? undefined : Number(networks.value);
    const answer = await history.ask({ kind: 'trend', site: own.site, isNew: false, ...(network !== undefined && { network }) });
    // Another site, or another network, may have been chosen since.
    if (number === asked) render(own, answer, network);
  }

  function render({ name }: ChosenSite, answer: TrendAnswer, network: number | undefined): void {
    fillFilter(
      networks,
      answer.networks.map(({ link, loads }) => countedChoice(link.id, linkLabel(link), loads)),
    );
    shown = { answer, site: name, network };
    drawShown();
  }

  function drawShown(): void {
    const sentence = shown === undefined ? '' : trendSentence(shown.answer, { isReading: history.isReading() });
    if (status.textContent !== sentence) status.textContent = sentence;
    const view = shown && trendView(shown.answer, shown);
    drawn.show(view && shown && drawnView(view, shown.answer));
  }

  function drawnView({ title, subtitle, key, rows }: TrendView, { days }: TrendAnswer): DrawnView {
    const svg = trendSvg({
      title,
      subtitle,
      width: pictureWidth(section, MAX_WIDTH),
      days,
      labels: {
        time: format.duration,
        day: format.day,
        settings: (profiles) => settingsLabel(profiles.map(settingsText)),
        trial: text('trend.trial'),
        key,
      },
    });
    const table = { caption: `${title}. ${subtitle}`, headings: COLUMNS.map((id) => text(id)), rows };
    return { svg, alt: `${title}. ${subtitle}. ${key}`, table };
  }

  onRedrawOrResize(drawShown);
  networks.addEventListener('change', () => attempt('failed.draw', draw));
  return {
    section,
    show: async (site) => {
      chosen = site;
      networks.replaceChildren(new Option(text('trend.networks'), ''));
      heading.textContent = site.name;
      // Whatever becomes of the request, the picture of the former site does not stand under this heading.
      shown = undefined;
      drawShown();
      section.hidden = false;
      heading.focus();
      await attempt('failed.draw', draw);
    },
    hide: () => {
      chosen = undefined;
      section.hidden = true;
    },
    refresh: draw,
  };
}
