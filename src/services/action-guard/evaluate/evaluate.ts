import type { Count } from '#alerts/counts.ts';
import type { Clock } from '#base/clock.ts';
import { invalid, notFound } from '#base/errors.ts';
import type { ActionEngine, ActionVerdict } from '#engine/actions/types.ts';
import { newUuid } from '#base/ids.ts';
import type { Caller } from '#identity/caller.ts';
import type { Approvals, HeldCall } from '../approvals/approvals.ts';
import { type Counting, countedId, type Place } from '../counting/counting.ts';
import type { ActionGuardEvents } from '../events.ts';
import type { LogWriter } from '../logs/log-writer.ts';
import type { LiveSet, LiveSets } from '../sets/live-sets.ts';
import { blockingOf, decide, type Unconfirmed } from './decide.ts';
import type { Evaluation, Question, Verdict } from './evaluation.ts';
import { actingUser, type Given, givenBy, heldCallOf, shownOf, wantedOf, wantsChecked } from './held-call.ts';
import type { Judge, JudgedFindings } from './judge.ts';
import { logEntryOf, type LoggedFields } from './log-entry.ts';

export interface EvaluateDeps {
  readonly engine: ActionEngine;
  readonly clock: Clock;
  readonly liveSets: LiveSets;
  /** Counts over all sessions, for rules that go by them. */
  readonly counting: Counting;
  /** Of calls that nothing but a person's yes is missing for. */
  readonly approvals: Pick<Approvals, 'find' | 'use' | 'giveBack' | 'hold'>;
  readonly logWriter: LogWriter;
  /** Told of every evaluation; nobody waits for it. */
  readonly notices: { announce(evaluation: Evaluation): void };
  readonly events: ActionGuardEvents;
  /** For rules of alerts. */
  readonly count: Count | undefined;
  readonly judge: Judge | undefined;
  readonly logged: LoggedFields;
  /** For sets that name none of their own. */
  readonly ownDomains: readonly string[];
  readonly unconfirmedRules: Unconfirmed;
}

/** What is known of the call that is judged. */
interface Judged {
  readonly question: Question;
  readonly liveSet: LiveSet;
  readonly caller: Caller;
  readonly place: Place | undefined;
}

/** A verdict with what has to be given back where it is not told to anybody after all. */
interface Settled {
  readonly verdict: Verdict;
  readonly giveBack?: (() => Promise<void>) | undefined;
}

/** @throws AppError 422 for a trace without an action */
function refuseNothing({ steps }: Question): void {
  const last = steps.findLast(({ role }) => role === 'agent');
  if (last === undefined)
    throw invalid(
      "'session_history.trace' has no step with the role `agent`, so there is no action to judge. Send the agent's step last.",
    );
  if ([last.toolName, last.action, last.content].every((text = '') => text.trim() === ''))
    throw invalid(
      "The last `agent` step of 'session_history.trace' has neither 'metadata.tool_name' nor 'action', so there is no action to judge.",
    );
}

/** Judges actions by policy sets. */
export class Evaluate {
  readonly #deps: EvaluateDeps;

  constructor(deps: EvaluateDeps) {
    this.#deps = deps;
  }

  /**
   * Answers once the log entry is durable; `behind`: that of an allowed action is written a moment later. A trial has
   * none.
   * @throws AppError 422 for a trace without an action, 404 for a set that the caller's tenant does not have, 503
   * when the entry cannot be written.
   */
  async evaluate(
    caller: Caller,
    question: Question,
    { behind = false }: { behind?: boolean } = {},
  ): Promise<Evaluation> {
    const { clock, liveSets } = this.#deps;
    const start = performance.now();
    refuseNothing(question);
    // What is known is taken without a promise: nearly every verdict waits for nothing.
    const finding = liveSets.find(caller.tenantId, question.policySetId);
    const liveSet = finding instanceof Promise ? await finding : finding;
    if (liveSet === undefined) throw notFound(`The policy set ${question.policySetId}`);
    const callId = newUuid(clock.now());
    const placing = this.#placeOf(question, liveSet, caller, callId);
    const place = placing === undefined ? undefined : await placing;
    const judged = { question, liveSet, caller, place };
    const settling =
      place === undefined ? this.#settle(judged, callId) : this.#settleCounted(judged, place, callId);
    const settled = settling instanceof Promise ? await settling : settling;
    const { verdict } = settled;
    const evaluation = {
      callId,
      question,
      verdict,
      caller,
      liveSet,
      at: new Date(clock.now()),
      latencyMs: performance.now() - start,
    };
    if (question.isTrial === true) return evaluation;
    const logging = this.#log(evaluation, behind, settled);
    if (logging !== undefined) await logging;
    this.#tell(evaluation);
    return evaluation;
  }

