/** Tries rules on recorded calls, by the action guard itself. */
import type { AskService } from '#base/contract/ask-service.ts';
import type { Caller } from '#identity/caller.ts';
import { tryOperations } from '#services/action-guard/contract/trying.ts';
import type { RuleForm } from './propose.ts';
import type { CallInSession } from './session-calls.ts';

export interface TriedCall {
  readonly tool: string;
  readonly input: Record<string, unknown>;
  readonly outcome: 'block' | 'ask' | 'warn' | 'allow';
  readonly reason: string | null;
}

export const isStopped = ({ outcome }: Pick<TriedCall, 'outcome'>): boolean =>
  outcome === 'block' || outcome === 'ask';

/** One rule, on as many calls as are asked for. */
export class RuleTrial {
  readonly #ask: AskService<Caller>;
  readonly #caller: Caller;
  readonly #rule: RuleForm;
  canonical = '';

  constructor(ask: AskService<Caller>, caller: Caller, rule: RuleForm) {
    this.#ask = ask;
    this.#caller = caller;
    this.#rule = rule;
  }

  /** What the rule says of a call with all before it. @throws AppError 422 for a rule that is none */
  async judge({ tool, input, trace }: CallInSession): Promise<TriedCall> {
    const { canonical, example } = await this.#ask(tryOperations.tryRule, this.#caller, {
      // Logged actions are not what this is about: as few as may be.
      body: { rule: this.#rule, days: 1, most: 1, trace: [...trace] },
    });
    this.canonical = canonical ?? '';
    const call = { tool, input };
    if (example?.from !== 'trace') return { ...call, outcome: 'allow', reason: null };
    return { ...call, outcome: example.outcome, reason: example.reason ?? null };
  }

  /** Those of the calls that the rule stops. */
  async stopped(calls: readonly CallInSession[]): Promise<TriedCall[]> {
    const stopped: TriedCall[] = [];
    for (const call of calls) {
      const tried = await this.judge(call);
      if (isStopped(tried)) stopped.push(tried);
    }
    return stopped;
  }
}
