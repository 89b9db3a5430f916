/** Names of the users, guards and groups in query log entries, read once per page, even of those that the caller may not open. */
import type { NameOf, UserNames } from '#identity/users/user-names.ts';
import type { Label } from './labels-store.ts';
import type { Query } from './query.ts';

export interface QueryNames {
  readonly guard: ReadonlyMap<string, string>;
  readonly group: ReadonlyMap<string, string>;
  readonly user: NameOf;
}

export interface NamesDeps {
  readonly userNames: UserNames;
  /** Deleted guards too. */
  readonly guardNames: (guardUuids: Iterable<string>) => Promise<ReadonlyMap<string, string>>;
  /** Of the tenant's groups, deleted ones too. */
  readonly groupNames: (
    tenantId: string,
    groupUuids: Iterable<string>,
  ) => Promise<ReadonlyMap<string, string>>;
}

export type ReadNames = ReturnType<typeof createReadNames>;

export function createReadNames({ userNames, guardNames, groupNames }: NamesDeps) {
  return {
    /** Of guards only: entries in a list name nothing else. */
    ofGuards: (entries: readonly Pick<Query, 'guardUuid'>[]) =>
      guardNames(entries.map(({ guardUuid }) => guardUuid)),

    async of(
      tenantId: string,
      queries: readonly Query[],
      labels: readonly Label[] = [],
    ): Promise<QueryNames> {
      const [guard, group, user] = await Promise.all([
        guardNames([...queries, ...labels].map(({ guardUuid }) => guardUuid)),
        groupNames(
          tenantId,
          labels.map(({ groupUuid }) => groupUuid),
        ),
        userNames([...queries.map(({ userId }) => userId), ...labels.map(({ labelledBy }) => labelledBy)]),
      ]);
      return { guard, group, user };
    },
  };
}
