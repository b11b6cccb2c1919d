/** A popup state on Android in which every section has something to show, with the longest names there are. */
import type { PopupState } from '../../src/protocol/page-state.ts';
import { comparison, NOW, popupState, profile } from '../unit/controls/sample-state.ts';

const PER_SERVER = 'network.http.max-persistent-connections-per-server';

export function narrowState(): PopupState {
  const offered = [
    { id: 'c10-d1', title: '10 connections per server, one request at a time' },
    { id: 'betterfox', title: 'Betterfox 152, network preferences' },
  ];
  return popupState({
    recording: { state: 'no-permission' },
    active: {
      profileId: 'betterfox',
      title: 'Betterfox 152, network preferences',
      appliedBy: 'manual',
      carrier: 'none',
      mismatches: [PER_SERVER],
    },
    startFailures: [{ part: 'policy', why: 'the policy cannot be read' }],
    comparison: {
      ...comparison,
      profiles: [...comparison.profiles, profile('betterfox'), profile('a-name-that-is-'.repeat(4))],
    },
    byHand: { platform: 'android', offered },
    trial: {
      live: false,
      byHand: 'android',
      offer: {
        baseline: 'firefox-default',
        offered,
        notOffered: [{ id: 'control', why: 'it is there to go through the gateway, which a trial does not switch' }],
        usual: { loadsPerSlot: 3, minutesPerSlot: 10 },
      },
      current: {
        id: 't-1',
        stateKind: 'collecting',
        sentence: '12 loads counted so far.',
        answer: {
          from: 'trial',
          state: 'running',
          stage: 'leading',
          isPaused: false,
          loads: 12,
          leader: { profileId: 'c10-d1', carrier: 'none', change: { gain: 0.18, low: undefined, high: undefined } },
        },
        warnings: ['9 of 24 loads were lost under betterfox: that may be what betterfox does.'],
        slots: { kind: 'session' },
        made: 42,
        loadsLeft: 400,
        arms: [
          { profileId: 'firefox-default', attempted: 10, recorded: 9, lost: 1 },
          { profileId: 'betterfox', attempted: 24, recorded: 15, lost: 9, dropped: 'less efficient by 12 %' },
          { profileId: 'c10-d1', attempted: 8, recorded: 8, lost: 0, predictedRatio: 1.06 },
        ],
        turn: { profileId: 'c10-d1', block: 1, slot: 11, slotInBlock: 2 },
        now: { state: 'due-at-start', held: 'firefox-default' },
        due: { profileId: 'c10-d1', policies: '{}' },
      },
    },
    lastLoad: { ...popupState().lastLoad, startedAt: NOW } as PopupState['lastLoad'],
  });
}
