/** The trend of a site: its load times over days as a picture of core's, which the page draws in the person's language, and the same as a table. */
import { trendSvg } from '../core/report/trend-svg.ts';
import type { PlainId } from '../core/text/messages.ts';
import type { TrendAnswer } from '../protocol/history-messages.ts';
import { attempt, create } from '../views/page.ts';
import { linkLabel } from '../views/prediction-view.ts';
import { format, text } from '../views/text.ts';
import type { HistoryClient } from './history.ts';
import { settingsLabel, settingsName, trendView } from './sites-view.ts';

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
/** Bounds of the picture's width, px: below, it scrolls; above, dots are too far apart. */
const MIN_WIDTH = 300;
const MAX_WIDTH = 900;

/** Makes the section without anything in it. */
export function createTrend(history: HistoryClient): Trend {
  let chosen: ChosenSite | undefined;
  let picture: string | undefined;
  let drawn = '';
  let asked = 0;

  const heading = create('h3', {});
  heading.id = 'trend-heading';
  heading.tabIndex = -1;
  const status = create('p', { className: 'quiet' });
  status.setAttribute('role', 'status');
  const networks = document.createElement('select');
  networks.id = 'trend-network';
  const image = create('img', {}) as HTMLImageElement;
  image.id = 'trend-picture';
  const scroll = create('div', { className: 'scroll' }, image);
  scroll.tabIndex = 0;
  scroll.setAttribute('role', 'region');
  scroll.setAttribute('aria-labelledby', heading.id);
  const rows = create('tbody', {});
  const table = create(
    'table',
    { className: 'loads' },
    create('thead', {}, create('tr', {}, ...COLUMNS.map((id) => create('th', { scope: 'col' }, text(id))))),
    rows,
  );
  table.id = 'trend-table';
  const tableScroll = create('div', { className: 'scroll' }, table);
  tableScroll.tabIndex = 0;
  tableScroll.setAttribute('role', 'region');
  tableScroll.setAttribute('aria-label', text('trend.table'));
  const known = create('div', {}, scroll, create('details', {}, create('summary', {}, text('trend.table')), tableScroll));
  const section = create('div', {}, heading, create('label', { className: 'field' }, text('trend.network'), ' ', networks), status, known);
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
    fillNetworks(answer);
    const view = trendView(answer, { site: name, network });
    known.hidden = view === undefined;
    status.textContent = view === undefined ? text(answer.pending ? 'history.reading' : 'trend.none') : '';
    if (view === undefined) return;
    const { title, subtitle, key } = view;
    rows.replaceChildren(
      ...view.rows.map(([day = '', ...cells]) =>
        create('tr', {}, create('th', { scope: 'row' }, day), ...cells.map((cell) => create('td', {}, cell))),
      ),
    );
    const svg = trendSvg({
      title,
      subtitle,
      width: Math.round(Math.max(MIN_WIDTH, Math.min(MAX_WIDTH, scroll.clientWidth || MAX_WIDTH))),
      days: answer.days,
      labels: {
        time: format.duration,
        day: format.day,
        settings: (profiles) => settingsLabel(profiles.map(settingsName)),
        trial: text('trend.trial'),
        key,
      },
    });
    // A picture that is set anew flickers.
    if (svg === drawn) return;
    drawn = svg;
    if (picture !== undefined) URL.revokeObjectURL(picture);
    picture = URL.createObjectURL(new Blob([svg], { type: 'image/svg+xml' }));
    image.src = picture;
    image.alt = `${title}. ${subtitle}. ${key}`;
  }

  /** What was chosen stays chosen as long as the site has loads over it. */
  function fillNetworks({ networks: found }: TrendAnswer): void {
    const options = found.map(({ link, loads }) => ({
      value: String(link.id),
      label: text('history.option', { label: linkLabel(link), loads: text('count.loads', { count: loads }) }),
    }));
    const { value } = networks;
    networks.replaceChildren(new Option(text('trend.networks'), ''), ...options.map(({ value: own, label }) => new Option(label, own)));
    networks.value = options.some((option) => option.value === value) ? value : '';
  }

  networks.addEventListener('change', () => attempt('failed.draw', draw));
  return {
    section,
    show: async (site) => {
      chosen = site;
      networks.replaceChildren();
      heading.textContent = site.name;
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
