/** SQL for the processes of the gateway. */
import type { Queries } from '#base/db/database.ts';

/** Records a heartbeat of the process by the database's clock, and deletes processes that ended long ago. */
export async function saveProcess(db: Queries, processId: string, address: string): Promise<void> {
  await db.query(
    `insert into agent_gateway.processes (process_id, address, seen_at) values ($1, $2, now())
      on conflict (process_id) do update set address = excluded.address, seen_at = now()`,
    [processId, address],
  );
  await db.query(`delete from agent_gateway.processes where seen_at < now() - interval '1 day'`);
}

export async function deleteProcess(db: Queries, processId: string): Promise<void> {
  await db.query('delete from agent_gateway.processes where process_id = $1', [processId]);
}

/** The URL of the process; undefined if its last heartbeat is too old. */
export async function findAddress(
  db: Queries,
  processId: string,
  withinSeconds: number,
): Promise<string | undefined> {
  const [row] = await db.query<{ address: string }>(
    `select address from agent_gateway.processes
      where process_id = $1 and seen_at > now() - make_interval(secs => $2)`,
    [processId, withinSeconds],
  );
  return row?.address;
}
