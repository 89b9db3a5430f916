import { toIsoTime } from '#base/clock.ts';
import type { Handlers } from '#base/http/mount.ts';
import type { Caller } from '#identity/caller.ts';
import type { Identity } from '#identity/identity.ts';
import type { NameOf } from '#identity/users/user-names.ts';
import type { ownDataSetOperations } from '../contract/own-data-sets.ts';
import type { OwnDataSets } from './own-data-sets.ts';
import type { OwnDataSet } from './store.ts';

export interface OwnDataSetDeps {
  readonly identity: Identity;
  readonly ownDataSets: OwnDataSets;
}

export function ownDataSetHandlers({
  identity,
  ownDataSets,
}: OwnDataSetDeps): Handlers<typeof ownDataSetOperations, Caller> {
  const view = async (set: OwnDataSet) => viewOf(set, await identity.userNames([set.ownerId]));
  return {
    createDataSet: async ({ caller, body, request }) => {
      const { set, notes } = await ownDataSets.create({ caller, request }, body);
      return { ...(await view(set)), notes: [...notes] };
    },
    listOwnDataSets: async ({ caller, query }) => {
      const sets = await ownDataSets.list(caller, query.owner);
      const nameOf = await identity.userNames(sets.map(({ ownerId }) => ownerId));
      return { datasets: sets.map((set) => viewOf(set, nameOf)) };
    },
    getDataSet: async ({ caller, params, query }) => {
      const set = await ownDataSets.get(caller, params.dataset_id);
      const items = await ownDataSets.cases(set.dataSetId, query);
      return { ...(await view(set)), items: items.map((each) => ({ ...each })) };
    },
    changeDataSet: async ({ caller, params, body, request }) => {
      const { set, notes } = await ownDataSets.change({ caller, request }, params.dataset_id, body);
      return { ...(await view(set)), notes: [...notes] };
    },
    deleteDataSet: async ({ caller, params, request }) => {
      await ownDataSets.delete({ caller, request }, params.dataset_id);
      return { message: 'The data set was deleted.' };
    },
  };
}

const viewOf = (set: OwnDataSet, nameOf: NameOf) => ({
  dataset_id: set.dataSetId,
  name: set.name,
  licence: set.licence,
  cases: set.size,
  visibility: set.visibility,
  owner_id: set.ownerId,
  owner_name: nameOf(set.ownerId),
  created_at: toIsoTime(set.createdAt),
  updated_at: toIsoTime(set.updatedAt),
});
