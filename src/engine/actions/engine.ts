import type { TextEngine } from '#engine/text/engine.ts';
import { readCall } from './calls/call.ts';
import { compileRule } from './rules/compile.ts';
import { judgeRule } from './judging/judge-rule.ts';
import { SceneReader, type Scene } from './judging/scene.ts';
import type {
  ActionEngine,
  ActionRule,
  ActionVerdict,
  CompiledRule,
  EvaluateOptions,
  RuleFinding,
  RuleSource,
  TraceStep,
} from './types.ts';

const version = 'actions-6';

/** What a rule has against the judged call, if anything. */
export type RuleJudge = (scene: Scene, rule: ActionRule, known?: object) => RuleFinding | undefined;

/** The call in one line, as logs and mails show it. */
function actionText({ call }: Scene): string {
  if (call.toolName === '') return (call.step.action ?? call.step.content ?? '').slice(0, 500);
  const values = call.leaves.slice(0, 12).map(({ path, text }) => `${path}=${text.slice(0, 80)}`);
  return `${call.toolName}(${values.join(', ')})`.slice(0, 700);
}

function observationText({ lastTurn, request }: Scene): string {
  const text = (lastTurn ?? request.text).replaceAll(/\s+/g, ' ').trim();
  if (text === '') return 'The user asked for nothing.';
  return `The user asked: ${text.length > 280 ? `${text.slice(0, 277)}…` : text}`;
}

function factTexts(scene: Scene): string[] {
  const { call, answered } = scene;
  if (call.toolName === '') return ['The step is a reply without a tool.'];
  const facts = [`${call.toolName} has the effect: ${[...call.effects].join(', ') || 'unknown'}.`];
  facts.push(answered === 0 ? 'No tool output came before it.' : `${answered} tool outputs came before it.`);
  const follow = scene.followed();
  if (follow !== undefined && follow.score >= 0.8)
    facts.push(`A tool output says: "${follow.order.text.slice(0, 160)}".`);
  return facts;
}

class EmbeddedActionEngine implements ActionEngine {
  readonly version = version;
  readonly #reader: SceneReader;
  readonly #judge: RuleJudge;

  constructor(text: TextEngine, judge: RuleJudge) {
    this.#reader = new SceneReader(text);
    this.#judge = judge;
  }

  compile(rule: RuleSource): CompiledRule {
    return compileRule(rule, version);
  }

  effectsOf(step: TraceStep): ReadonlySet<string> {
    return readCall(step).effects;
  }

  evaluate(
    steps: readonly TraceStep[],
    rules: readonly ActionRule[],
    options: EvaluateOptions = {},
  ): ActionVerdict {
    const scene = this.#reader.read(steps, options);
    if (scene === undefined) return { findings: [], observation: '', action: '', facts: [] };
    const findings: RuleFinding[] = [];
    for (const rule of rules) {
      const found = this.#judge(scene, rule, options.known);
      if (found !== undefined) findings.push(found);
    }
    return {
      findings,
      observation: observationText(scene),
      action: actionText(scene),
      facts: factTexts(scene),
    };
  }
}

/**
 * The embedded engine: no language model needed; the text engine is asked about sentences in tool outputs.
 * @param judge what a rule has against a call; `judgeByForm` of `engine/rules` knows rules that are forms as well
 */
export function createActionEngine(text: TextEngine, judge: RuleJudge = judgeRule): ActionEngine {
  return new EmbeddedActionEngine(text, judge);
}
