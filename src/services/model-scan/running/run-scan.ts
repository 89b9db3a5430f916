/** Executes a scan: sends what is not stored yet, and stores each reply with its judgement before progress moves. */
import type { Clock } from '#base/clock.ts';
import { BatchWriter } from '#base/db/batch-writer.ts';
import type { Database } from '#base/db/database.ts';
import { AppError } from '#base/errors.ts';
import { type Outcome, type Run, RunInterrupted } from '#base/jobs/runs/run.ts';
import type { Logger } from '#base/log/log.ts';
import type { Vault } from '#base/secrets/vault.ts';
import type { Attempt } from '#engine/attacks/attack.ts';
import type { ChatReply, ChatTarget } from '#llm/target/chat-target.ts';
import type { LanguageModel } from '#llm/language-model.ts';
import { TargetError } from '#llm/target/failures.ts';
import type { Outbound } from '#base/net/outbound.ts';
import { sleepUnlessAborted } from './sleep.ts';
import { summarise } from '../results/summarise.ts';
import { getByRun } from '../records/store.ts';
import { type Scan, scanningStep } from '../records/scan.ts';
import { compare } from './compare.ts';
import { openModel, openSecrets, probeAttempts, probeTurns, withoutSecrets } from './open-model.ts';
import * as store from './store.ts';
import { failureSentence, isFatal, mayBeOutage, ScanFailure } from './target-failure.ts';
import { endOf } from './end-of-test.ts';
import { openTests } from './open-tests.ts';
import { SecondModel } from './second-model.ts';
import { judged, nextAttempt, resultOf, unanswered, type Unit } from './unit.ts';

export interface RunScanDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly log: Logger;
  readonly vault: Vault;
  readonly outbound: Outbound;
  readonly requestTimeoutMs: number;
  /** Of the deployment; undefined where none is configured. */
  readonly languageModel?: LanguageModel | undefined;
}

/** How long replies that are on their way are still taken. */
const drainMs = { paused: 20_000, stopping: 3_500 } as const;
/** Failures in a row after which the target is asked whether it is there at all. */
const mostInARow = 5;
const mostUnits = 64;
/** Tests at a time: while some wait until their reply is stored, others are in the places that the target grants. */
const workersFor = (concurrency: number): number => concurrency + Math.max(2, Math.ceil(concurrency / 4));

export const createRunScan =
  (deps: RunScanDeps) =>
  async (run: Run<object, never>): Promise<Outcome<null>> => {
    const { scan, secrets } = await getByRun(deps.db, run.id);
    await run.save(deps.db, { progress: { done: scan.passed, total: scan.total, step: 'initializing' } });
    try {
      const execution = await ScanExecution.open(deps, run, scan, secrets);
      return await execution.run();
    } catch (error) {
      if (error instanceof ScanFailure) return { failed: error.message };
      throw error;
    }
  };

class ScanExecution {
  readonly #deps: RunScanDeps;
  readonly #run: Run<object, never>;
  readonly #scan: Scan;
  readonly #model: ChatTarget;
  readonly #clean: (text: string) => string;
  /** Set where the scan asks for it. */
  readonly #second: SecondModel | undefined;
  /** Aborted when no request may begin any more. */
  readonly #dispatch = new AbortController();
  /** Aborted when replies are not waited for any more. */
  readonly #hard = new AbortController();
  readonly #writer: BatchWriter<store.Committed>;
  #savedAtMs = performance.now();
  #saved = { requests: 0, promptTokens: 0, completionTokens: 0 };
  #failedInARow = 0;
  #checking: Promise<void> | undefined;

  static async open(deps: RunScanDeps, run: Run<object, never>, scan: Scan, sealed: Buffer) {
    const { db, clock, vault, requestTimeoutMs } = deps;
    const { concurrency, qpm, budget } = scan.settings;
    const secrets = openSecrets(vault, scan.scanId, sealed);
    const clean = withoutSecrets(secrets);
    const before = qpm === undefined ? [] : await store.listStarts(db, scan.scanId, new Date(clock.now()));
    try {
      const model = openModel(deps, scan.model, secrets, {
        concurrency,
        queriesPerMinute: qpm,
        startsBefore: before.map((at) => at + store.startMarginMs),
        onStart: async (at) => store.addStart(db, scan.scanId, new Date(at)),
        timeoutMs: requestTimeoutMs,
        budget,
      });
      return new ScanExecution(deps, run, scan, model, clean);
    } catch (error) {
      // The address was allowed when the scan was started, and is not any more.
      if (error instanceof AppError && error.status === 422) throw new ScanFailure(error.detail);
      throw error;
    }
  }