  #tell(evaluation: Evaluation): void {
    const { notices, events, count } = this.#deps;
    const { verdict, caller, liveSet } = evaluation;
    if (!verdict.allowed) notices.announce(evaluation);
    events.evaluated(evaluation);
    count?.({
      tenantId: caller.tenantId,
      source: 'actions',
      subject: liveSet.policySetId,
      subjectName: liveSet.name,
      stopped: !verdict.allowed,
      failed: verdict.serviceStatus === 'degraded',
    });
  }

  /** Also where judging failed: what nobody was told may go ahead is not counted. */
  async #settleCounted(judged: Judged, place: Place, callId: string): Promise<Settled> {
    let settled: Settled | undefined;
    try {
      settled = await this.#settle(judged, callId);
      return settled;
    } finally {
      if (settled?.verdict.allowed !== true || judged.question.isTrial === true) await place.giveBack();
    }
  }

  /** Undefined if nobody waits for the entry. */
  #log(evaluation: Evaluation, behind: boolean, settled: Settled): Promise<void> | undefined {
    const { logWriter, logged } = this.#deps;
    const entry = logEntryOf(evaluation, logged);
    if (!behind || !evaluation.verdict.allowed) return this.#write(entry, settled);
    logWriter.writeBehind(entry);
    return undefined;
  }

  async #write(entry: ReturnType<typeof logEntryOf>, { giveBack }: Settled): Promise<void> {
    try {
      await this.#deps.logWriter.write(entry);
    } catch (error) {
      await giveBack?.();
      throw error;
    }
  }

  /** The verdict, with what people have said about the call where the rules want that. */
  #settle(judged: Judged, callId: string): Settled | Promise<Settled> {
    const judging = this.#judge(judged);
    const settle = (verdict: Verdict) => {
      const { question, caller } = judged;
      const call = wantedOf(verdict) && heldCallOf(question, caller, callId);
      return call === undefined || question.isTrial === true
        ? { verdict }
        : this.#settleHeld(judged, verdict, call);
    };
    return judging instanceof Promise ? judging.then(settle) : settle(judging);
  }

  async #settleHeld(judged: Judged, verdict: Verdict, call: HeldCall): Promise<Settled> {
    const { question, caller } = judged;
    const { approvals } = this.#deps;
    const known = await approvals.find(call);
    const given = known && givenBy(known, actingUser(question, caller, judged.liveSet).id);
    if (known?.status === 'denied') return { verdict: { ...verdict, held: known } };
    if (given === undefined) return { verdict: await this.#held(judged, verdict, call) };
    const again = await this.#judge(judged, given);
    if (again.allowed && (await approvals.use(given.approval, call.callId)))
      return {
        verdict: { ...again, usedApprovalId: given.approval.approvalId },
        giveBack: () => approvals.giveBack(given.approval, call.callId),
      };
    return { verdict: await this.#held(judged, again.allowed ? verdict : again, call) };
  }

  /** Keeps the call for a person to decide, where the asking application wants that. */
  async #held({ question, caller }: Judged, verdict: Verdict, call: HeldCall): Promise<Verdict> {
    const wanted = wantedOf(verdict);
    const { hold } = question;
    if (wanted === undefined || hold === 'never' || (hold === 'checked' && !wantsChecked(verdict)))
      return verdict;
    const shown = shownOf(question, caller, this.#deps.logged.paramsBytes);
    return { ...verdict, held: await this.#deps.approvals.hold(call, shown, wanted) };
  }

  #judge(judged: Judged, given?: Given): Verdict | Promise<Verdict> {
    const { question, liveSet, caller, place } = judged;
    const { engine, clock, judge } = this.#deps;
    const { steps, fastMode } = question;
    const found = engine.evaluate(steps, liveSet.rules, {
      fastMode,
      now: new Date(clock.now()),
      known: {
        user: actingUser(question, caller, liveSet),
        approvals: given?.checked,
        ...place,
      },
      ownDomains: liveSet.ownDomains.length > 0 ? liveSet.ownDomains : this.#deps.ownDomains,
    });
    const decided = (by: JudgedFindings) => this.#verdictOf(judged, found, by, given);
    return judge === undefined
      ? decided({ findings: found.findings, status: 'ok' })
      : judge.judge({ steps, liveSet, verdict: found, fastMode }).then(decided);
  }

  #verdictOf(
    { question, liveSet }: Judged,
    { observation, action, facts, unread }: ActionVerdict,
    { findings, status }: JudgedFindings,
    given: Given | undefined,
  ): Verdict {
    const decision = decide(findings, liveSet, blockingOf(liveSet.blockingConfig, question.blockingConfig), {
      unconfirmed: this.#deps.unconfirmedRules,
      approved: given?.rules,
      action,
    });
    return {
      ...decision,
      serviceStatus: status,
      observation,
      action,
      facts,
      unread,
      approvedBy: given?.approval.grants.map(({ username }) => username) ?? [],
    };
  }

  /** Most sets count nothing beyond the session, and pay nothing for it. */
  #placeOf(
    question: Question,
    liveSet: LiveSet,
    { tenantId, userId }: Caller,
    logId: string,
  ): Promise<Place | undefined> | undefined {
    const { steps } = question;
    const step = steps.findLast(({ role }) => role === 'agent');
    const { counters } = liveSet;
    if (counters.length === 0 || step === undefined) return undefined;
    const callId = countedId(logId, { ...question, userId }, step);
    return this.#deps.counting.take({ tenantId, ...liveSet }, { callId, logId }, steps, counters);
  }
}
