/** The one place where messages come in: they are parsed, their sender is checked, the table handles them, and errors are returned as data. */
import * as v from 'valibot';
import { browser } from '../adapters/browser.ts';
import { noteFailure } from '../adapters/failure-notes.ts';
import { writeLastFieldAnswer, writeLastFieldPrediction } from '../adapters/field-storage.ts';
import { dropOwnProfile, keepOwnProfile } from '../adapters/own-profiles.ts';
import { hasHostPermission } from '../adapters/permissions.ts';
import { readRunState, writeRunState } from '../adapters/run-state.ts';
import { PlumbfoxError, PreferenceRefused } from '../core/errors.ts';
import { findProfile } from '../core/profiles/presets.ts';
import { checkPriceAccepted } from '../core/profiles/profile-price.ts';
import { type Reply, type Request, type RequestKind, type Responses, requestSchema } from '../protocol/messages.ts';
import { parseAppliedProfile } from '../protocol/stored-records.ts';
import type { FieldReport } from './field-report.ts';
import type { Gateway } from './gateway.ts';
import type { Helper } from './helper.ts';
import { forgetLeftPages, type LeftPages } from './left-pages.ts';
import type { LiveApply } from './live-apply.ts';
import type { ManualProfile } from './manual-profile.ts';
import type { NeverRecorded } from './never-recorded.ts';
import type { PageState } from './page-state.ts';
import type { ProfileSwitch } from './profile-switch.ts';
import type { RecordStores } from './record-stores.ts';
import type { Recorder } from './recorder.ts';
import type { Toolbar } from './toolbar.ts';
import type { TrialControl } from './trial-control.ts';
import { switchedByPerson } from './trial-gateway.ts';
import type { TrialRunner } from './trial-runner.ts';
import type { TrialStatus } from './trial-status.ts';
import type { TryoutRunner } from './tryout.ts';

/** Where a message comes from. A private window's content script is asked not to record, and what it sends is not stored. */
type Sender =
  | { readonly from: 'own-page' }
  | { readonly from: 'content'; readonly tabId: number; readonly incognito: boolean; readonly url: string };

export type Handlers = {
  readonly [K in RequestKind]: (request: Extract<Request, { kind: K }>, sender: Sender) => Promise<Responses[K]>;
};

/** A load ends when the network has been idle for this long after the load event (design: measures). */
const DEFAULT_QUIET_MS = 2_000;

const mayRecord = async (sender: Sender) => sender.from === 'content' && !sender.incognito && (await hasHostPermission());

/** A view is not delayed longer than this to settle late requests; the next one settles the rest. Chosen, not measured. */
const VIEW_BUDGET_MS = 150;

/** Requests allowed to content scripts; all others are for the extension's own pages. */
const FOR_CONTENT: readonly RequestKind[] = ['page-timing', 'observation-settings'];

export interface MessageSender {
  readonly id?: string;
  readonly url?: string;
  readonly frameId?: number;
  readonly tab?: { readonly id?: number; readonly incognito?: boolean };
}

interface MessagesDeps {
  readonly stores: Pick<
    RecordStores,
    | 'inEffectHistory'
    | 'noteInEffect'
    | 'deleteAllRecords'
    | 'loadsAfter'
    | 'deleteRecordDatabase'
    | 'checkRecords'
    | 'dismissLoss'
    | 'forgetMirror'
    | 'countSiteLoads'
    | 'deleteSite'
    | 'keepRecords'
    | 'changeSettings'
    | 'checkSettings'
  >;
  readonly fieldReport: Pick<FieldReport, 'browserFacts' | 'reportField'>;
  readonly gateway: Pick<Gateway, 'changeSites' | 'gatewayFacts' | 'switchGatewayOff' | 'switchGatewayOn'>;
  readonly helper: Pick<Helper, 'applyAtStart' | 'helperFacts' | 'keepApplied' | 'observeRun' | 'revertAtStart'>;
  readonly leftPages: Pick<LeftPages, 'recordLeftPages'>;
  readonly liveApply: Pick<LiveApply, 'applyLive' | 'revertLive'>;
  readonly manualProfile: Pick<ManualProfile, 'noteManual'>;
  readonly neverRecorded: Pick<NeverRecorded, 'isNeverRecorded'>;
  readonly pageState: Pick<PageState, 'cardFacts' | 'dashboardFacts' | 'popupFacts'>;
  readonly profileSwitch: Pick<ProfileSwitch, 'applyProfile' | 'noteApplied' | 'pruneConnections' | 'readBack' | 'revertProfile'>;
  readonly recorder: Pick<Recorder, 'recordTiming' | 'settleEvents' | 'settleRecords'>;
  readonly trialControl: Pick<TrialControl, 'endTrial' | 'forgetTrials' | 'pauseTrial' | 'planTrial' | 'resumeTrial' | 'startTrial'>;
  readonly trialRunner: Pick<TrialRunner, 'advanceTrial'>;
  readonly trialStatus: Pick<TrialStatus, 'trialFacts'>;
  readonly toolbar: Pick<Toolbar, 'clearBadges' | 'showIcon'>;
  readonly tryout: Pick<TryoutRunner, 'tryoutFacts' | 'startTryout' | 'cancelTryout'>;
}

