import { readFileSync } from 'node:fs';
import { areaUnderRoc } from '#engine/evaluation/ranking.ts';
import { readUnit, buckets } from '#engine/descriptions/features.ts';
import { judgeSentences, logitOf as unitLogit } from '#engine/descriptions/judge-sentences.ts';
import { textsOf } from '#engine/descriptions/tool.ts';
import { viewsOf } from '#engine/descriptions/views.ts';
import { unitsOf } from '#engine/descriptions/units.ts';
import { shippedWeights } from '#engine/descriptions/weights.ts';
import { fit, logitOf, toExample, type Example, type Weights } from './fit.ts';
import { harmlessRows, poisonedRows, readSet, templateRows, textRows, unitsOfTool, type Row } from './rows.ts';
const folder = '/work/shared/datasets';
const load = (h: string) => (JSON.parse(readFileSync(`/tmp/desc/${h}.json`, 'utf8')) as any[]).map((d) => ({ tool: { ...d.tool, kind: 'tool' }, label: (d.poisoned ? 1 : 0) as 0 | 1, group: `hand ${d.manner}` }));
const A = load('A'), B = load('B');
const pub = readSet(folder, 'public_servers');
const others = ['cisco_evals_remote', 'damn_vulnerable_mcp', 'mcpsecbench', 'saf_mcp_examples', 'hijack_agentic_ai'].flatMap((n) => readSet(folder, n));
const copies = Number(process.env.COPIES ?? 12);
const own = [...templateRows({ copies, seed: 5 }), ...textRows(['agent-injections', 'injection-direct', 'override-wordings'], 0.3), ...textRows(['about-attacks', 'injection-words', 'document-orders', 'agent-traffic'], 0.15)].map(toExample);
const pubEx = harmlessRows(pub, 0.5).map(toExample);
const othersEx = [...harmlessRows(others, 0.3), ...poisonedRows(others, 0.6)].map(toExample);
const docsAll = (JSON.parse(readFileSync('/tmp/desc/docs.json', 'utf8')) as { t: string; s: string }[]);
const docsEx = docsAll.filter((_, i) => i % 6 === 0).map((d) => toExample({ unit: { place: 'description', field: 'description', text: d.t }, label: 0, weight: 0.15, group: 'docs' }));
const shipped = shippedWeights();
function handRows(set: typeof A, w: number): Example[] {
  return set.flatMap(({ tool, label, group }) => {
    const units = textsOf(tool).flatMap((t) => viewsOf(t.text).flatMap((v) => unitsOf({ field: t.field, text: v.kind === 'plain' ? t.text : v.text })));
    if (label === 0) return units.map((unit): Row => ({ unit, label: 0, weight: w, group }));
    const ranked = units.map((unit) => ({ unit, l: unitLogit(unit, shipped) })).sort((a, b) => b.l - a.l);
    return ranked.slice(0, 2).map(({ unit }): Row => ({ unit, label: 1, weight: w, group }));
  }).map(toExample);
}
const units = new Map<object, Example[]>();
const exOf = (tool: any) => { let e = units.get(tool); if (!e) { e = textsOf(tool).flatMap((t) => viewsOf(t.text).flatMap((v) => unitsOf({ field: t.field, text: v.kind === 'plain' ? t.text : v.text }).map((unit) => ({ ...toExample({ unit, label: 0, weight: 1, group: '' }), bonus: v.kind === 'plain' ? 0 : 1.5 })))); units.set(tool, e); } return e; };
const scoreTool = (w: Weights, tool: any) => Math.max(-99, ...exOf(tool).map((e) => logitOf(w, e) + (e as any).bonus));
function report(name: string, train: (skip: (g: string) => boolean) => Example[], test: typeof A, options = {}) {
  const repos = [...new Set(pub.map((p) => p.group))];
  const scores: number[] = [];
  for (let k = 0; k < 2; k++) { const held = new Set(repos.filter((_, i) => i % 2 === k)); const w = fit(train((g) => held.has(g)), options); for (const p of pub) if (held.has(p.group)) scores.push(scoreTool(w, p.tool)); }
  scores.sort((a, b) => b - a);
  const w = fit(train(() => false), options);
  const s = test.map((t) => ({ s: scoreTool(w, t.tool), label: t.label }));
  const at = (q: number) => { const thr = scores[Math.floor(scores.length * q)]!; return `${q}: ${(s.filter((x) => x.label && x.s >= thr).length / s.filter((x) => x.label).length).toFixed(3)}/${(s.filter((x) => !x.label && x.s >= thr).length / s.filter((x) => !x.label).length).toFixed(3)}`; };
  console.log(name.padEnd(36), 'AUROC', areaUnderRoc(s.map((x) => x.s), s.map((x) => x.label)).toFixed(3), at(0.007), at(0.02), at(0.04));
}
const base = (skip: (g: string) => boolean) => [...own, ...pubEx.filter((e) => !skip(e.group)), ...othersEx];
export { base, report, handRows, docsEx, A, B, own, pubEx, othersEx, fit, scoreTool };
if (import.meta.main) {
  report('base -> B', base, B);
  report('base+A -> B', (s) => [...base(s), ...handRows(A, 2)], B);
  report('base+A(4) -> B', (s) => [...base(s), ...handRows(A, 4)], B);
  report('base+docs -> B', (s) => [...base(s), ...docsEx], B);
  report('base+A+docs -> B', (s) => [...base(s), ...docsEx, ...handRows(A, 3)], B);
  report('base+B -> A', (s) => [...base(s), ...handRows(B, 3)], A);
}
