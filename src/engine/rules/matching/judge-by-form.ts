import { judgeSimilar, similarity } from '../../actions/judging/judge-similar.ts';
import type { EvaluationContext } from '../../actions/judging/evaluation-context.ts';
import type { ActionRule, RuleFinding } from '../../actions/types.ts';
import type { RuleForm } from '../rule-form.ts';
import type { CallContext } from './judged-call.ts';
import { breaksForm } from './match-form.ts';

const [sureFrom, mentionFrom] = [0.6, 0.35];

/** What a call does by its name alone is told less surely than what stands in it: the latter explains a verdict. */
const mostWithoutEvidence = 0.9;

/** A call that has so many words of a half-understood rule, and changes something, may be what the rule means. */
const nearFrom = 0.6;

/** The rule for the engine: as small as judging needs it. */
export const judgeableRule = ({
  ruleId,
  compiled,
  form,
  severity,
  description,
  isDoubtful,
}: ActionRule): ActionRule => ({ ruleId, compiled, form, severity, description, isDoubtful });

/** What was not understood of a sentence may be what forbids the call: likeness in words is then reason to ask. */
function judgeNear(context: EvaluationContext, rule: ActionRule): RuleFinding | undefined {
  const found = judgeSimilar(context, rule);
  if (found === undefined) return undefined;
  const { effects } = context.call;
  const onlyReads = effects.size === 1 && effects.has('read');
  if (onlyReads || similarity(context, rule) < nearFrom) return found;
  return {
    ...found,
    confidence: sureFrom,
    certainty: 'sure',
    reason: `The action has words in common with the rule "${rule.description.slice(0, 160)}", which was understood in part and which nobody has confirmed.`,
    wantsPerson: true,
  };
}

/** What a rule has against the judged call: by its form where it has one, else by likeness in words. */
export function judgeByForm(
  context: EvaluationContext,
  rule: ActionRule,
  known: CallContext = {},
): RuleFinding | undefined {
  if (rule.form === undefined) return judgeSimilar(context, rule);
  const form = rule.form as RuleForm;
  const found = breaksForm({ ...known, context }, form);
  if (found === undefined || found.confidence < mentionFrom)
    return rule.isDoubtful === true ? judgeNear(context, rule) : undefined;
  const detail = found.reason ?? `${context.call.toolName || 'The reply'} does what the rule forbids.`;
  const asks = form.on_missing === 'ask';
  return {
    ruleId: rule.ruleId,
    confidence: Number(
      Math.min(found.confidence, found.reason === undefined ? mostWithoutEvidence : 1).toFixed(3),
    ),
    certainty: found.confidence >= sureFrom ? 'sure' : 'grey',
    reason: asks ? `${detail} Nobody who may do so has approved it.` : detail,
    threatCategory: rule.compiled.threatCategory,
    wantsPerson: asks,
  };
}
