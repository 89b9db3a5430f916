import type { Queries } from '#base/db/database.ts';
import { listOpenTests, type OpenTest } from './store.ts';

const pageSize = 200;

/**
 * The open tests of a scan one by one, read page by page; several workers may call `next` at the same time, since
 * an asynchronous generator answers calls in turn.
 */
export async function* openTests(db: Queries, scanId: string): AsyncGenerator<OpenTest, void, undefined> {
  for (let after = 0; ;) {
    const page = await listOpenTests(db, scanId, { after, limit: pageSize });
    yield* page;
    const last = page.at(-1);
    if (last === undefined) return;
    after = last.number;
  }
}
