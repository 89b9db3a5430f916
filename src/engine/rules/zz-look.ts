import { loadTextEngine } from '#engine/text/engine.ts';
import { readRuleFile, ruleFiles } from '../../../test/fixtures/action-rules/read-written.ts';
import { SceneReader } from '../actions/judging/scene.ts';
import { judgeByForm } from './matching/judge-by-form.ts';
import { draftRule } from './reading/draft.ts';
const reader = new SceneReader(await loadTextEngine());
const [, , start = 'unseen', what = 'table'] = process.argv;
for (const name of ruleFiles(start)) {
  let right = 0,
    rightSays = 0,
    wrong = 0,
    wrongSays = 0,
    n = 0;
  for (const one of readRuleFile(name)) {
    n += 1;
    const d = draftRule(one.rule);
    const j = (steps: any, now: Date) => {
      const scene = reader.read(steps, { now, ownDomains: one.ownDomains });
      return judgeByForm(scene!, {
        ruleId: 'r',
        compiled: d.compiled,
        form: d.rule,
        severity: 'High',
        description: one.rule,
      } as any);
    };
    const b = one.breaks.map((s) => j(s, one.breaksAt)?.certainty === 'sure');
    const k = one.keeps.map((s) => j(s, one.keepsAt) === undefined);
    const ok = b.every(Boolean) && k.every(Boolean);
    const says = d.understood !== 'fully';
    if (ok) {
      right++;
      if (says) rightSays++;
    } else {
      wrong++;
      if (says) wrongSays++;
    }
    if (
      what === 'all' ||
      (what === 'wrong' && !ok) ||
      (what === 'silent' && !ok && !says) ||
      (what === 'right' && ok)
    ) {
      const t = (steps: any[]) =>
        steps
          .map((s) =>
            s.toolName
              ? `${s.toolName}${JSON.stringify(s.toolParams)}${s.toolOutput ? '→' + s.toolOutput : ''}`
              : `${s.role[0]}:${s.content ?? s.action}`,
          )
          .join(' ; ');
      console.log(
        `#${name}:${n} [${ok ? 'ok' : 'WRONG'} ${b.map(Number)}|${k.map(Number)} ${d.understood}] ${one.rule}${one.breaksAt.getTime() !== new Date('2026-11-20T12:00:00').getTime() ? ' now ' + one.breaksAt.toISOString() + ' good ' + one.keepsAt.toISOString() : ''}${one.ownDomains.length ? ' own ' + one.ownDomains : ''}\n  = ${d.canonical}\n  unread: ${d.unread.join(', ')} doubts: ${d.doubts.join(' ')}`,
      );
      if (process.argv[4] === 't')
        for (const [l, s] of [
          ...one.breaks.map((s) => ['B', s] as const),
          ...one.keeps.map((s) => ['K', s] as const),
        ])
          console.log(`   ${l} ${t(s)}`);
    }
  }
  console.log(
    `${name}: right ${right}/${n} (say doubt ${rightSays}); wrong ${wrong} say so ${wrongSays} = ${((100 * wrongSays) / Math.max(1, wrong)).toFixed(0)}%`,
  );
}
