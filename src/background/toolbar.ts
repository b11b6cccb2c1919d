/** The toolbar button: on its badge a figure of the page in front, and as its icon whether something is under way or needs the person. */
import { browser } from '../adapters/browser.ts';
import { startFailures } from '../adapters/failure-notes.ts';
import { readLinkNames } from '../adapters/field-storage.ts';
import { readSettings } from '../adapters/settings.ts';
import { asLink, linksOfLoads } from '../core/field/field-links.ts';
import { summaryEfficiency } from '../core/field/load-summary.ts';
import { badgeShare, badgeTime } from '../core/text/number-format.ts';
import type { MarkedPageLoad } from '../core/trial/trial-mark.ts';
import type { RecordingState } from '../protocol/page-state.ts';
import type { TrialRecord } from '../protocol/trial-record.ts';
import type { PageState } from './page-state.ts';
import type { RecordStores } from './record-stores.ts';

/** `attention`: nothing is recorded, or something failed. The shapes of the icons differ, not only their colours. */
export type ToolbarIcon = 'recording' | 'paused' | 'trial' | 'attention';

interface IconInput {
  readonly recording: RecordingState;
  readonly trial: (Pick<TrialRecord, 'pausedBecause'> & { readonly progress: Pick<TrialRecord['progress'], 'status'> }) | undefined;
  readonly hasFailed: boolean;
}

/** Pure. A trial that paused by itself needs the person; one that they paused does not. */
export function toolbarIcon({ recording, trial, hasFailed }: IconInput): ToolbarIcon {
  if (recording.state !== 'recording' || hasFailed) return 'attention';
  if (trial === undefined || trial.progress.status === 'ended') return 'recording';
  if (trial.progress.status !== 'paused') return 'trial';
  return trial.pausedBecause === undefined ? 'paused' : 'attention';
}

const ICONS: Readonly<Record<ToolbarIcon, string>> = {
  recording: 'assets/icon.svg',
  paused: 'assets/icon-paused.svg',
  trial: 'assets/icon-trial.svg',
  attention: 'assets/icon-attention.svg',
};

/** Unlike the icon under it, which is dark; white on it has a contrast of 6.6 to 1. */
const BADGE_COLOUR = '#0b57c4';
const BADGE_TEXT_COLOUR = '#ffffff';

interface ToolbarDeps {
  readonly stores: Pick<RecordStores, 'newestTrial' | 'readFigures' | 'shownLoad'>;
  readonly pageState: Pick<PageState, 'recordingState'>;
}

export type Toolbar = ReturnType<typeof createToolbar>;

export function createToolbar({ stores: { newestTrial, readFigures, shownLoad }, pageState: { recordingState } }: ToolbarDeps) {
  let shown: ToolbarIcon | undefined;

  /** Shows the state that there is now. Never rejects: what fails here shows as attention. */
  async function showIcon(): Promise<void> {
    const icon = await iconNow().catch((): ToolbarIcon => 'attention');
    if (icon === shown) return;
    shown = icon;
    await browser.action.setIcon({ path: browser.runtime.getURL(ICONS[icon]) }).catch(() => undefined);
  }

  async function iconNow(): Promise<ToolbarIcon> {
    const [recording, trial, failures] = await Promise.all([recordingState(), newestTrial(), startFailures()]);
    return toolbarIcon({ recording, trial, hasFailed: failures.length > 0 });
  }

  /**
   * Shows a figure of a load that has just been stored, unless its tab shows another page by now. Firefox removes it when the tab goes elsewhere.
   * Never rejects: the tab may be gone.
   */
  async function showLoad(load: MarkedPageLoad, tabId: number): Promise<void> {
    try {
      const { url } = await browser.tabs.get(tabId);
      const present = url === undefined ? undefined : await shownLoad({ id: tabId, url });
      if (present?.id !== load.id) return;
      const text = await badgeOf(load);
      await browser.action.setBadgeBackgroundColor({ color: BADGE_COLOUR });
      await browser.action.setBadgeTextColor({ color: BADGE_TEXT_COLOUR });
      await browser.action.setBadgeText({ tabId, text });
    } catch {
      // Nothing depends on it.
    }
  }

  /** Empty: the figure is not wanted, or not known. */
  async function badgeOf(load: MarkedPageLoad): Promise<string> {
    const { badge } = await readSettings();
    if (badge === 'off') return '';
    const locale = browser.i18n.getUILanguage();
    const [figures, names] = badge === 'efficiency' ? await Promise.all([readFigures(), readLinkNames()]) : [{ figures: [] }, []];
    const over = linksOfLoads([load], { figures: figures.figures, names });
    const summary = over.figuresOf(load);
    if (summary.standing !== 'whole' || summary.loadTimeMs === undefined) return '';
    if (badge === 'load-time') return badgeTime(summary.loadTimeMs, locale);
    const link = over.linkOf(load);
    const share = summaryEfficiency(summary, link && asLink(link));
    return share === undefined ? '' : badgeShare(share, locale);
  }

  /** After a change of the badge, which shows with the next load of each tab. Never rejects. */
  async function clearBadges(): Promise<void> {
    const tabs = await browser.tabs.query({}).catch(() => []);
    await Promise.allSettled(tabs.map(({ id }) => id !== undefined && browser.action.setBadgeText({ tabId: id, text: '' })));
  }

  return { showIcon, showLoad, clearBadges };
}
