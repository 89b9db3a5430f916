/** What a rule would have done to logged actions, and to calls near to one of them. */
import type { Clock } from '#base/clock.ts';
import type { Database } from '#base/db/database.ts';
import type { ActionEngine, RuleFinding, TraceStep } from '#engine/actions/types.ts';
import { canConcern } from '#engine/rules/matching/can-concern.ts';
import { certainDraft, type Draft, draftRule } from '#engine/rules/reading/draft.ts';
import { exampleCall, type TriedCall } from '#engine/rules/trying/example-call.ts';
import { type Neighbour, needsMoreThanCall, neighboursOf } from '#engine/rules/trying/neighbours.ts';
import type { Caller } from '#identity/caller.ts';
import { listLogs, type LogEntry } from '../logs/store.ts';
import { checkedForm } from '../rules/rule.ts';

export interface TryDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly engine: ActionEngine;
  readonly ownDomains: readonly string[];
}

export interface TryQuestion {
  readonly text: string | undefined;
  /** A form, not checked yet. */
  readonly rule: unknown;
  readonly days: number;
  readonly most: number;
  readonly steps: readonly TraceStep[];
}

export type Outcome = 'block' | 'ask' | 'warn' | 'allow';

export interface Tried {
  readonly outcome: Outcome;
  readonly reason: string | undefined;
}

export type TriedEntry = Tried & TriedCall & { readonly entry: LogEntry };

export interface TriedRule {
  readonly draft: Draft;
  readonly logged: {
    readonly tried: number;
    readonly skipped: number;
    readonly more: boolean;
    readonly counts: Readonly<Record<Outcome, number>>;
    readonly broken: readonly TriedEntry[];
    readonly kept: readonly TriedEntry[];
  };
  readonly example: (Tried & TriedCall & { readonly from: 'trace' | 'log' | 'rule' }) | undefined;
  readonly neighbours: readonly (Tried & Neighbour)[];
  readonly notTried: readonly string[];
}

const dayMs = 86_400_000;
const [mostBroken, mostKept] = [100, 20];
/** Entries are judged in portions, so that other requests are served in between. */
const portion = 100;

const outcomeOf = (finding: RuleFinding | undefined): Tried =>
  finding === undefined
    ? { outcome: 'allow', reason: undefined }
    : {
        outcome: finding.certainty === 'grey' ? 'warn' : finding.wantsPerson ? 'ask' : 'block',
        reason: finding.reason,
      };

/** The logged call; undefined where the log kept only its beginning. */
function callOf({ toolName, toolParams }: LogEntry): TriedCall | undefined {
  const params = JSON.parse(toolParams) as Record<string, unknown>;
  return params._truncated === true ? undefined : { toolName: toolName ?? '', toolParams: params };
}

/** @throws AppError 422 for a form that is not one. */
export const createTryRule = ({ db, clock, engine, ownDomains }: TryDeps) =>
  async function tryRule(caller: Caller, question: TryQuestion): Promise<TriedRule> {
    const draft =
      question.text === undefined
        ? certainDraft(checkedForm(question.rule, 'rule'))
        : draftRule(question.text);
    const rule = {
      ruleId: 'rul_tried',
      compiled: draft.compiled,
      form: draft.rule,
      severity: 'High' as const,
      description: question.text ?? '',
      isDoubtful: draft.understood === 'partly',
    };
    const judge = (steps: readonly TraceStep[], at = new Date(clock.now())): Tried =>
      outcomeOf(engine.evaluate(steps, [rule], { now: at, ownDomains }).findings[0]);
    const judgeCall = ({ toolName, toolParams }: TriedCall, at?: Date, serverName?: string): Tried =>
      judge([{ role: 'agent', toolName, toolParams, serverName }], at);

    const found = await listLogs(
      db,
      {
        tenantId: caller.tenantId,
        ...(caller.roles.includes('admin') ? {} : { userId: caller.userId }),
        from: new Date(clock.now() - question.days * dayMs),
      },
      { limit: question.most + 1, offset: 0 },
    );
    const entries = found.slice(0, question.most);
    const counts = { block: 0, ask: 0, warn: 0, allow: 0 };
    const [broken, kept]: [TriedEntry[], TriedEntry[]] = [[], []];
    let skipped = 0;
    for (const [at, entry] of entries.entries()) {
      if (at > 0 && at % portion === 0) await new Promise(setImmediate);
      const call = callOf(entry);
      if (call === undefined) {
        skipped += 1;
        continue;
      }
      const tried = judgeCall(call, entry.at, entry.serverName ?? undefined);
      counts[tried.outcome] += 1;
      if (tried.outcome !== 'allow' && broken.length < mostBroken) broken.push({ ...tried, ...call, entry });
      if (tried.outcome === 'allow' && kept.length < mostKept && isNear(draft, call, engine))
        kept.push({ ...tried, ...call, entry });
    }

    const step = question.steps.findLast(({ role }) => role === 'agent');
    const blocked = broken.find(({ outcome }) => outcome === 'block' || outcome === 'ask');
    const { call, from } = baseOf(step, blocked, draft);
    const example = call && {
      ...call,
      ...(from === 'trace' ? judge(question.steps) : judgeCall(call)),
      from,
    };
    const before =
      from === 'trace' && step !== undefined ? question.steps.slice(0, question.steps.lastIndexOf(step)) : [];
    const neighbours =
      call === undefined || draft.rule === undefined
        ? []
        : neighboursOf(draft.rule, call).map((one) => ({
            ...one,
            ...judge([
              ...before,
              { ...step, role: 'agent', toolName: one.toolName, toolParams: one.toolParams },
            ]),
          }));
    return {
      draft,
      logged: {
        tried: entries.length - skipped,
        skipped,
        more: found.length > entries.length,
        counts,
        broken,
        kept,
      },
      example,
      neighbours,
      notTried: draft.rule === undefined ? [] : needsMoreThanCall(draft.rule),
    };
  };

/** A call of the kind that the rule is about. */
function isNear({ rule }: Draft, { toolName, toolParams }: TriedCall, engine: ActionEngine): boolean {
  return rule !== undefined && canConcern(rule, engine.effectsOf({ role: 'agent', toolName, toolParams }));
}

function baseOf(
  step: TraceStep | undefined,
  blocked: TriedEntry | undefined,
  { rule }: Draft,
): { call: TriedCall | undefined; from: 'trace' | 'log' | 'rule' } {
  if (step !== undefined)
    return { call: { toolName: step.toolName ?? '', toolParams: step.toolParams ?? {} }, from: 'trace' };
  if (blocked !== undefined)
    return { call: { toolName: blocked.toolName, toolParams: blocked.toolParams }, from: 'log' };
  return { call: rule && exampleCall(rule), from: 'rule' };
}