export type Messages = ReturnType<typeof createMessages>;

export function createMessages({
  stores: {
    inEffectHistory,
    noteInEffect,
    deleteAllRecords,
    loadsAfter,
    deleteRecordDatabase,
    checkRecords,
    dismissLoss,
    forgetMirror,
    countSiteLoads,
    deleteSite,
    keepRecords,
    changeSettings,
    checkSettings,
  },
  fieldReport: { browserFacts, reportField },
  gateway: { changeSites, gatewayFacts, switchGatewayOff, switchGatewayOn },
  helper: { applyAtStart, helperFacts, keepApplied, observeRun, revertAtStart },
  leftPages: { recordLeftPages },
  liveApply: { applyLive, revertLive },
  manualProfile: { noteManual },
  neverRecorded: { isNeverRecorded },
  pageState: { cardFacts, dashboardFacts, popupFacts },
  profileSwitch: { applyProfile, noteApplied, pruneConnections, readBack, revertProfile },
  recorder: { recordTiming, settleEvents, settleRecords },
  trialControl: { endTrial, forgetTrials, pauseTrial, planTrial, resumeTrial, startTrial },
  trialRunner: { advanceTrial },
  trialStatus: { trialFacts },
  toolbar: { clearBadges, showIcon },
  tryout: { tryoutFacts, startTryout, cancelTryout },
}: MessagesDeps) {
  /** The recording's state reports write failures; stored records are shown and exported all the same. */
  const settleAsFarAsPossible = () =>
    recordLeftPages()
      .then(() => settleRecords(VIEW_BUDGET_MS))
      .catch(() => undefined);

  const handlers: Handlers = {
    'page-timing': async ({ timing }, sender) => {
      if (sender.from !== 'content' || sender.incognito) return { stored: false };
      const stored = await recordTiming(timing, sender.tabId);
      if (stored) await advanceTrial();
      return { stored };
    },
    'observation-settings': async (_, sender) => {
      const { quietMs } = await readRunState();
      const isWanted = sender.from === 'content' && !(await isNeverRecorded(sender.url));
      return { record: isWanted && (await mayRecord(sender)), quietMs: quietMs ?? DEFAULT_QUIET_MS };
    },
    'popup-state': async () => {
      await settleAsFarAsPossible();
      return popupFacts(Date.now());
    },
    'card-facts': async ({ tab, loads }) => {
      // A navigation that waits to be written is newer than the tab's newest load; one that is never recorded leaves no trace.
      await settleEvents();
      return cardFacts(Date.now(), tab && (await isNeverRecorded(tab.url)) ? undefined : tab, loads);
    },
    'dashboard-state': async () => {
      await settleAsFarAsPossible();
      return dashboardFacts(Date.now());
    },
    'export-report': async () => {
      await settleAsFarAsPossible();
      return reportField(await browserFacts(), Date.now());
    },
    'delete-all': async () => {
      // Waiting events would otherwise be written after the deletion.
      await settleEvents();
      const leftToDo = await forgetTrials();
      await forgetLeftPages();
      const deleted = await deleteAllRecords();
      await checkRecords();
      return { deleted, ...(leftToDo !== undefined && { leftToDo }) };
    },
    'dismiss-loss': async () => {
      await dismissLoss();
      return { dismissed: true };
    },
    'reset-records': async () => {
      await settleEvents();
      // A trial that can still be read is undone. What is in effect stays so, whatever happens to the records.
      await forgetTrials().catch(() => undefined);
      const inEffect = (await inEffectHistory().catch(() => [])).at(-1);
      await forgetMirror();
      await forgetLeftPages();
      await deleteRecordDatabase();
      await checkRecords();
      await checkSettings();
      if (inEffect !== undefined) await noteInEffect(inEffect.applied, inEffect.since);
      await noteFailure('storeFailure', undefined);
      return { reset: true };
    },
    'start-trial': async ({ trial }) => {
      await startTrial(trial);
      return trialFacts(Date.now());
    },
    'plan-trial': async ({ trial }) => planTrial(trial),
    'pause-trial': async () => {
      await pauseTrial();
      return trialFacts(Date.now());
    },
    'resume-trial': async () => {
      await resumeTrial();
      return trialFacts(Date.now());
    },
    'stop-trial': async () => {
      await endTrial();
      return trialFacts(Date.now());
    },
    'trial-state': async () => {
      await advanceTrial();
      return trialFacts(Date.now());
    },
    'set-quiet': async ({ quietMs }) => {
      await writeRunState('quietMs', quietMs);
      return { quietMs };
    },
    'loads-after': async ({ id }) => {
      await recordLeftPages();
      await settleRecords();
      return loadsAfter(id);
    },
    'apply-profile': async ({ profile, route }) => applyProfile({ ...profile, connections: profile.connections }, route),
    'note-applied': async ({ applied, route }) => {
      await noteApplied(parseAppliedProfile(applied), route);
      return { noted: true };
    },
    'read-back': async () => readBack(),
    'prune-connections': async () => {
      await pruneConnections();
      return { pruned: true };
    },
    'revert-profile': async () => revertProfile(),
    'browser-facts': async () => browserFacts(),
    'live-apply': async ({ profileId, accepts }) => applyLive(profileId, accepts),
    'live-revert': async () => revertLive(),
    'tryout-state': async () => tryoutFacts(),
    'start-tryout': async ({ tabIds }) => startTryout(tabIds),
    'cancel-tryout': async () => cancelTryout(),
    'change-settings': async ({ change }) => {
      const settings = await changeSettings(change);
      if (change.badge !== undefined) await clearBadges();
      if (change.isListLost === false) await showIcon();
      if (change.keepDays !== undefined || change.keepLoads !== undefined) {
        await keepRecords({});
        await forgetAnswers();
      }
      return settings;
    },
    'count-site': async ({ site }) => ({ loads: await countSiteLoads(site) }),
    'delete-site': async ({ site }) => {
      await settleAsFarAsPossible();
      const deleted = await deleteSite(site);
      await checkRecords();
      await forgetAnswers();
      return { deleted };
    },
    'keep-own-profile': async ({ own }) => keepOwnProfile(own),
    'drop-own-profile': async ({ name }) => dropOwnProfile(name),
    'helper-state': async () => helperFacts(),
    'helper-apply': async ({ profileId, accepts = [] }) => {
      checkPriceAccepted(findProfile(profileId)?.preferences ?? {}, accepts);
      return applyAtStart(profileId);
    },
    'helper-revert': async () => revertAtStart(),
    'helper-keep': async () => {
      await keepApplied();
      // A trial may have waited for this and can stage its next profile now.
      await advanceTrial();
      return helperFacts();
    },
    'helper-observe': async () => observeRun(),
    'gateway-state': async () => gatewayFacts(),
    'gateway-on': async ({ profileId }) => {
      const facts = await switchedByPerson(() => switchGatewayOn(profileId));
      // This may disturb a trial.
      await advanceTrial();
      return facts;
    },
    'gateway-off': async () => {
      const facts = await switchedByPerson(switchGatewayOff);
      await advanceTrial();
      return facts;
    },
    'gateway-sites': async ({ change }) => changeSites(change),
    'note-by-hand': async ({ profileId }) => {
      await noteManual(profileId);
      return { noted: true };
    },
  };

  return { answer: answerWith(handlers) };
}

