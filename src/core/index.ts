/**
 * The library: what a program of others may call. Pure: it runs in any JavaScript of 2023, without Node and without a browser.
 *
 * Each name is documented where it is defined. What is not named here may change at any time.
 */

// Many page loads under several profiles: verdicts, ranks and reports.
export type { CompareOptions } from './compare/compare-options.ts';
export { compareProfiles } from './compare/compare-profiles.ts';
export type { ComparableLoad, Comparison, ProfileComparison, ScenarioRanking, Verdict } from './compare/comparison.ts';
export { type CutoffTable, cutoffTable } from './compare/cutoff-table.ts';
export { rankScenarios } from './compare/rank-scenarios.ts';
// Errors, units and seeded random numbers.
export { type ErrorKind, PlumbfoxError, PreferenceRefused } from './errors.ts';
// Predictions: a page from a recorded load, and what profiles would make of it over a link.
export type { Inference, InferredPage } from './graph/inference.ts';
export { pageFromLoad } from './graph/page-from-load.ts';
export type { PageGraph } from './graph/page-graph.ts';
export { duplicatesFromHar, linkFromHar, pageFromHar, recordedLoadTimeMs } from './har/page-from-har.ts';
export type { Link } from './link.ts';
export { idealTime } from './measure/efficiency.ts';
// One page load: what was recorded, and what it measures.
export { estimateLink } from './measure/links/estimate-link.ts';
export type { LoadMeasures } from './measure/load-measures.ts';
export { measureLoad } from './measure/measure-load.ts';
export type { PageLoad } from './measure/page-load.ts';
export { type PredictOptions, predict, predictTypical } from './predict/predict.ts';
export { preferencesFor } from './profiles/carrier.ts';
// Profiles, the preferences they may set, and the files that set them.
export { CATALOGUE, findKnob } from './profiles/catalogue.ts';
export { checkProfile } from './profiles/check-profile.ts';
export { compareCost } from './profiles/compare-cost.ts';
export type { Knob, PreferenceValue } from './profiles/knob.ts';
export { policiesJson } from './profiles/policies-json.ts';
export { findProfile, presetNames, profileSet } from './profiles/presets.ts';
export type { Carrier, Profile } from './profiles/profile.ts';
export { confounders } from './profiles/reference/confounders.ts';
export { referenceOf } from './profiles/reference.ts';
export { resolveProfiles } from './profiles/resolve-profiles.ts';
export { userJs } from './profiles/user-js.ts';
export { type Random, seededRandom } from './random.ts';
export { hideOrigins } from './report/hide-origins.ts';
export { reportHtml } from './report/html/report-html.ts';
export { mergeReports } from './report/merge/merge-reports.ts';
export type { Report } from './report/report.ts';
export { reportTable } from './report/report-table.ts';
export { waterfallSvg } from './report/waterfall-svg.ts';
export { type BrowserModel, FENNEC_2008, FIREFOX_TODAY } from './simulate/browser-model.ts';
export type { SimulatedLink } from './simulate/link.ts';
export type { Prediction } from './simulate/prediction.ts';
// Statistics.
export { binomialTest } from './stats/count-tests.ts';
export { holm } from './stats/multiple-testing.ts';
export { median, quantile } from './stats/quantile.ts';
export {
  type Bytes,
  bytes,
  type KilobitsPerSecond,
  kilobitsPerSecond,
  type Milliseconds,
  milliseconds,
  type Ratio,
  ratio,
} from './units.ts';
