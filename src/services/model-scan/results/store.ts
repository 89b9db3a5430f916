import type { Queries } from '#base/db/database.ts';
import type { ScanCase } from '#engine/model-scan/case.ts';
import type { Level } from '#engine/replies/expectation.ts';

/** A test with its result, as scores need it. */
export interface ScoredTest {
  readonly number: number;
  readonly caseId: string;
  readonly dataset: string;
  readonly subcategory: string;
  readonly severity: string;
  readonly topic: string;
  readonly algorithm: string;
  readonly score: Level;
  readonly reason: string;
  readonly attempt: number | null;
  readonly kind: string;
  readonly frameworks: ScanCase['frameworks'];
}

/** In the order of execution. */
export async function listScored(db: Queries, scanId: string): Promise<ScoredTest[]> {
  return db.query<ScoredTest & Record<string, unknown>>(
    `select t.number, t.case_id as "caseId", t.dataset, t.subcategory, t.severity, t.topic, t.algorithm, t.score,
        t.reason, t.attempt, c.body -> 'expect' ->> 'kind' as kind, c.body -> 'frameworks' as frameworks
      from model_scan.tests t join model_scan.cases c on c.scan_id = t.scan_id and c.case_id = t.case_id
      where t.scan_id = $1 and t.done_at is not null order by t.number`,
    [scanId],
  );
}

export interface Texts {
  readonly number: number;
  readonly prompt: string;
  readonly response: string;
}

/** Prompt and reply of the attempts that results rest on, cut. */
export async function listTexts(
  db: Queries,
  scanId: string,
  numbers: readonly number[],
  mostCharacters: number,
): Promise<Map<number, Texts>> {
  const rows = await db.query<Texts & Record<string, unknown>>(
    `select t.number, left(a.messages -> -1 ->> 'content', $3) as prompt,
        left(coalesce(a.decoded, a.reply, ''), $3) as response
      from model_scan.tests t
        join model_scan.attempts a on a.scan_id = t.scan_id and a.number = t.number and a.attempt = t.attempt
      where t.scan_id = $1 and t.number = any($2::integer[])`,
    [scanId, numbers, mostCharacters],
  );
  return new Map(rows.map((row) => [row.number, row]));
}

export interface ResultFilter {
  readonly result?: 'passed' | 'partial' | 'failed' | 'unassessed' | undefined;
  readonly dataset?: string | undefined;
  readonly algorithm?: string | undefined;
  readonly severity?: string | undefined;
  readonly objected?: boolean | undefined;
}

export interface ResultPage {
  /** Tests after this number alone. */
  readonly after?: number;
  readonly offset?: number;
  readonly limit: number;
  readonly order?: 'plan' | 'newest';
}

/** A test that is done with its case and all its attempts, as `results.jsonl` has it. */
export interface ResultRow extends Record<string, unknown> {
  number: number;
  attempts: number;
}

const resultColumns = `t.number, t.case_id, t.dataset, t.subcategory, t.severity, t.topic, t.algorithm, t.score, t.reason,
  t.attempt, coalesce(t.attempts, 0) as attempts, c.body as case, o.note, o.user_id as "objectedBy",
  o.created_at as "objectedAt"`;
const joined = `model_scan.tests t join model_scan.cases c on c.scan_id = t.scan_id and c.case_id = t.case_id
  left join model_scan.objections o on o.scan_id = t.scan_id and o.number = t.number`;
const scoreOf = { passed: 100, partial: 50, failed: 0, unassessed: null } as const;

interface Objected {
  note: string | null;
  objectedBy: string | null;
  objectedAt: Date | null;
}

/** A page of tests that are done, with their attempts. */
export async function listResults(
  db: Queries,
  scanId: string,
  page: ResultPage,
  filter: ResultFilter = {},
): Promise<ResultRow[]> {
  const order = page.order === 'newest' ? 't.done_at desc, t.number desc' : 't.number';
  const tests = await db.query<ResultRow & Objected>(
    `select ${resultColumns} from ${joined} where ${filtered} and t.number > $8 order by ${order} limit $9 offset $10`,
    [...filterParams(scanId, filter), page.after ?? 0, page.limit, page.offset ?? 0],
  );
  const attempts = await db.query<Record<string, unknown> & { number: number }>(
    `select number, attempt, key, messages, parameters, reply, decoded, score, refusal, reason, judged_by, error, requests,
        round(latency_ms) as latency_ms, sent_at
      from model_scan.attempts where scan_id = $1 and number = any($2::integer[]) order by number, attempt`,
    [scanId, tests.map(({ number }) => number)],
  );
  return tests.map(({ note, objectedBy, objectedAt, ...test }) => ({
    ...test,
    objection:
      note === null || objectedAt === null
        ? null
        : { note, user_id: objectedBy ?? '', created_at: objectedAt.toISOString() },
    tries: attempts
      .filter(({ number }) => number === test.number)
      .map((attempt) => ({
        ...attempt,
        sent_at: (attempt['sent_at'] as Date).toISOString(),
      })),
  }));
}

export async function countResults(db: Queries, scanId: string, filter: ResultFilter): Promise<number> {
  const [row] = await db.query<{ n: number }>(
    `select count(*) as n from ${joined} where ${filtered}`,
    filterParams(scanId, filter),
  );
  return row?.n ?? 0;
}

const filtered = `t.scan_id = $1 and t.done_at is not null and ($2::boolean is false or t.score is not distinct from $3::smallint)
  and ($4::text is null or t.dataset = $4) and ($5::text is null or t.algorithm = $5)
  and ($6::text is null or t.severity = $6) and ($7::boolean is false or o.number is not null)`;
const filterParams = (
  scanId: string,
  { result, dataset, algorithm, severity, objected }: ResultFilter,
): unknown[] => [
  scanId,
  result !== undefined,
  result === undefined ? null : scoreOf[result],
  dataset,
  algorithm,
  severity,
  objected === true,
];
