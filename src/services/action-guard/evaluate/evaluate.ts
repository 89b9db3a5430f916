import type { Clock } from '#base/clock.ts';
import { invalid, notFound } from '#base/errors.ts';
import type { ActionEngine } from '#engine/actions/types.ts';
import { newUuid } from '#base/ids.ts';
import type { Caller } from '#identity/caller.ts';
import type { Counting, Place } from '../counting/counting.ts';
import type { ActionGuardEvents } from '../events.ts';
import type { LogWriter } from '../logs/log-writer.ts';
import type { LiveSet, LiveSets } from '../sets/live-sets.ts';
import { blockingOf, decide, type Unconfirmed } from './decide.ts';
import type { Evaluation, Question, Verdict } from './evaluation.ts';
import type { Judge } from './judge.ts';
import { logEntryOf, type LoggedFields } from './log-entry.ts';

export interface EvaluateDeps {
  readonly engine: ActionEngine;
  readonly clock: Clock;
  readonly liveSets: LiveSets;
  /** Counts over all sessions, for rules that go by them. */
  readonly counting: Counting;
  readonly logWriter: LogWriter;
  /** Told of every evaluation; nobody waits for it. */
  readonly notices: { announce(evaluation: Evaluation): void };
  readonly events: ActionGuardEvents;
  readonly judge: Judge | undefined;
  readonly logged: LoggedFields;
  /** For sets that name none of their own. */
  readonly ownDomains: readonly string[];
  readonly unconfirmedRules: Unconfirmed;
}

export type Evaluate = ReturnType<typeof createEvaluate>;

/** Judging actions by policy sets. */
export function createEvaluate(deps: EvaluateDeps) {
  const { engine, clock, liveSets, logWriter, notices, events, judge } = deps;

  async function verdictOn(
    question: Question,
    liveSet: LiveSet,
    known: { caller: Caller; place: Place | undefined },
  ): Promise<Verdict> {
    const { steps, fastMode } = question;
    const found = engine.evaluate(steps, liveSet.rules, {
      fastMode,
      now: new Date(clock.now()),
      known: {
        user: question.user ?? { id: known.caller.userId, roles: [] },
        countBefore: known.place?.countBefore,
      },
      ownDomains: liveSet.ownDomains.length > 0 ? liveSet.ownDomains : deps.ownDomains,
    });
    const judged = await judge?.judge({ steps, liveSet, verdict: found, fastMode });
    const decision = decide(
      judged?.findings ?? found.findings,
      liveSet,
      blockingOf(liveSet.blockingConfig, question.blockingConfig),
      deps.unconfirmedRules,
    );
    const { observation, action, facts } = found;
    return { ...decision, serviceStatus: judged?.status ?? 'ok', observation, action, facts };
  }

  /** Most sets count nothing beyond the session, and pay nothing for it. */
  async function placeOf(
    { steps }: Question,
    { counters }: LiveSet,
    { tenantId, callId }: { tenantId: string; callId: string },
  ): Promise<Place | undefined> {
    const step = steps.findLast(({ role }) => role === 'agent');
    return counters.length === 0 || step === undefined
      ? undefined
      : deps.counting.take(tenantId, callId, step, counters);
  }

  return {
    /**
     * Answers once the log entry is durable; `behind`: that of an allowed action is written a moment later.
     * @throws AppError 422 for a trace without an action, 404 for a set that the caller's tenant does not have, 503
     * when the entry cannot be written.
     */
    async evaluate(
      caller: Caller,
      question: Question,
      { behind = false }: { behind?: boolean } = {},
    ): Promise<Evaluation> {
      const start = performance.now();
      if (!question.steps.some(({ role }) => role === 'agent'))
        throw invalid(
          "'session_history.trace' has no step with the role `agent`, so there is no action to judge. Send the agent's step last.",
        );
      const liveSet = await liveSets.find(caller.tenantId, question.policySetId);
      if (liveSet === undefined) throw notFound(`The policy set ${question.policySetId}`);
      const callId = newUuid(clock.now());
      const place = await placeOf(question, liveSet, { tenantId: caller.tenantId, callId });
      let verdict: Verdict | undefined;
      try {
        verdict = await verdictOn(question, liveSet, { caller, place });
      } finally {
        // Also where judging failed: what nobody was told may go ahead is not counted.
        if (verdict?.allowed !== true) await place?.giveBack();
      }
      const evaluation = {
        callId,
        question,
        verdict,
        caller,
        liveSet,
        at: new Date(clock.now()),
        latencyMs: performance.now() - start,
      };
      const entry = logEntryOf(evaluation, deps.logged);
      if (behind && verdict.allowed) logWriter.writeBehind(entry);
      else await logWriter.write(entry);
      if (!verdict.allowed) notices.announce(evaluation);
      events.evaluated(evaluation);
      return evaluation;
    },
  };
}
