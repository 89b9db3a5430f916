/** What a rule would have done to logged actions, and to calls near to one of them. */
import type { Clock } from '#base/clock.ts';
import type { Database } from '#base/db/database.ts';
import type { ActionEngine, RuleFinding, TraceStep } from '#engine/actions/types.ts';
import { canConcern } from '#engine/rules/matching/can-concern.ts';
import type { KnownUser } from '#engine/rules/matching/judged-call.ts';
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

/** Whom the agent acted for, where the log keeps it. */
const userOf = ({ actingUser }: LogEntry): KnownUser | undefined =>
  actingUser === null ? undefined : (JSON.parse(actingUser) as KnownUser);

type JudgeSteps = (steps: readonly TraceStep[], at?: Date, user?: KnownUser) => Tried;

/** @throws AppError 422 for a form that is not one. */
export const createTryRule = (deps: TryDeps) =>
  async function tryRule(caller: Caller, question: TryQuestion): Promise<TriedRule> {
    const { clock, engine, ownDomains } = deps;
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
    const judge: JudgeSteps = (steps, at = new Date(clock.now()), user) =>
      outcomeOf(engine.evaluate(steps, [rule], { now: at, ownDomains, known: { user } }).findings[0]);
    const logged = await tryLogged(deps, { caller, question, draft, judge });
    return {
      draft,
      logged,
      ...tryNear({ steps: question.steps, draft, judge, broken: logged.broken }),
      notTried: draft.rule === undefined ? [] : needsMoreThanCall(draft.rule),
    };
  };

interface Trying {
  readonly caller: Caller;
  readonly question: TryQuestion;
  readonly draft: Draft;
  readonly judge: JudgeSteps;
}

async function tryLogged(
  { db, clock, engine }: TryDeps,
  { caller, question: { days, most }, draft, judge }: Trying,
): Promise<TriedRule['logged']> {
  const found = await listLogs(
    db,
    {
      tenantId: caller.tenantId,
      ...(caller.roles.includes('admin') ? {} : { userId: caller.userId }),
      from: new Date(clock.now() - days * dayMs),
    },
    { limit: most + 1, offset: 0 },
  );
  const tried: TriedEntry[] = [];
  for (const [at, entry] of found.slice(0, most).entries()) {
    if (at > 0 && at % portion === 0) await new Promise(setImmediate);
    const call = callOf(entry);
    if (call === undefined) continue;
    const steps = [{ role: 'agent' as const, ...call, serverName: entry.serverName ?? undefined }];
    tried.push({ ...judge(steps, entry.at, userOf(entry)), ...call, entry });
  }
  const count = (outcome: Outcome) => tried.filter((one) => one.outcome === outcome).length;
  return {
    tried: tried.length,
    skipped: Math.min(found.length, most) - tried.length,
    more: found.length > most,
    counts: { block: count('block'), ask: count('ask'), warn: count('warn'), allow: count('allow') },
    broken: tried.filter(({ outcome }) => outcome !== 'allow').slice(0, mostBroken),
    kept: tried.filter((one) => one.outcome === 'allow' && isNear(draft, one, engine)).slice(0, mostKept),
  };
}

/** The example, and calls that differ from it in one value. */
function tryNear({
  steps,
  draft,
  judge,
  broken,
}: Pick<Trying, 'draft' | 'judge'> & {
  readonly steps: readonly TraceStep[];
  readonly broken: readonly TriedEntry[];
}): Pick<TriedRule, 'example' | 'neighbours'> {
  const at = steps.findLastIndex(({ role }) => role === 'agent');
  const blocked = broken.find(({ outcome }) => outcome === 'block' || outcome === 'ask');
  const { call, from } = baseOf(steps[at], blocked, draft);
  if (call === undefined || draft.rule === undefined) return { example: undefined, neighbours: [] };
  const before = steps.slice(0, Math.max(0, at));
  const user = from === 'log' && blocked !== undefined ? userOf(blocked.entry) : undefined;
  const judgeCall = ({ toolName, toolParams }: TriedCall) =>
    judge([...before, { ...steps[at], role: 'agent', toolName, toolParams }], undefined, user);
  return {
    example: { ...call, ...judgeCall(call), from },
    neighbours: neighboursOf(draft.rule, call).map((one) => ({ ...one, ...judgeCall(one) })),
  };
}

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
