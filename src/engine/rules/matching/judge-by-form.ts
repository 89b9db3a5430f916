import { judgeSimilar, similarity } from '../../actions/judging/judge-similar.ts';
import type { EvaluationContext } from '../../actions/judging/evaluation-context.ts';
import { sayUnread } from '../../actions/calls/reach.ts';
import type { Met } from '../../actions/judging/met.ts';
import type { ActionRule, RuleFinding } from '../../actions/types.ts';
import type { RuleForm } from '../rule-form.ts';
import type { CallContext, JudgedCall } from './judged-call.ts';
import { breaksForm, mayBreakForm } from './match-form.ts';
import { unreadFor } from './unread.ts';

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

/**
 * A rule that was understood in part may mean a call that its form does not: one that does what the rule is about, where
 * only words of the sentence tell it from a breach, and one that has most words of the sentence and changes something.
 */
function judgeDoubtful(
  at: JudgedCall,
  rule: ActionRule,
  form: RuleForm,
  found: Met,
): RuleFinding | undefined {
  const { context } = at;
  const { effects } = context.call;
  const onlyReads = effects.size === 1 && effects.has('read');
  const isAlike = !onlyReads && similarity(context, rule) >= nearFrom;
  const isMeant = (found?.confidence ?? 0) >= mentionFrom || mayBreakForm(at, form);
  if (!isAlike && !isMeant) return judgeSimilar(context, rule);
  const why = isAlike ? 'has words in common with' : 'may be what is meant by';
  return {
    ruleId: rule.ruleId,
    confidence: sureFrom,
    certainty: 'sure',
    reason: `The action ${why} the rule "${rule.description.slice(0, 160)}", which was understood in part and which nobody has confirmed.`,
    threatCategory: rule.compiled.threatCategory,
    wantsPerson: true,
    isByWords: true,
  };
}

const mostSaid = 3;

/** A call that was not read whole is no breach, but nobody can tell that it is none: a person looks at it. */
function judgeUnread(at: JudgedCall, rule: ActionRule, form: RuleForm): RuleFinding | undefined {
  const unread = unreadFor(at, form);
  if (unread.length === 0) return undefined;
  return {
    ruleId: rule.ruleId,
    confidence: sureFrom,
    certainty: 'sure',
    reason: `Nobody can tell whether the call breaks the rule: ${unread.slice(0, mostSaid).map(sayUnread).join('; ')}.`,
    threatCategory: rule.compiled.threatCategory,
    wantsPerson: true,
    isByWords: true,
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
  const at = { ...known, context };
  const found = breaksForm(at, form);
  const unread = (found?.confidence ?? 0) < sureFrom ? judgeUnread(at, rule, form) : undefined;
  if (unread !== undefined) return unread;
  const leastSure = rule.isDoubtful === true ? sureFrom : mentionFrom;
  if (found === undefined || found.confidence < leastSure)
    return rule.isDoubtful === true ? judgeDoubtful(at, rule, form, found) : undefined;
  return findingOf(context, rule, form, found);
}

function findingOf(
  context: EvaluationContext,
  rule: ActionRule,
  form: RuleForm,
  found: NonNullable<Met>,
): RuleFinding {
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