  private constructor(
    deps: RunScanDeps,
    run: Run<object, never>,
    scan: Scan,
    model: ChatTarget,
    clean: (text: string) => string,
  ) {
    this.#deps = deps;
    this.#run = run;
    this.#scan = scan;
    this.#model = model;
    this.#clean = clean;
    const { languageModel, log } = deps;
    if (scan.settings.usesLanguageModel === true && languageModel !== undefined)
      this.#second = new SecondModel(languageModel, log);
    this.#writer = new BatchWriter({
      write: (units) => this.#write(units),
      maxBatch: mostUnits,
      gatherMs: 0,
      maxWaiting: 100_000,
      onLost: () => undefined,
    });
  }

  async run(): Promise<Outcome<null>> {
    const { signal } = this.#run;
    const stop = () => this.#stop();
    signal.addEventListener('abort', stop);
    try {
      if (signal.aborted) stop();
      await this.#probe();
      await this.#run.save(this.#deps.db, {
        progress: { done: this.#scan.passed, total: this.#scan.total, step: scanningStep },
      });
      const postponed = await this.#pass(openTests(this.#deps.db, this.#scan.scanId), true);
      await this.#pass(postponed.values(), false);
    } finally {
      signal.removeEventListener('abort', stop);
      await this.#writer[Symbol.asyncDispose]();
    }
    signal.throwIfAborted();
    return this.#finish();
  }

  /** Stops dispatch at once; replies on their way are taken for a moment, so that they are not asked for again. */
  #stop(): void {
    this.#dispatch.abort(this.#run.signal.reason);
    const { why } = this.#run.signal.reason as RunInterrupted;
    const waitMs = why === 'paused' || why === 'stopping' ? drainMs[why] : 0;
    setTimeout(() => this.#hard.abort(this.#run.signal.reason), waitMs).unref();
  }

  /** One harmless question: a wrong address, key or name is told within seconds. */
  async #probe(): Promise<void> {
    try {
      await this.#model.reply(probeTurns, {
        signal: this.#hard.signal,
        dispatch: this.#dispatch.signal,
        attempts: probeAttempts,
      });
    } catch (error) {
      if (error instanceof TargetError) throw new ScanFailure(this.#clean(failureSentence(error)));
      throw error;
    }
  }

  /**
   * Runs tests, of which as many at a time are at the target as the scan's concurrency.
   * @returns tests that the target may have failed because it was down for a while, where `postpones`
   */
  async #pass(
    tests: Iterator<store.OpenTest> | AsyncIterator<store.OpenTest>,
    postpones: boolean,
  ): Promise<store.OpenTest[]> {
    const postponed: store.OpenTest[] = [];
    const worker = async () => {
      while (!this.#dispatch.signal.aborted) {
        const { value, done } = await tests.next();
        if (done === true) return;
        const test = value as store.OpenTest;
        try {
          if (!(await this.#runTest(test, postpones))) postponed.push(test);
        } catch (error) {
          if (this.#dispatch.signal.aborted) return;
          this.#dispatch.abort(error);
          setTimeout(() => this.#hard.abort(error), drainMs.stopping).unref();
        }
      }
    };
    await Promise.all(Array.from({ length: workersFor(this.#scan.settings.concurrency) }, worker));
    // Its reason is the failure of a test, or the interruption of the run.
    this.#dispatch.signal.throwIfAborted();
    this.#run.signal.throwIfAborted();
    return postponed.sort((a, b) => a.number - b.number);
  }

  /** @returns whether the test is done; else it is to be tried again later */
  async #runTest(test: store.OpenTest, postpones: boolean): Promise<boolean> {
    const { seed } = this.#scan;
    const units: Unit[] = [...test.units];
    const attacker = this.#second?.attacker(this.#hard.signal);
    let attempt = await nextAttempt(test, units, seed, attacker);
    // Its last attempt was stored without its result only by an older version; there is nothing to send.
    if (attempt === undefined) await this.#writer.write(endOf(test, units));
    while (attempt !== undefined) {
      const asked = await this.#ask(attempt, postpones);
      if (asked === 'postponed') return false;
      const sentAt = new Date(this.#deps.clock.now() - asked.latencyMs);
      const unit =
        'error' in asked
          ? unanswered(attempt, asked.error)
          : await this.#judge(test, judged(test, attempt, asked.reply, units));
      units.push(unit);
      const next = await nextAttempt(test, units, seed, attacker);
      await this.#writer.write({
        number: test.number,
        attempt: units.length,
        unit,
        requests: asked.requests,
        latencyMs: asked.latencyMs,
        sentAt,
        ...(next === undefined && { result: resultOf(test, units) }),
      });
      attempt = next;
    }
    return true;
  }

  async #judge(test: store.OpenTest, unit: Unit): Promise<Unit> {
    return (await this.#second?.judge(test, unit, this.#hard.signal)) ?? unit;
  }

  async #ask(attempt: Attempt, postpones: boolean): Promise<Asked | 'postponed'> {
    try {
      const reply = await this.#model.reply(attempt.messages, {
        signal: this.#hard.signal,
        dispatch: this.#dispatch.signal,
        ...attempt.sampling,
      });
      this.#failedInARow = 0;
      return answered(reply, this.#clean);
    } catch (error) {
      if (!(error instanceof TargetError)) throw error;
      if (isFatal(error)) throw new ScanFailure(this.#clean(failureSentence(error)), { cause: error });
      if (mayBeOutage(error)) {
        this.#failedInARow++;
        if (!postpones || this.#failedInARow >= mostInARow) await this.#check();
        if (postpones) return 'postponed';
      }
      return { error: this.#clean(error.detail), requests: error.requests, latencyMs: 0 };
    }
  }

  /** Whether the target is there at all; asked once at a time. @throws ScanFailure */
  #check(): Promise<void> {
    this.#checking ??= this.#probe()
      .then(() => {
        this.#failedInARow = 0;
      })
      .finally(() => (this.#checking = undefined));
    return this.#checking;
  }

  /** Stores units together; while the run goes on, only if this process still holds it. */
  async #write(units: readonly store.Committed[]): Promise<void> {
    const { db } = this.#deps;
    const { signal } = this.#run;
    const now = performance.now();
    const total = this.#model.target.usage();
    const used = {
      activeMs: now - this.#savedAtMs,
      requests: total.requests - this.#saved.requests,
      promptTokens: total.promptTokens - this.#saved.promptTokens,
      completionTokens: total.completionTokens - this.#saved.completionTokens,
    };
    const save = (isFenced: boolean) =>
      db.transaction(async (tx) => {
        const done = await store.saveUnits(tx, this.#scan.scanId, units, used);
        if (isFenced)
          await this.#run.save(tx, { progress: { done, total: this.#scan.total, step: scanningStep } });
      });
    if (!(await this.#saveFenced(save))) {
      // A reply that was on its way when the scan was paused: stored, so that it is not asked for again.
      if (!isDraining(signal.reason)) signal.throwIfAborted();
      await save(false);
    }
    this.#savedAtMs = now;
    this.#saved = total;
  }

  /** @returns false where the run was interrupted */
  async #saveFenced(save: (isFenced: boolean) => Promise<void>): Promise<boolean> {
    const { signal } = this.#run;
    while (!signal.aborted) {
      try {
        await save(true);
        return true;
      } catch (error) {
        if (error instanceof RunInterrupted) return false;
        // The database is away for a moment.
        if (!(error instanceof AppError && error.status === 503)) throw error;
        await sleepUnlessAborted(500, signal);
      }
    }
    return false;
  }

  async #finish(): Promise<Outcome<null>> {
    const { db } = this.#deps;
    const { scanId } = this.#scan;
    await db.transaction((tx) => compare(tx, scanId));
    const { summary, assessed } = await summarise(db, this.#scan);
    if (assessed === 0)
      return {
        failed:
          'None of the replies could be assessed, so that there is no score. Look at the results for the reasons, ' +
          'correct the model and start another scan.',
      };
    return { completed: null, write: (tx) => store.saveSummary(tx, scanId, summary) };
  }
}

type Asked = { readonly requests: number; readonly latencyMs: number } & (
  | { readonly reply: { text: string; isRefused: boolean } }
  | { readonly error: string }
);

const answered = (
  { text, refusedBy, requests, latencyMs }: ChatReply,
  clean: (text: string) => string,
): Asked => ({
  reply: { text: clean(text), isRefused: refusedBy !== undefined },
  requests,
  latencyMs,
});

const isDraining = (reason: unknown): boolean =>
  reason instanceof RunInterrupted && (reason.why === 'paused' || reason.why === 'stopping');
