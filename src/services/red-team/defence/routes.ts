import { askService, type ServiceAccess } from '#base/contract/ask-service.ts';
import type { Database } from '#base/db/database.ts';
import type { Handlers } from '#base/http/mount.ts';
import type { TaskInstance } from '#engine/red-team/tasks/instance.ts';
import type { Caller } from '#identity/caller.ts';
import { readableOr404, viewerOf } from '#identity/sharing.ts';
import type { defenceOperations } from '../contract/defence.ts';
import { findResult, getTaskOfResult, type ResultDetail } from '../results/store.ts';
import { defend } from './defend.ts';
import { saveRule } from './save-rule.ts';

export interface DefenceDeps {
  readonly db: Database;
  readonly actionGuard: ServiceAccess<Caller>;
  readonly tasks: () => readonly TaskInstance[];
}

export function defenceHandlers({
  db,
  actionGuard,
  tasks,
}: DefenceDeps): Handlers<typeof defenceOperations, Caller> {
  const ask = askService(actionGuard);
  const get = async (caller: Caller, resultId: string): Promise<ResultDetail> => {
    const viewer = viewerOf(caller);
    return readableOr404(viewer, await findResult(db, viewer, resultId), 'The result');
  };
  return {
    defendResult: async ({ caller, params }) => {
      const result = await get(caller, params.result_id);
      return defend({ ask, tasks }, caller, result, await getTaskOfResult(db, result.resultId));
    },
    saveDefence: async ({ caller, params, body }) => {
      const result = await get(caller, params.result_id);
      return saveRule(ask, caller, { ...body, key: keyOf(result) });
    },
  };
}

/** The key of the rule in its policy: what it is against, and where it comes from. */
const keyOf = ({ subCategory, resultId }: ResultDetail): string =>
  `red-team-${subCategory ?? 'attack'}-${resultId.slice(0, 8)}`;
