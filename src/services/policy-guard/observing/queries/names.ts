/** The names of what entries of the query log tell by id: asked for once for a page, whoever may open the things. */
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
    /** Of guards alone: all that an entry of a list tells. */
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
