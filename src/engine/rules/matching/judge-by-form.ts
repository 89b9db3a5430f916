import { judgeRule } from '../../actions/judging/judge-rule.ts';
import type { Scene } from '../../actions/judging/scene.ts';
import type { ActionRule, RuleFinding } from '../../actions/types.ts';
import type { RuleForm } from '../rule-form.ts';
import { breaksForm } from './match-form.ts';

const [sureFrom, mentionFrom] = [0.6, 0.35];

/** What a rule has against the judged call: by its form where it has one, else by what the grammar made of it. */
export function judgeByForm(scene: Scene, rule: ActionRule): RuleFinding | undefined {
  if (rule.form === undefined) return judgeRule(scene, rule);
  const form = rule.form as RuleForm;
  const found = breaksForm({ scene }, form);
  if (found === undefined || found.confidence < mentionFrom) return undefined;
  const detail = found.reason ?? `${scene.call.toolName || 'The reply'} does what the rule forbids.`;
  const asks = form.on_missing === 'ask';
  return {
    ruleId: rule.ruleId,
    confidence: Number(found.confidence.toFixed(3)),
    certainty: found.confidence >= sureFrom ? 'sure' : 'grey',
    reason: asks ? `${detail} Nobody who may do so has approved it.` : detail,
    threatCategory: rule.compiled.threatCategory,
    wantsPerson: asks,
  };
}
