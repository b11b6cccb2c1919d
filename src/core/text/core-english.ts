/**
 * The sentences in which core words a finding with figures, in English; `messages.ts` says how a text is written. A text with plural forms agrees with
 * `count`, which for settings is 2 where their name is a plural. Command line and reports have these; pages have them in the person's language.
 */
export const CORE_ENGLISH = {
  // Settings, by name
  'profile.connections': { one: '{count} connection', other: '{count} connections' },
  'profile.onEach': '{connections} with up to {depth} requests on each',
  'profile.onIt': '{connections} with up to {depth} requests on it',
  'profile.more': ', and {more} more',
  'setting.value': '{name} {value}',
  'setting.without': 'no ',

  // What published figures were made with
  'published.made': 'Made on {day} in Firefox ESR {version}; the servers sent with {sender}.',
  'published.load': 'Other programs ran beside it (load average {low:decimal} to {high:decimal}).',
  'published.links':
    'Emulated links were less exact before {day}: of {asked} ms asked, handshakes took {low:decimal} to {high:decimal} ms while pages loaded.',

  // Changes of speed
  'speed.same': 'as fast',
  'speed.faster': '{change:percent} faster',
  'speed.slower': '{change:percent} slower',
  'speed.sameAs': 'as fast as {against}',
  'speed.fasterThan': '{change:percent} faster than {against}',
  'speed.slowerThan': '{change:percent} slower than {against}',
  'range.to': '{low} to {high}',
  'range.open': 'not bounded yet',
  'range.times': '{times} times as fast',

  // The answer
  'answer.change': '{gain:gain} ({low} to {high:gain})',
  'answer.over': ' over {protocol}',
  'answer.predicted': '{settings} should be faster here: about {change}, predicted for {pages}. A trial measures it.',
  'answer.pages': { one: '{count} recent page', other: '{count} recent pages' },
  'answer.pages.of': '{pages} of {count} recent pages ({outside} could not be simulated)',
  'answer.former': ' You are on a new network: this is for {network}.',
  'answer.network': '“{name}”',
  'answer.network.estimated': 'the one with {name}',
  'answer.since': { one: ' Predicted before your newest load.', other: ' Predicted before your newest {count} loads.' },
  'answer.faster': { one: '{settings} is faster here{over}', other: '{settings} are faster here{over}' },
  'answer.slower': { one: '{settings} is slower here{over}', other: '{settings} are slower here{over}' },
  'answer.proven': { one: '{faster}: {change}, {count} page load.', other: '{faster}: {change}, {count} page loads.' },
  'answer.alone': 'Without what the gateway does by itself: {change}.',
  'answer.carried': {
    one: 'It needs the gateway, and acts on plain-http sites only.',
    other: 'They need the gateway, and act on plain-http sites only.',
  },
  'answer.through': ', sent through the gateway,',
  'answer.same': {
    one: "{settings} and Firefox's own settings{through} are within {within:percent}: {change}, {count} load. Nothing to gain here{over}.",
    other:
      "{settings} and Firefox's own settings{through} are within {within:percent}: {change}, {count} loads. Nothing to gain here{over}.",
  },
  'answer.open': { one: 'No difference proven by {count} load. {closest}.', other: 'No difference proven by {count} loads. {closest}.' },
  'answer.closest': '{settings}{over}: {change}',
  'answer.incomparable': 'The loads of the trial cannot be compared.',
  'answer.keep': "Keep Firefox's own settings.",
  'answer.wasSlower': '{slower}: {change}.',
  'answer.collecting': {
    one: '{count} load so far, too early to say which is faster.',
    other: '{count} loads so far, too early to say which is faster.',
  },
  'answer.collecting.best': {
    one: '{count} load so far. {settings}: {change}, not decided.',
    other: '{count} loads so far. {settings}: {change}, not decided.',
  },
  'answer.checking': {
    one: "{count} load so far. There is a first result, waiting for the trial's own checks.",
    other: "{count} loads so far. There is a first result, waiting for the trial's own checks.",
  },
  'answer.held': {
    one: '{count} load so far. A check of the trial fails, so there is no verdict: see "Trial" under "More" in the popup.',
    other: '{count} loads so far. A check of the trial fails, so there is no verdict: see "Trial" under "More" in the popup.',
  },
  'answer.paused': ' Continue it in the popup.',
  'answer.leading': {
    one: '{settings} is ahead, not proven yet: {change}, after {loads} page loads.',
    other: '{settings} are ahead, not proven yet: {change}, after {loads} page loads.',
  },
  'answer.right': "Firefox's own settings are right for you.",
  'answer.reach': 'Connection settings reach {share} of your requests (HTTP/1.1){on}{gain}.',
  'answer.reach.on': ', on {pages}',
  'answer.reach.none': 'none',
  'answer.reach.all': 'all',
  'answer.reach.under': 'under {share:percent}',
  'answer.reach.over': 'over {share:percent}',
  'answer.noGain': '; no gain is predicted',
  'answer.atMost': '; predicted gain at most {gain:percent}',
  'answer.tried': {
    one: 'Tried by simulation: {tried} of {count} preference that acts on your requests.',
    other: 'Tried by simulation: {tried} of {count} preferences that act on your requests.',
  },
  'answer.untried': 'Not simulated: settings of HTTP/3, which {share} of your requests use.',
  'answer.unproven': 'Gains predicted for such pages are not known to hold.',
  'answer.onlyTrial': 'Only a trial can tell.',

  // What was fetched twice
  'duplicates.fetched': '{requests} fetched something the page had already fetched: {size}, {trips}{time}.',
  'duplicates.request': 'request',
  'duplicates.requests': 'requests',
  'duplicates.trip': 'round trip',
  'duplicates.trips': 'round trips',
  'duplicates.sizeUnknown': 'of unknown size',
  'duplicates.time': ', about {times}; less where they ran beside others',
  'duplicates.emptySource': '{requests} of them fetched the page itself again, for an empty src.',

  // Which gateway figures are of
  'gateway.firstVisit':
    'Through the gateway: first visits, where the first {answers} responses of a site come one at a time on each connection.',
  'gateway.knownSite': 'Through the gateway: sites it already knows. At the first visit it is slower.',
  'withheld.shortRoundTrips': 'not predicted over short round trips',

  // Why there is no verdict, and what the gateway costs
  'verdict.unrandomised': "Can't tell yet: {why}. A trial switches them at random and settles it.",
  'verdict.none': 'No verdict: {why}.',
  'versus.none': '{profile} and {against} cannot be compared yet.',
  'versus.unbounded': '{profile} looks {speed}, but these loads give no interval yet.',
  'versus.decided': {
    one: '{profile} was faster in {ahead} of {count} pair: {speed} ({range}).',
    other: '{profile} was faster in {ahead} of {count} pairs: {speed} ({range}).',
  },
  'versus.same': {
    one: '{profile} and {against} differ by less than 3 %: {speed} ({range}) over {count} pair.',
    other: '{profile} and {against} differ by less than 3 %: {speed} ({range}) over {count} pairs.',
  },
  'versus.early': '{profile} looks {speed} ({range}), but there is no verdict yet.',
  'versus.open': '{profile} looks {speed}, but the interval ({range}) leaves it open.',
  'fault.mostLost': {
    one: '{lost} of the {count} load of {profile} were excluded or have no efficiency',
    other: '{lost} of the {count} loads of {profile} were excluded or have no efficiency',
  },
  'fault.pageLost': 'no load of {profile} on page {page} over link {link} can be used',
  'fault.unequal':
    '{lost} of {attempted} loads of {profile} and {othersLost} of {othersAttempted} of {against} were excluded for reasons that may depend on how long a load takes',
  'fault.unrandomised': 'these settings were used at different times',
  'fault.gateway': "the gateway's own cost is not known, as {control} has no pair of loads yet",
  'control.unknown': "The gateway's own cost is not known: {why}. Profiles that need the gateway get no verdict.",
  'control.noPair': '{control} and {baseline} have no pair of loads yet',
  'control.found': {
    one: 'The gateway by itself ({control}) is {speed} without it ({range}{count} pair). Settings that need the gateway are compared with {control}; to be recommended they must also be faster than {baseline}.',
    other:
      'The gateway by itself ({control}) is {speed} without it ({range}{count} pairs). Settings that need the gateway are compared with {control}; to be recommended they must also be faster than {baseline}.',
  },

  // The course of a trial
  'arm.baseline': "Firefox's own settings",
  'arm.control': "Firefox's own settings through the gateway",
  'course.notBegun': 'The trial has not begun.',
  'course.soFar': { one: '{count} page load so far', other: '{count} page loads so far' },
  'course.notEnough': '{soFar}, too early to say which is faster.',
  'course.best': '{soFar}. {settings}: {change}, not decided.',
  'course.checking': 'There is a first result, but it cannot be trusted yet. {checks}',
  'course.leading': {
    one: '{settings} is ahead, not proven: {finding}. {loads} page loads so far, about {left} to come.',
    other: '{settings} are ahead, not proven: {finding}. {loads} page loads so far, about {left} to come.',
  },
  'course.finding': {
    one: '{found}, from {count} load with {settings} and {others} with {baseline}',
    other: '{found}, from {count} loads with {settings} and {others} with {baseline}',
  },
  'course.notCompared': 'not compared with {baseline} yet{over}',
  'course.confirmed': {
    one: 'Proven: {settings} is {finding}.',
    other: 'Proven: {settings} are {finding}.',
  },
  'course.withGateway': ' With what the gateway does by itself: {speed}.',
  'course.same': {
    one: 'No real difference: {settings} and {baseline} differ by less than {change:percent}. {settings} is {finding}.',
    other: 'No real difference: {settings} and {baseline} differ by less than {change:percent}. {settings} are {finding}.',
  },
  'course.usedUp': 'All planned loads are made and no difference is proven. {closest}.',
  'course.futile': 'The trial ended early: a gain of {change:percent} would hardly show any more. {closest}.',
  'course.usedUp.few': 'All planned loads are made, too few of which count.',
  'course.looks': { one: '{settings} looks {finding}', other: '{settings} look {finding}' },
  'course.noVerdict': 'No verdict. {checks}{stopped}',
  'course.noVerdict.failed': 'No verdict: a check had failed.{stopped}',
  'course.noVerdict.open': 'No verdict: a check was open, or had failed, until the loads were used up.',
  'course.unproven': {
    one: ' {settings} has no more slots, because its pages loaded much slower. That proves nothing while a check fails.',
    other: ' {settings} have no more slots, because their pages loaded much slower. That proves nothing while a check fails.',
  },
  'course.byPerson': 'The trial was stopped before it reached a verdict.',
  'course.noBaseline': 'The trial stopped: it needs {baseline}, but {why}.',
  'course.noCandidate': 'The trial is over: no candidate is left to compare with {baseline}. {dropped}',
  'course.droppedEarly': { one: '{settings} was dropped early: {why}.', other: '{settings} were dropped early: {why}.' },
  'course.dropped': { one: '{settings} was dropped: {why}.', other: '{settings} were dropped: {why}.' },
  'course.unprovenSlower': 'much slower while a check failed, which proves nothing',
  'course.behind': 'others were faster ({finding})',
  'course.other': {
    one: 'Apart from the verdict: {settings} is {finding}. That proves nothing, but much slower pages end its slots.',
    other: 'Apart from the verdict: {settings} are {finding}. That proves nothing, but much slower pages end their slots.',
  },

  // The checks of a trial
  'check.share': {
    one: '{settings} has {usable} where about {expected} were to be expected{so}',
    other: '{settings} have {usable} where about {expected} were to be expected{so}',
  },
  'check.share.passed': 'All settings have their share of the loads.',
  'check.usable': { one: '{count} usable load', other: '{count} usable loads' },
  'check.notChance.share': ': that is not chance, so the loads that are there may not be like those that are missing.',
  'check.notChance': ': that is not chance.',
  'check.maybeChance': ': that may be chance, so a verdict waits.',
  'check.tooEarly': 'It takes {loads} loads with each to tell {what}.',
  'check.tooEarly.share': 'whether all have their share of the loads',
  'check.tooEarly.lost': 'whether any of them lose loads',
  'check.lost': {
    one: '{lost} of the {count} load with {settings} are missing or cannot be used{elsewhere}{so}',
    other: '{lost} of the {count} loads with {settings} are missing or cannot be used{elsewhere}{so}',
  },
  'check.lost.elsewhere': ', where the others lost {share:percent}',
  'check.lost.passed': 'None of the settings lose more loads than the others.',
  'check.inEffect': {
    one: '{settings} was not in effect in {mismatched} of {loads}{so}',
    other: '{settings} were not in effect in {mismatched} of {loads}{so}',
  },
  'check.inEffect.loads': { one: '{count} load', other: '{count} loads' },
  'check.inEffect.often': ': something else sets the same preferences.',
  'check.inEffect.few': ', which do not count.',
  'check.inEffect.passed': 'All settings were in effect in their loads.',
  'check.after': 'Loads in a turn after {settings} were {speed}{so}',
  'check.after.others': 'those in other turns of the same settings',
  'check.after.failed': ': after-effects of a switch last longer than the trial allows.',
  'check.after.passed': 'There is no sign that after-effects of a switch last longer than a slot; those of 10 % would often go unseen.',
  'check.after.tooEarly': 'It takes more turns to tell whether after-effects of a switch wear off within a slot.',

  // A line of a tweak list
  'line.superseded': 'Line {line} sets it again, to {value}, and the last one counts.',
  'line.default': 'Firefox {version} has this value already.',
  'line.default.underPolicy': 'Firefox {version} has this value already; a policy of this machine may set another.',
  'line.wrongType': 'Firefox ignores it: the value must be {type}.',
  'line.clamped': 'Acts as {value}, the nearest value that Firefox allows.',
  'line.refused': 'Firefox ignores this value and keeps {value}.',
  'line.overridden': 'A policy or configuration of this machine locks it to {value}.',
  'line.converts': "A policy's {from} is taken as {value}.",
  'line.cannotAct':
    'Cannot act on these pages, so nothing is predicted: it acts on {protocol}, and none of their {requests} requests uses that.',
  'line.predicted': 'Predicted{on}: {change}{verdict}.',
  'line.predicted.on': ' over {protocol}, where it acts',
  'line.unchanged': 'By itself it changes none of the simulated loads of these pages.',
  'line.notModelled': 'Nothing is predicted: the simulator has no model of it.',
  'line.notKnown': 'Nothing is known of its effect on speed: no study measured it, and the simulator has no model of it.',
  'line.notMeasured': 'Nothing is known of its effect on speed: no study measured it, and nothing is predicted here.',
  'line.measured': 'Measured ({link}): {sentence} {made}',
  'line.timed': {
    one: 'Measured here: {change}, {count} round of loads, {verdict}.',
    other: 'Measured here: {change}, {count} rounds of loads, {verdict}.',
  },
  'line.timed.none': 'Measured here: {verdict}.',
  'line.costs': 'Costs: {price}',
  'line.changes': "Changes Firefox's own {value}.",
  'line.dead': 'Nothing in Firefox {version} for {platform} reads it{since}.{hint}',
  'line.dead.since': ': gone since Firefox {version}{source}',
  'line.dead.seen': ': gone by {version}, present in {lastSeen}',
  'line.dead.meant': ' Did you mean {preference}?',
  'line.dead.renamed': ' It is {preference} now ({source}).',
  'line.policyNamed': 'The policy {policy} sets it.',
  'line.joined': "Not in this Firefox's list, but its code puts names that begin with {branch} together as it runs: it may be read.",
} as const;
