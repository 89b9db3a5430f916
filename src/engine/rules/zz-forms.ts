import { readFileSync } from 'node:fs';
import { loadTextEngine } from '#engine/text/engine.ts';
import { readRuleFile, ruleFiles } from '../../../test/fixtures/action-rules/read-written.ts';
import { SceneReader } from '../actions/judging/scene.ts';
import { readCanonical } from './canonical.ts';
import { checkForm } from './check-form.ts';
import { breaksForm } from './matching/match-form.ts';
import { draftRule } from './reading/draft.ts';
const reader = new SceneReader(await loadTextEngine());
const forms = new Map<string, string>(
  readFileSync('test/fixtures/action-rules/forms.jsonl', 'utf8')
    .trim()
    .split('\n')
    .map((l) => JSON.parse(l))
    .map((o) => [o.rule, o.form]),
);
let all = 0,
  good = 0;
for (const name of [...ruleFiles('written'), ...ruleFiles('people'), ...ruleFiles('unseen')]) {
  let n = 0,
    ok = 0;
  for (const one of readRuleFile(name)) {
    n++;
    const said = forms.get(one.rule);
    let form: any = draftRule(one.rule).rule;
    if (said !== undefined) {
      const f = readCanonical(said);
      if (!f) {
        console.log('UNREAD', said);
        continue;
      }
      const c = checkForm(f);
      if ('problem' in c) {
        console.log('REFUSED', c.problem, said);
        continue;
      }
      form = c.form;
    }
    const j = (steps: any, now: Date) =>
      form &&
      (breaksForm({ scene: reader.read(steps, { now, ownDomains: one.ownDomains })! }, form)?.confidence ??
        0) >= 0.35;
    const b = one.breaks.map((s) => j(s, one.breaksAt)),
      k = one.keeps.map((s) => !j(s, one.keepsAt));
    if (b.every(Boolean) && k.every(Boolean)) ok++;
    else {
      console.log(`${name}:${n} ${b.map(Number)}|${k.map(Number)} ${one.rule}\n    ${said}`);
    }
  }
  all += n;
  good += ok;
  console.log(`${name} ${ok}/${n}`);
}
console.log(good, all, ((100 * good) / all).toFixed(1));
