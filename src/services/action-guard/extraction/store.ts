import type { Queries } from '#base/db/database.ts';

export interface ExtractionInput {
  readonly name: string;
  readonly content: Uint8Array;
}

/** Stores the files of a job. */
export async function insertInputs(
  tx: Queries,
  jobId: string,
  inputs: readonly ExtractionInput[],
): Promise<void> {
  for (const [position, { name, content }] of inputs.entries())
    await tx.query(
      'insert into action_guard.extraction_inputs (job_id, position, name, content) values ($1, $2, $3, $4)',
      [jobId, position, name, content],
    );
}

/** The names of a job's files, in order; empty once it has ended. */
export async function listInputs(db: Queries, jobId: string): Promise<{ position: number; name: string }[]> {
  return db.query<{ position: number; name: string }>(
    'select position, name from action_guard.extraction_inputs where job_id = $1 order by position',
    [jobId],
  );
}

export async function findInput(
  db: Queries,
  jobId: string,
  position: number,
): Promise<Uint8Array | undefined> {
  const [row] = await db.query<{ content: Uint8Array }>(
    'select content from action_guard.extraction_inputs where job_id = $1 and position = $2',
    [jobId, position],
  );
  return row?.content;
}

/** Deletes the files of a job. */
export async function deleteInputs(tx: Queries, jobId: string): Promise<void> {
  await tx.query('delete from action_guard.extraction_inputs where job_id = $1', [jobId]);
}
