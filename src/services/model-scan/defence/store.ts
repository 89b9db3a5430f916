import type { Queries } from '#base/db/database.ts';
import type { ScanCase } from '#engine/model-scan/case.ts';
import type { Level } from '#engine/replies/expectation.ts';

export interface ChatMessage {
  readonly role: string;
  readonly content: string;
}

/** A test that is done, with the attempt that its result rests on. */
export interface TestedCase {
  readonly number: number;
  readonly algorithm: string;
  readonly score: Level;
  readonly case: ScanCase;
  readonly messages: readonly ChatMessage[] | null;
  readonly reply: string | null;
  readonly decoded: string | null;
}

const columns = `t.number, t.algorithm, t.score, c.body as case, a.messages, a.reply, a.decoded`;
const joined = `model_scan.tests t join model_scan.cases c on c.scan_id = t.scan_id and c.case_id = t.case_id
  left join model_scan.attempts a on a.scan_id = t.scan_id and a.number = t.number and a.attempt = t.attempt`;

type Row = TestedCase & Record<string, unknown>;

export async function findTested(
  db: Queries,
  scanId: string,
  number: number,
): Promise<TestedCase | undefined> {
  const [row] = await db.query<Row>(
    `select ${columns} from ${joined} where t.scan_id = $1 and t.number = $2 and t.done_at is not null`,
    [scanId, number],
  );
  return row;
}

/** Of the harmless cases of a scan, also those that are not done: the twin, then those of the same data set. */
export function listHarmless(
  db: Queries,
  scanId: string,
  { twin, dataset, subcategory }: ScanCase,
  most: number,
): Promise<TestedCase[]> {
  return db.query<Row>(
    `select ${columns} from ${joined}
      where t.scan_id = $1 and t.algorithm = 'Default' and c.body ->> 'intent' = 'benign'
      order by t.case_id is distinct from $2, t.dataset <> $3, t.subcategory <> $4, t.number limit $5`,
    [scanId, twin ?? null, dataset, subcategory, most],
  );
}

/** Other failures in the same subcategory, or under the same attack. */
export function listAlike(
  db: Queries,
  scanId: string,
  { number, algorithm, case: { dataset, subcategory } }: TestedCase,
  most: number,
): Promise<TestedCase[]> {
  return db.query<Row>(
    `select ${columns} from ${joined}
      where t.scan_id = $1 and t.number <> $2 and t.score = 0
        and c.body ->> 'intent' <> 'benign'
        and (t.dataset = $3 and t.subcategory = $4 or t.algorithm = $5 and $5 <> 'Default')
      order by t.algorithm <> $5, t.dataset <> $3, t.number limit $6`,
    [scanId, number, dataset, subcategory, algorithm, most],
  );
}
