/** Diagnosis while designing. */
import { readFileSync } from 'node:fs';
import { areaUnderRoc } from '#engine/evaluation/ranking.ts';
import { toExample, fit, logitOf, type Example, type Weights } from './fit.ts';
import { readSet, harmlessRows, poisonedRows, templateRows, textRows, unitsOfTool, type LabelledTool } from './rows.ts';
import { readUnit, clusters } from '#engine/descriptions/features.ts';
import { viewsOf } from '#engine/descriptions/views.ts';
import { textsOf } from '#engine/descriptions/tool.ts';
import { unitsOf } from '#engine/descriptions/units.ts';
if (!process.argv.includes('-k')) clusters.of = new Map(Object.entries(JSON.parse(readFileSync('/tmp/desc/clusters.json', 'utf8'))));

const sets = '/work/shared/datasets';
let t = performance.now();
const tick = (what: string) => { console.log(what, ((performance.now() - t) / 1000).toFixed(1), 's'); t = performance.now(); };
const publicTools = readSet(sets, 'public_servers');
const others = ['cisco_evals_remote', 'damn_vulnerable_mcp', 'mcpsecbench', 'saf_mcp_examples', 'hijack_agentic_ai'].flatMap((n) => readSet(sets, n));
const rows = [
  ...templateRows({ copies: Number(process.env.COPIES ?? 8), seed: 5 }),
  ...harmlessRows(publicTools, 0.5),
  ...harmlessRows(others, 0.3),
  ...poisonedRows(others, 0.6),
  ...textRows(['agent-injections', 'injection-direct', 'override-wordings'], 0.3),
  ...textRows(['about-attacks', 'injection-words', 'document-orders', 'agent-traffic'], 0.15),
];
console.log(rows.length, rows.filter((r) => r.label === 1).length);
const examples = rows.map(toExample);
tick('features');
const scoreTool = (w: Weights, tool: LabelledTool['tool']) => {
  let best = -99, text = '';
  for (const unit of textsOf(tool).flatMap((t) => [...unitsOf(t), ...viewsOf(t.text).filter((v) => v.kind !== 'plain').flatMap((v) => unitsOf({ field: t.field, text: v.text }).map((u) => ({ ...u, bonus: 1.5 })))])) {
    const { features } = readUnit(unit);
    const l = logitOf(w, { at: Int32Array.from(features, (f) => f.bucket), value: Float32Array.from(features, (f) => f.value) });
    const b = l + (('bonus' in unit ? unit.bonus : 0) as number); if (b > best) { best = b; text = unit.text; }
  }
  return { best, text };
};
const A = (JSON.parse(readFileSync('/tmp/desc/A.json', 'utf8')) as any[]).map((d) => ({ tool: { ...d.tool, kind: 'tool' }, label: d.poisoned ? 1 : 0, manner: d.manner }));
const folds = 5;
const foldOf = new Map<string, number>();
for (const { group } of examples) if (!foldOf.has(group)) foldOf.set(group, foldOf.size % folds);
// biggest repositories apart
const oof: { s: number; label: number; group: string; text: string; name: string }[] = [];
const unitOof: { s: number; label: number; group: string; text: string }[] = [];
for (let k = 0; k < folds; k++) {
  const w = fit(examples.filter(({ group }) => foldOf.get(group) !== k), JSON.parse(process.env.OPT ?? '{}'));
  for (const { tool, label, group } of [...publicTools, ...others]) if (foldOf.get(group) === k) { const { best, text } = scoreTool(w, tool); oof.push({ s: best, label, group, text, name: tool.name }); }
  examples.forEach((e, i) => { if (foldOf.get(e.group) === k && /^(bad|good) /.test(e.group)) unitOof.push({ s: logitOf(w, e), label: e.label, group: e.group, text: rows[i]!.unit.text }); });
}
tick('folds');
const pub = oof.filter((o) => o.label === 0 && publicTools.some((p) => p.group === o.group)).sort((a, b) => b.s - a.s);
const thr = (share: number) => pub[Math.floor(pub.length * share)]!.s;
console.log('public OOF thresholds 0.3/0.7/1/2%', [0.003, 0.007, 0.01, 0.02].map(thr).map((x) => x.toFixed(2)));
const t1 = thr(0.009);
console.log('top public', pub.slice(0, 12).map((p) => `${p.s.toFixed(2)} ${p.group} ${p.name}: ${p.text.slice(0, 140)}`).join('\n'));
console.log('units left out by manner: AUROC', areaUnderRoc(unitOof.map((u) => u.s), unitOof.map((u) => u.label)).toFixed(3), 'recall at t1', share(unitOof.filter((u) => u.label === 1), t1), 'harmless', share(unitOof.filter((u) => u.label === 0), t1));
function share(list: { s: number }[], at: number) { return (list.filter((u) => u.s >= at).length / list.length).toFixed(3); }
const byManner = Map.groupBy(unitOof, (u) => u.group);
console.log([...byManner].map(([g, l]) => `${g} ${share(l, t1)}`).join('; '));
for (const n of ['cisco_evals_remote', 'damn_vulnerable_mcp', 'mcpsecbench']) { const l = oof.filter((o) => o.group === n && o.label === 1); const h = oof.filter((o) => o.group === n && o.label === 0); console.log(n, l.length, share(l, t1), 'harmless', h.length, h.length ? share(h, t1) : ''); }
const opt = JSON.parse(process.env.OPT ?? '{}');
const w = fit(examples, opt);
tick('fit');
const syn = readSet(sets, 'synthetic_poison').map(({ tool }) => ({ s: scoreTool(w, tool).best }));
console.log('synthetic', share(syn, t1));
const a = A.map((d) => ({ ...d, ...(() => { const r = scoreTool(w, d.tool as any); return { s: r.best, text: r.text }; })() }));
console.log('A AUROC', areaUnderRoc(a.map((x) => x.s), a.map((x) => x.label)).toFixed(3), 'recall', share(a.filter((x) => x.label), t1), 'false', share(a.filter((x) => !x.label), t1), 'at 2%:', share(a.filter((x) => x.label), thr(0.02)), share(a.filter((x) => !x.label), thr(0.02)));
if (process.argv.includes('-v')) {
  console.log('MISSED'); for (const x of a.filter((x) => x.label && x.s < t1).sort((p, q) => p.s - q.s)) console.log(x.s.toFixed(2), x.manner, x.tool.name, '|', x.text.slice(0, 200));
  console.log('FALSE'); for (const x of a.filter((x) => !x.label && x.s >= t1).sort((p, q) => q.s - p.s)) console.log(x.s.toFixed(2), x.manner, x.tool.name, '|', x.text.slice(0, 200));
}

import { checkTexts } from '#engine/descriptions/check-tool.ts';
const withSigns = a.map((x) => ({ ...x, sign: Math.max(0, ...Object.values(checkTexts(x.tool as any).categoryScores)) }));
for (const low of [-1, -0.5, 0, 0.5, 1, 1.5]) { const hit = withSigns.filter((x) => x.s >= t1 || (x.sign >= 0.5 && x.s >= low)); console.log('signs if learned >=', low, 'found', hit.filter((x) => x.label).length, 'false', hit.filter((x) => !x.label).length, 'public', (pub.filter((p) => { if (p.s >= t1) return true; const tool = publicTools.find((q) => q.group === p.group && q.tool.name === p.name)!; return p.s >= low && Math.max(0, ...Object.values(checkTexts(tool.tool).categoryScores)) >= 0.5; }).length)); }
