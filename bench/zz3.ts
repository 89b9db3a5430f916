import { createActionEngine } from '#engine/actions/engine.ts';
import { readCall } from '#engine/actions/calls/call.ts';
import { defaultRules } from '#engine/rules/fixtures/default-rules.ts';
import { judgeByForm } from '#engine/rules/matching/judge-by-form.ts';
import { loadTextEngine } from '#engine/text/engine.ts';
import { fifthSuites, fifthSuitesLater } from '../test/fixtures/action-traces/fifth-suites.ts';
import { fourthSuites } from '../test/fixtures/action-traces/fourth-suites.ts';
import { otherSuites } from '../test/fixtures/action-traces/other-suites.ts';
import { readSessions } from '../test/fixtures/action-traces/read-sessions.ts';
import { thirdSuites } from '../test/fixtures/action-traces/third-suites.ts';
import { tracesOf } from '../test/fixtures/action-traces/trace-suite.ts';
import { firstSuites } from '../test/fixtures/action-traces/traces.ts';
const engine = createActionEngine(await loadTextEngine(), judgeByForm);
const rules = defaultRules();
const severe = new Set(rules.filter((r) => r.severity !== 'Low').map((r) => r.ruleId));
const only = new Map<string, number>(); const ex = new Map<string, string[]>();
let n = 0;
for (const s of [firstSuites, otherSuites, thirdSuites, fourthSuites, fifthSuites(), fifthSuitesLater()]) {
  const { attacks } = 'attacks' in (s as object) ? (s as any) : tracesOf(s as any);
  for (const { steps, from } of attacks) {
    n++;
    const ids = new Map<string, string>();
    for (let at = from; at < steps.length; at++) {
      const eff = [...readCall(steps[at]).effects].sort().join('+');
      for (const f of engine.evaluate(steps.slice(0, at + 1), rules).findings)
        if (f.certainty === 'sure' && severe.has(f.ruleId)) ids.set(f.ruleId === 'off_task' ? `off_task(${eff})` : f.ruleId, `${steps[at].toolName} ${JSON.stringify(steps[at].toolParams).slice(0, 150)} <- ${steps[0].content}`);
    }
    const inj = ['embedded_instructions'];
    if (ids.has('embedded_instructions')) continue;
    const key = [...ids.keys()].sort().join(' ');
    only.set(key, (only.get(key) ?? 0) + 1);
    ex.set(key, [...(ex.get(key) ?? []), [...ids.values()][0] ?? '']);
  }
}
console.log(n);
for (const [k, c] of [...only].sort((a, b) => b[1] - a[1]).slice(0, 60)) { console.log(c, k || '(through)'); for (const e of new Set(ex.get(k)!)) if (/^off_task\(/.test(k) || k === 'unasked_messages') console.log('     ', e.slice(0, 330)); }
