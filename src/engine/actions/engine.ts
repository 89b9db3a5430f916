import type { TextEngine } from '#engine/text/engine.ts';
import { readCall } from './calls/call.ts';
import { sayUnread, type Unread } from './calls/reach.ts';
import { ContextReader, type EvaluationContext } from './judging/evaluation-context.ts';
import { leftBySearchForThreats } from './judging/threats.ts';
import type {
  ActionEngine,
  ActionRule,
  ActionVerdict,
  EvaluateOptions,
  RuleFinding,
  TraceStep,
} from './types.ts';

const version = 'actions-7';

/** What a rule has against the judged call, if anything. */
export type RuleJudge = (
  context: EvaluationContext,
  rule: ActionRule,
  known?: object,
) => RuleFinding | undefined;

/** The call in one line, as logs and mails show it. */
function actionText({ call }: EvaluationContext): string {
  if (call.toolName === '') return (call.step.action ?? call.step.content ?? '').slice(0, 500);
  const values = call.leaves.slice(0, 12).map(({ path, text }) => `${path}=${text.slice(0, 80)}`);
  return `${call.toolName}(${values.join(', ')})`.slice(0, 700);
}

function observationText({ lastTurn, request }: EvaluationContext): string {
  const text = (lastTurn ?? request.text).replaceAll(/\s+/g, ' ').trim();
  if (text === '') return 'The user asked for nothing.';
  return `The user asked: ${text.length > 280 ? `${text.slice(0, 277)}…` : text}`;
}

/** What of the call was not read, and what no search that a rule asked for has reached. */
function unreadOf(context: EvaluationContext): readonly Unread[] {
  const { unread } = context.call;
  const left = leftBySearchForThreats(context);
  return left.length === 0
    ? unread
    : [...unread, ...left.filter(({ path }) => !unread.some((one) => one.path === path))];
}

function factTexts(context: EvaluationContext, unread: readonly Unread[]): string[] {
  const { call, answered } = context;
  if (call.toolName === '') return ['The step is a reply without a tool.'];
  const facts = [`${call.toolName} has the effect: ${[...call.effects].join(', ') || 'unknown'}.`];
  facts.push(answered === 0 ? 'No tool output came before it.' : `${answered} tool outputs came before it.`);
  const follow = context.followed();
  if (follow !== undefined && follow.score >= 0.8)
    facts.push(`A tool output says: "${follow.order.text.slice(0, 160)}".`);
  if (unread.length > 0) facts.push(`The call was not read whole: ${unread.map(sayUnread).join('; ')}.`);
  return facts;
}

class EmbeddedActionEngine implements ActionEngine {
  readonly version = version;
  readonly #reader: ContextReader;
  readonly #judge: RuleJudge;

  constructor(text: TextEngine, judge: RuleJudge) {
    this.#reader = new ContextReader(text);
    this.#judge = judge;
  }

  effectsOf(step: TraceStep): ReadonlySet<string> {
    return readCall(step).effects;
  }

  evaluate(
    steps: readonly TraceStep[],
    rules: readonly ActionRule[],
    options: EvaluateOptions = {},
  ): ActionVerdict {
    const context = this.#reader.read(steps, options);
    if (context === undefined) return { findings: [], observation: '', action: '', facts: [], unread: [] };
    const findings: RuleFinding[] = [];
    for (const rule of rules) {
      const found = this.#judge(context, rule, options.known);
      if (found !== undefined) findings.push(found);
    }
    const unread = unreadOf(context);
    return {
      findings,
      observation: observationText(context),
      action: actionText(context),
      facts: factTexts(context, unread),
      unread,
    };
  }
}

/**
 * The embedded engine: no language model needed; the text engine is asked about sentences in tool outputs.
 * @param judge what a rule has against a call: `judgeByForm` of `engine/rules`
 */
export function createActionEngine(text: TextEngine, judge: RuleJudge): ActionEngine {
  return new EmbeddedActionEngine(text, judge);
}
