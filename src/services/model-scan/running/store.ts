import type { Queries } from '#base/db/database.ts';
import { json } from '#base/db/values.ts';
import type { ScanCase } from '#engine/model-scan/case.ts';
import { windowMs } from '#llm/target/pacing.ts';
import type { Test, TestResult, Unit } from './unit.ts';

export interface OpenTest extends Test {
  /** What is stored of it. */
  readonly units: readonly Unit[];
}

/** Tests that are not done, in order, with their stored attempts. */
export async function listOpenTests(
  db: Queries,
  scanId: string,
  { after, limit }: { after: number; limit: number },
): Promise<OpenTest[]> {
  const tests = await db.query<{ number: number; algorithm: string; body: ScanCase }>(
    `select t.number, t.algorithm, c.body from model_scan.tests t
        join model_scan.cases c on c.scan_id = t.scan_id and c.case_id = t.case_id
      where t.scan_id = $1 and t.done_at is null and t.number > $2 order by t.number limit $3`,
    [scanId, after, limit],
  );
  const units = await db.query<Unit & { number: number } & Record<string, unknown>>(
    `select a.number, a.key, a.messages, a.parameters, a.reply, a.decoded, a.score, a.refusal, a.reason,
        a.judged_by as "judgedBy", a.error from model_scan.attempts a
      where a.scan_id = $1 and a.number = any($2::integer[]) order by a.number, a.attempt`,
    [scanId, tests.map(({ number }) => number)],
  );
  return tests.map(({ number, algorithm, body }) => ({
    number,
    algorithm,
    case: body,
    units: units.filter((unit) => unit.number === number),
  }));
}

/** What is stored of a unit, together. */
export interface Committed {
  readonly number: number;
  /** Counted from 1. */
  readonly attempt: number;
  readonly unit: Unit;
  readonly requests: number;
  readonly latencyMs: number;
  readonly sentAt: Date;
  /** Set where the test is done with it. */
  readonly result?: TestResult | undefined;
}

export interface Used {
  readonly activeMs: number;
  readonly requests: number;
  readonly promptTokens: number;
  readonly completionTokens: number;
}

/** Stores units, and answers how many tests of the scan are done. What is stored already stays as it is. */
export async function saveUnits(
  tx: Queries,
  scanId: string,
  committed: readonly Committed[],
  used: Used,
): Promise<number> {
  const attempts = committed.filter(({ attempt }) => attempt > 0).map(attemptRow);
  const results = committed.flatMap(({ number, result }) =>
    result === undefined ? [] : [{ number, ...result }],
  );
  // One statement: on the embedded database each is a way to another thread and back.
  const [row] = await tx.query<{ passed: number }>(
    `with kept as (
        insert into model_scan.attempts (scan_id, number, attempt, key, messages, parameters, reply, decoded, score,
            refusal, reason, judged_by, error, requests, latency_ms, sent_at)
          select $1, number, attempt, key, messages, parameters, reply, decoded, score, refusal, reason, judged_by, error,
            requests, latency_ms, sent_at
          from json_to_recordset($2::json) as each(number integer, attempt integer, key text, messages json,
            parameters json, reply text, decoded text, score smallint, refusal text, reason text, judged_by text,
            error text, requests integer, latency_ms double precision, sent_at timestamptz)
          on conflict do nothing
      ), done as (
        update model_scan.tests t set done_at = clock_timestamp(), score = each.score, reason = each.reason,
            attempt = each.attempt, attempts = each.attempts
          from json_to_recordset($3::json) as each(number integer, score smallint, reason text, attempt integer,
            attempts integer)
          where t.scan_id = $1 and t.number = each.number and t.done_at is null returning 1 as one
      )
      update model_scan.scans set passed = passed + (select count(*) from done), active_ms = active_ms + $4,
          requests = requests + $5, prompt_tokens = prompt_tokens + $6, completion_tokens = completion_tokens + $7
        where scan_id = $1 returning passed`,
    [
      scanId,
      json(attempts),
      json(results),
      used.activeMs,
      used.requests,
      used.promptTokens,
      used.completionTokens,
    ],
  );
  return row?.passed ?? 0;
}

