/** Data sets of tenants on behalf of a caller. */
import type { Clock } from '#base/clock.ts';
import type { Database } from '#base/db/database.ts';
import { badRequest } from '#base/errors.ts';
import { newId } from '#base/ids.ts';
import type { DataSet, ScanCase } from '#engine/model-scan/case.ts';
import type { ImportFormat } from '#engine/model-scan/import-cases.ts';
import type { Asking, Audit } from '#identity/audit/audit.ts';
import { resourceEvent } from '#identity/audit/resource-event.ts';
import type { Caller } from '#identity/caller.ts';
import {
  changeableOrRefused,
  type OwnerFilter,
  readableOr404,
  viewerOf,
  type Visibility,
} from '#identity/sharing.ts';
import { dataSetNames } from '../contract/names.ts';
import type { ReadContent } from './cases-of.ts';
import { mostCases, readContent } from './read-content.ts';
import * as store from './store.ts';

export interface NewDataSet {
  readonly name: string;
  readonly licence: string;
  readonly format: ImportFormat;
  readonly content: string;
  readonly visibility: Visibility;
}

export interface DataSetChange {
  readonly name?: string | undefined;
  readonly licence?: string | undefined;
  readonly visibility?: Visibility | undefined;
  readonly remove?: readonly string[] | undefined;
  readonly content?: string | undefined;
  readonly format: ImportFormat;
  readonly replace: boolean;
}

export interface Stored {
  readonly set: store.OwnDataSet;
  readonly notes: ReadContent['notes'];
}

/** Every method throws AppError 404 for what the caller may not read, 403 for what may only be read. */
export class OwnDataSets {
  readonly #db: Database;
  readonly #clock: Clock;
  readonly #audit: Audit;

  constructor({ db, clock, audit }: { db: Database; clock: Clock; audit: Audit }) {
    this.#db = db;
    this.#clock = clock;
    this.#audit = audit;
  }

  /** @throws AppError 400 for a name that is taken, and for content that cannot be read or judged */
  async create(asking: Asking, asked: NewDataSet): Promise<Stored> {
    const { tenantId, userId: ownerId } = asking.caller;
    const { name, licence, visibility } = asked;
    refuseProductName(name);
    const dataSetId = newId('dset');
    const { cases, notes } = await readContent({
      content: asked.content,
      format: asked.format,
      about: { name, licence, dataSetId },
    });
    const createdAt = new Date(this.#clock.now());
    const set: store.OwnDataSet = {
      dataSetId,
      tenantId,
      ownerId,
      visibility,
      name,
      licence,
      size: cases.length,
      createdAt,
      updatedAt: createdAt,
    };
    await this.#db.transaction(async (tx) => {
      if (!(await store.insertDataSet(tx, set, cases))) throw nameTaken(name);
      await this.#audit(audited('model_data_set_created', asking, { after: set }), tx);
    });
    return { set, notes };
  }

  async get(caller: Caller, dataSetId: string): Promise<store.OwnDataSet> {
    const viewer = viewerOf(caller);
    return readableOr404(viewer, await store.findDataSet(this.#db, viewer, dataSetId), 'The data set');
  }

  cases(dataSetId: string, page?: { limit: number; offset: number }): Promise<ScanCase[]> {
    return store.readCases(this.#db, dataSetId, page);
  }

  list(caller: Caller, owner: OwnerFilter): Promise<store.OwnDataSet[]> {
    return store.listDataSets(this.#db, viewerOf(caller), owner);
  }

  /** @throws AppError 400 as {@link create}, and where no case would remain */
  async change(asking: Asking, dataSetId: string, change: DataSetChange): Promise<Stored> {
    const before = await this.#own(asking.caller, dataSetId);
    const name = change.name ?? before.name;
    const licence = change.licence ?? before.licence;
    if (name !== before.name) refuseProductName(name);
    const read: ReadContent =
      change.content === undefined
        ? { cases: [], notes: [] }
        : await readContent({
            content: change.content,
            format: change.format,
            about: { name, licence, dataSetId },
          });
    const cases = changedCases(await this.cases(dataSetId), read.cases, change).map((each) => ({
      ...each,
      dataset: name,
    }));
    const set: store.OwnDataSet = {
      ...before,
      name,
      licence,
      visibility: change.visibility ?? before.visibility,
      size: cases.length,
      updatedAt: new Date(this.#clock.now()),
    };
    await this.#db.transaction(async (tx) => {
      if (!(await store.updateDataSet(tx, set, cases))) throw nameTaken(name);
      await this.#audit(audited('model_data_set_updated', asking, { before, after: set }), tx);
    });
    return { set, notes: read.notes };
  }

  async delete(asking: Asking, dataSetId: string): Promise<void> {
    const before = await this.#own(asking.caller, dataSetId);
    await this.#db.transaction(async (tx) => {
      await store.deleteDataSet(tx, dataSetId);
      await this.#audit(audited('model_data_set_deleted', asking, { before }), tx);
    });
  }

  /** The set of this name, as scans need it; undefined where the caller may read none. */
  async named(caller: Caller, name: string): Promise<DataSet | undefined> {
    const set = await store.findByName(this.#db, viewerOf(caller), name);
    if (set === undefined) return undefined;
    const cases = await this.cases(set.dataSetId);
    const subcategories = [...new Set(cases.map(({ subcategory }) => subcategory))];
    return {
      name,
      slug: set.dataSetId,
      about: `Own data set, licence ${set.licence}`,
      licence: set.licence,
      subcategories: subcategories.map((id) => ({ id, title: id })),
      cases,
    };
  }

  async #own(caller: Caller, dataSetId: string): Promise<store.OwnDataSet> {
    const viewer = viewerOf(caller);
    return changeableOrRefused(viewer, await store.findDataSet(this.#db, viewer, dataSetId), 'The data set');
  }
}

/** @throws AppError 400 for a case that is not there, and where none or too many would remain */
function changedCases(
  before: readonly ScanCase[],
  added: readonly ScanCase[],
  { remove = [], replace }: DataSetChange,
): ScanCase[] {
  const kept = new Map((replace ? [] : before).map((each) => [each.id, each]));
  for (const [i, id] of remove.entries())
    if (!kept.delete(id)) throw badRequest(`'remove[${i}]': the data set has no case ${JSON.stringify(id)}.`);
  for (const each of added) kept.set(each.id, each);
  if (kept.size === 0) throw badRequest("'remove' would leave no case. Delete the data set instead.");
  if (kept.size > mostCases)
    throw badRequest(`'content': a data set has at most ${mostCases} cases. Make another one.`);
  return [...kept.values()];
}

function audited(
  event: `model_data_set_${'created' | 'updated' | 'deleted'}`,
  asking: Asking,
  { before, after }: { readonly before?: store.OwnDataSet; readonly after?: store.OwnDataSet },
) {
  const { dataSetId: id = '', name = '' } = after ?? before ?? {};
  const fields = (set: store.OwnDataSet) => ({
    name: set.name,
    licence: set.licence,
    cases: set.size,
    visibility: set.visibility,
  });
  return resourceEvent(event, asking, {
    id,
    name,
    before: before && fields(before),
    after: after && fields(after),
  });
}

const nameTaken = (name: string) =>
  badRequest(
    `'name' ${JSON.stringify(name)} is taken by another data set of your tenant. Choose another name.`,
  );

function refuseProductName(name: string): void {
  const lower = name.trim().toLowerCase();
  if (dataSetNames.some((each) => each.toLowerCase() === lower))
    throw badRequest(`'name' ${JSON.stringify(name)} is a data set of the product. Choose another name.`);
}
