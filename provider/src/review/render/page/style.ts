/** The page's style: one column, light or dark as the reader's system is. */
export const style = `:root {
  --back: #ffffff; --text: #1f2328; --soft: #59636e; --line: #d1d9e0; --panel: #f6f8fa;
  --blocked: #b31d28; --needs-approval: #9a6700; --safe: #1a7f37;
  --refused: #57606a; --delete: #b31d28; --replace: #bc4c00; --update: #9a6700; --create: #1a7f37; --adopt: #0969da; --detach: #57606a;
}
@media (prefers-color-scheme: dark) {
  :root {
    --back: #0d1117; --text: #e6edf3; --soft: #9198a1; --line: #3d444d; --panel: #151b23;
    --blocked: #ff7b72; --needs-approval: #d29922; --safe: #3fb950;
    --refused: #9198a1; --delete: #ff7b72; --replace: #ffa657; --update: #d29922; --create: #3fb950; --adopt: #79c0ff; --detach: #9198a1;
  }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--back); color: var(--text); font: 16px/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
main { max-width: 60rem; margin: 0 auto; padding: 1.5rem 1rem 4rem; }
h1 { font-size: 1.5rem; line-height: 1.25; }
h2 { font-size: 1.15rem; margin-top: 2rem; padding-bottom: .3rem; border-bottom: 1px solid var(--line); }
code { font: .875em ui-monospace, monospace; background: var(--panel); padding: .1em .3em; border-radius: .25rem; }
.verdict { border-left: .3rem solid; padding: .1rem 1rem; background: var(--panel); }
.verdict.blocked { border-color: var(--blocked); }
.verdict.blocked > p > strong { color: var(--blocked); }
.verdict.needs-approval { border-color: var(--needs-approval); }
.verdict.needs-approval > p > strong { color: var(--needs-approval); }
.verdict.safe { border-color: var(--safe); }
.verdict.safe > p > strong { color: var(--safe); }
details { border: 1px solid var(--line); border-radius: .4rem; margin: .6rem 0; padding: .4rem .8rem; }
summary { cursor: pointer; }
.refused { --does: var(--refused); } .delete { --does: var(--delete); } .replace { --does: var(--replace); }
.update { --does: var(--update); } .create { --does: var(--create); } .adopt { --does: var(--adopt); }
.detach { --does: var(--detach); }
details[class] { border-left: .25rem solid var(--does); }
.tree { list-style: none; padding-left: 0; margin: .4rem 0; }
.tree .tree { margin: 0 0 0 .35rem; padding-left: .9rem; border-left: 1px solid var(--line); }
.tree li { padding: .1rem 0; }
.tree li::before { content: ""; display: inline-block; width: .7rem; height: .7rem; margin-right: .45rem; border-radius: 50%; background: var(--does); }
.graph { display: block; width: 100%; margin: .6rem 0; }
.graph text { font: 14px system-ui, sans-serif; fill: var(--text); }
.graph .says { fill: var(--does); }
.graph circle { fill: var(--does); }
.graph path { fill: none; stroke: var(--soft); stroke-opacity: .7; }
table { border-collapse: collapse; width: 100%; margin: .6rem 0; font-size: .9rem; }
th, td { text-align: left; vertical-align: top; padding: .35rem .6rem; border: 1px solid var(--line); }
th { color: var(--soft); font-weight: 600; }
ul, ol { padding-left: 1.3rem; }
@media (max-width: 40rem) {
  thead { display: none; }
  table, tbody, tr, td { display: block; }
  tr { border: 1px solid var(--line); margin-bottom: .5rem; }
  td { border: 0; padding: .2rem .6rem; }
  td::before { content: attr(data-column) ": "; color: var(--soft); }
}`;