const attemptRow = ({ number, attempt, unit, requests, latencyMs, sentAt }: Committed) => ({
  number,
  attempt,
  key: unit.key,
  messages: unit.messages,
  parameters: unit.parameters,
  reply: unit.reply,
  decoded: unit.decoded,
  score: unit.score,
  refusal: unit.refusal,
  reason: unit.reason,
  judged_by: unit.judgedBy,
  error: unit.error,
  requests,
  latency_ms: latencyMs,
  sent_at: sentAt.toISOString(),
});

/** The last replies to cases that are sent as they are, for comparisons; none where a reply is missing. */
export async function listComparisons(db: Queries, scanId: string): Promise<Comparison[]> {
  return db.query<Comparison & Record<string, unknown>>(
    `select t.number, t.attempts as attempt, c.body, mine.reply, other.reply as "otherReply", oc.body as "otherBody"
      from model_scan.tests t
        join model_scan.cases c on c.scan_id = t.scan_id and c.case_id = t.case_id
        left join model_scan.attempts mine
          on mine.scan_id = t.scan_id and mine.number = t.number and mine.attempt = t.attempts
        left join model_scan.tests o
          on o.scan_id = t.scan_id and o.case_id = c.body -> 'expect' ->> 'case' and o.algorithm = t.algorithm
        left join model_scan.cases oc on oc.scan_id = o.scan_id and oc.case_id = o.case_id
        left join model_scan.attempts other
          on other.scan_id = o.scan_id and other.number = o.number and other.attempt = o.attempts
      where t.scan_id = $1 and t.algorithm = 'Default' and c.body -> 'expect' ->> 'kind' = 'same_as'
      order by t.number`,
    [scanId],
  );
}

export interface Comparison {
  readonly number: number;
  readonly attempt: number;
  readonly body: ScanCase;
  readonly reply: string | null;
  readonly otherReply: string | null;
  /** Null where the scan does not have the other case. */
  readonly otherBody: ScanCase | null;
}

export async function saveComparison(
  tx: Queries,
  scanId: string,
  { number, attempt }: Comparison,
  { score, reason, refusal, judgedBy }: Pick<Unit, 'score' | 'reason' | 'refusal' | 'judgedBy'>,
): Promise<void> {
  await tx.query('update model_scan.tests set score = $3, reason = $4 where scan_id = $1 and number = $2', [
    scanId,
    number,
    score,
    reason,
  ]);
  await tx.query(
    `update model_scan.attempts set score = $4, reason = $5, refusal = $6, judged_by = $7
      where scan_id = $1 and number = $2 and attempt = $3`,
    [scanId, number, attempt, score, reason, refusal, judgedBy],
  );
}

/**
 * Starts of another process count as begun so much later: its requests began after they were written down, which takes
 * long on a busy machine.
 */
export const startMarginMs = 3_000;
const keptMs = windowMs + startMarginMs;

/** Starts that still count in the window, oldest first. */
export async function listStarts(db: Queries, scanId: string, now: Date): Promise<number[]> {
  const rows = await db.query<{ at: Date }>(
    'select at from model_scan.starts where scan_id = $1 and at > $2 order by at',
    [scanId, new Date(now.getTime() - keptMs)],
  );
  return rows.map(({ at }) => at.getTime());
}

export async function addStart(db: Queries, scanId: string, at: Date): Promise<void> {
  await db.query(
    `with old as (delete from model_scan.starts where scan_id = $1 and at < $3)
      insert into model_scan.starts (scan_id, at) values ($1, $2)`,
    [scanId, at, new Date(at.getTime() - keptMs)],
  );
}

export async function saveSummary(tx: Queries, scanId: string, summary: object): Promise<void> {
  await tx.query('update model_scan.scans set summary = $2::json, finished_at = now() where scan_id = $1', [
    scanId,
    summary,
  ]);
}
