import { HEAT_STYLE } from './scenarios.ts';

/** The style of the HTML report: no font, image or script from anywhere; dark and light; narrow, wide and printed. */
export const HTML_STYLE = `
:root {
  color-scheme: light dark;
  --paper: #fbfaf8; --card: #ffffff; --ink: #1d1b20; --soft: #625d68; --line: #dedae2;
  --calm: #eef0f3; --good: #e6f1fb;
  --better: #0b62b8; --worse: #b3261e; --same: #5b6470; --open: #8a6100; --band: #e7eef6;
  --faster: #3f8fe0; --slower: #f0893a;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #17151a; --card: #211e25; --ink: #ece8f0; --soft: #aca5b5; --line: #3a3540;
    --calm: #2a2730; --good: #1d2c3f;
    --better: #7db8ff; --worse: #ff8f85; --same: #aab4c0; --open: #e6b84d; --band: #262d37;
    --faster: #2f6fb8; --slower: #b05a1c;
  }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 16px/1.5 system-ui, sans-serif; overflow-wrap: break-word; }
main { max-width: 68rem; margin: 0 auto; padding: 1.5rem 1rem 3rem; }
header p, .note, figcaption, dd { color: var(--soft); }
header p { margin: 0; }
h1 { font-size: 1.15rem; margin: 0; letter-spacing: .01em; }
h2 { text-wrap: balance; font-size: 1.15rem; margin: 0 0 .75rem; }
main > h2 { margin: 1.75rem 0 0; }
section, .answer { background: var(--card); border: 1px solid var(--line); border-radius: .75rem; padding: 1.1rem 1.25rem; margin-top: 1rem; }
.answer { background: var(--calm); border-color: var(--same); --band: color-mix(in srgb, var(--same) 16%, transparent); }
.answer.is-good { background: var(--good); border-color: var(--better); }
.answer p { margin: .5rem 0 0; line-height: 1.4; text-wrap: pretty; }
.answer code { display: inline-block; max-width: 100%; overflow-x: auto; vertical-align: bottom; white-space: nowrap; font-size: .9em; background: var(--card); border-radius: .3rem; padding: .1rem .4rem; }
.answer .state { font-size: .85rem; font-weight: 600; color: var(--same); margin: 0; }
.answer .headline { font-size: 1.5rem; line-height: 1.25; margin: .1rem 0 0; overflow-wrap: anywhere; }
.answer .figure { margin-top: .1rem; line-height: 1.2; }
.figure b { font-size: 2.75rem; letter-spacing: -.02em; white-space: nowrap; margin-inline-end: .35rem; }
.figure span, .more { color: var(--soft); font-size: .9rem; }
.answer .next { font-weight: 600; }
.compared { list-style: none; margin: .8rem 0; padding: 0; border-block: 1px solid var(--line); }
.compared li { display: grid; grid-template-columns: 14rem 1fr 15rem; column-gap: 1rem; align-items: center; break-inside: avoid; }
.compared .track { min-height: 2.7rem; height: 100%; }
.compared .name { overflow-wrap: anywhere; line-height: 1.3; padding-block: .25rem; }
.compared small { color: var(--soft); font-size: .8rem; font-weight: 400; }
.value { line-height: 1.25; padding-block: .25rem; } .value small { display: block; }
figure { margin: 0; }
.answer.is-good .state { color: var(--better); }
.row, .axis { display: grid; grid-template-columns: 16rem 1fr; column-gap: 1rem; }
.row { border-top: 1px solid var(--line); break-inside: avoid; }
.row:first-child { border-top: 0; }
.label { padding: .45rem 0; line-height: 1.35; }
.label b { display: block; overflow-wrap: anywhere; }
.label span { display: block; font-size: .85rem; }
.label span:not(.badge) { color: var(--soft); }
.track { position: relative; min-height: 3.2rem; }
.plot { position: absolute; inset: 0; width: 100%; height: 100%; overflow: visible; }
.axis .track { min-height: 1.6rem; }
.plot text { font-size: .78rem; fill: var(--soft); text-anchor: middle; }
.band { fill: var(--band); }
.unity { stroke: var(--soft); stroke-width: 1.5; }
.grid { stroke: var(--line); stroke-width: 1; }
.pair { fill: var(--soft); opacity: .45; }
.interval { stroke: currentColor; stroke-width: 3; stroke-linecap: round; }
.arrow { fill: currentColor; }
.estimate { fill: currentColor; stroke: var(--card); stroke-width: 1.5; }
.better { color: var(--better); } .worse, .no-verdict { color: var(--worse); }
.no-meaningful-difference, .baseline { color: var(--same); } .need-more-loads { color: var(--open); }
figcaption { margin-top: .6rem; font-size: .88rem; }
.scroll { position: relative; overflow-x: auto; scrollbar-color: var(--line) transparent; margin: 0 -1.25rem; padding: 0 1.25rem; }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
caption { text-align: left; color: var(--soft); font-size: .88rem; padding-bottom: .4rem; }
caption span { display: block; max-width: calc(100vw - 4rem); }
tbody th, thead th:first-child { position: sticky; left: -1.25rem; background: var(--card); }
th, td { text-align: left; padding: .45rem .9rem .45rem 0; border-top: 1px solid var(--line); vertical-align: top; }
thead th { border-top: 0; font-size: .82rem; color: var(--soft); font-weight: 600; vertical-align: bottom; }
tbody th { font-weight: 600; }
td small, th small { display: block; font-weight: 400; color: var(--soft); font-size: .8rem; }
td { white-space: nowrap; }
tbody th { min-width: 7rem; max-width: 17rem; overflow-wrap: break-word; }
.heat tbody th { white-space: nowrap; max-width: none; }
td.words { white-space: normal; min-width: 16rem; }
.heat td, .heat thead th { text-align: right; padding: .3rem .5rem; font-size: .85rem; }
.heat thead th { white-space: nowrap; }
.heat thead th:nth-child(-n+2) { white-space: normal; } .heat thead th:first-child { text-align: left; padding-left: 0; }
.heat td { border: 1px solid var(--card); }
.heat tbody th { font-weight: 400; }
/* A caption may be wider than its table. */
@media (min-width: 40.01rem) { .map caption span { --room: min(56rem, 100vw - 6rem); width: var(--room); margin-inline-end: calc(-1 * var(--room)); } }
.map { width: auto; } .heat.map thead th { white-space: nowrap; }
.map td { min-width: 4.5rem; }
${HEAT_STYLE}
.fastest { font-weight: 700; }
.badge { font-weight: 600; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .3rem 1.25rem; margin: 0; }
dt { font-weight: 600; }
dd { margin: 0; overflow-wrap: anywhere; }
.meaning dl { grid-template-columns: 11rem 1fr; }
.hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
@media (min-width: 70rem) { [aria-label="Profiles"] tbody th { min-width: 11rem; } }
@media (max-width: 60rem) { .plot .minor { display: none; } }
@media (max-width: 40rem) {
  main { padding: .75rem .6rem 2rem; }
  section, .answer { padding: .9rem; border-radius: .6rem; }
  .scroll { margin: 0 -.9rem; padding: 0 .9rem; }
  .answer .headline { font-size: 1.25rem; } .figure b { font-size: 2.2rem; }
  .compared li { grid-template-columns: minmax(0, 1fr); padding-block: .35rem; border-block-start: 1px solid var(--line); }
  .compared li:first-child { border: 0; }
  .compared .track { order: 3; min-height: 1.4rem; }
  .compared .name, .value { padding-block: 0; }
  .value small { display: inline; }
  .value b + small { margin-inline-start: .4rem; }
  .answer code { font-size: .64rem; padding-inline: .1rem; }
  .map { width: 100%; }
  .scroll:has(.map) { padding-inline: .25rem; }
  .heat.map td { min-width: 0; padding: .35rem 1px; text-align: center; font-size: .62rem; letter-spacing: -.03em; }
  .heat.map tbody th { white-space: normal; }
  .map thead th:first-child, .map tbody th { width: 5.2rem; min-width: 3.2rem; font-size: .75rem; padding-inline-end: .3rem; }
  .row, .axis { grid-template-columns: 1fr; }
  .label { padding: .6rem 0 0; }
  .track { min-height: 2.8rem; }
  .axis > :first-child { display: none; }
  .map tbody th, .map thead th:first-child { left: -.9rem; white-space: normal; overflow-wrap: anywhere; }
  table:not(.map), table:not(.map) :is(tbody, tr, th, td) { display: block; }
  table:not(.map) thead { display: none; }
  table:not(.map) caption { display: block; }
  table:not(.map) tr { border-top: 1px solid var(--line); padding-block: .5rem; }
  table:not(.map) :is(th, td, td.words) { border: 0; padding: .15rem 0; min-width: 0; max-width: none; white-space: normal; overflow-wrap: anywhere; }
  table:not(.map) td::before { content: attr(data-h) ": "; color: var(--soft); font-size: .8rem; }
  dl, .meaning dl { grid-template-columns: 1fr; gap: 0; }
  dd { margin-bottom: .6rem; }
}
@media (max-width: 24rem) { .map thead th:first-child, .map tbody th { width: 3.2rem; font-size: .68rem; } .heat.map td { padding-inline: 0; font-size: .58rem; } }
@media (max-width: 40rem), print {
  .heat.map td { min-width: 0; }
  .heat.map thead th { padding: .2rem 0; font-size: .7rem; text-align: start; }
  .heat.map thead th:nth-child(n+2) { writing-mode: vertical-rl; transform: rotate(180deg); vertical-align: bottom; }
  .heat:not(.map), .heat:not(.map) :is(caption, tbody, td) { display: block; }
  .heat:not(.map) thead { display: none; }
  .heat:not(.map) tr { display: grid; grid-template-columns: repeat(auto-fill, minmax(4.9rem, 1fr)); gap: 2px; }
  .heat:not(.map) th { grid-column: 1 / -1; }
  .heat:not(.map) td { padding: .25rem .35rem; text-align: start; }
  .heat:not(.map) td::before { display: block; content: attr(data-h); font-size: .7rem; color: inherit; }
}
@media print {
  :root { color-scheme: light; --paper: #fff; --card: #fff; --ink: #000; --soft: #444; --line: #bbb; --calm: #fff; --good: #fff;
    --better: #0b4f93; --worse: #8f1d17; --same: #444; --open: #6b4b00; --band: #eef2f7; --faster: #3f8fe0; --slower: #f0893a; }
  body { font-size: 10pt; }
  main { max-width: none; padding: 0; }
  section, .answer { border-radius: 0; }
  .answer, figure, tr, dt, dd, .row, .compared li { break-inside: avoid; }
  section { break-inside: avoid; }
  section:has(tr:nth-child(9), dt:nth-of-type(9)), :is(section, figure):has(.row:nth-child(9)) { break-inside: auto; }
  h2, caption, dt { break-after: avoid; }
  thead { display: table-header-group; }
  .scroll { overflow: visible; }
  td.words, td small { white-space: normal; min-width: 0; }
  td.words { width: 45%; }
  .map { width: 100%; }
  .heat td, .heat th { padding: .15rem .2rem; font-size: 7.5pt; }
  .heat tbody th { white-space: normal; overflow-wrap: anywhere; }
  .heat:not(.map) tr { border-top: 1px solid var(--line); padding-block: .2rem; }
  tbody th, thead th:first-child { position: static; }
  * { print-color-adjust: exact; }
}
`;