/** The last comparison and prediction rest on loads that are gone. Open pages read again. */
async function forgetAnswers(): Promise<void> {
  await Promise.all([writeLastFieldAnswer(undefined), writeLastFieldPrediction(undefined)]);
  await writeRunState('loadsStored', Date.now());
}

/** Answers messages by their entries in the table. */
export function answerWith(table: Handlers): (message: unknown, sender: MessageSender) => Promise<Reply<RequestKind>> {
  return async (message, sender) => {
    try {
      const request = parse(message);
      return { ok: true, value: await handle(table, request, senderOf(request, sender)) };
    } catch (error) {
      return { ok: false, error: asData(error) };
    }
  };
}

function parse(message: unknown): Request {
  const result = v.safeParse(requestSchema, message);
  if (result.success) return result.output;
  throw new PlumbfoxError('bad-input', `Not a message of Plumbfox: ${v.summarize(result.issues)}`);
}

/** The kind chooses the handler, so the request has the type that the handler expects. */
function handle<K extends RequestKind>(table: Handlers, request: Extract<Request, { kind: K }>, sender: Sender) {
  const handler = table[request.kind as K];
  return handler(request as never, sender);
}

/** @throws PlumbfoxError `bad-input` for a sender that may not make this request. */
function senderOf(request: Request, sender: MessageSender): Sender {
  const own = sender.id === browser.runtime.id;
  const ownPage = sender.url?.startsWith(browser.runtime.getURL('')) === true;
  if (own && ownPage) return { from: 'own-page' };
  const tabId = sender.tab?.id;
  if (!own || tabId === undefined || sender.frameId !== 0 || !FOR_CONTENT.includes(request.kind)) {
    throw new PlumbfoxError('bad-input', `This sender may not ask for ${request.kind}`);
  }
  return { from: 'content', tabId, incognito: sender.tab?.incognito !== false, url: sender.url ?? '' };
}

function asData(error: unknown): Extract<Reply<RequestKind>, { ok: false }>['error'] {
  if (error instanceof PreferenceRefused) {
    return { kind: error.kind, message: error.message, reason: error.reason, preference: error.preference };
  }
  if (error instanceof PlumbfoxError) return { kind: error.kind, message: error.message };
  return { kind: 'internal', message: error instanceof Error ? `${error.name}: ${error.message}` : String(error) };
}
