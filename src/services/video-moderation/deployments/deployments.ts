/** Deployments on behalf of a caller. */
import type { Clock } from '#base/clock.ts';
import type { Database } from '#base/db/database.ts';
import { conflict, invalid } from '#base/errors.ts';
import { newUuid } from '#base/ids.ts';
import type { Asking, Audit } from '#identity/audit/audit.ts';
import { resourceEvent } from '#identity/audit/resource-event.ts';
import type { Caller } from '#identity/caller.ts';
import {
  changeableOrRefused,
  readableOr404,
  viewerOf,
  type OwnerFilter,
  type Visibility,
} from '#identity/sharing.ts';
import { categories as builtIn } from '../contract/names.ts';
import { presetCategories, presetSettings, type Settings } from './settings.ts';
import * as store from './store.ts';

export interface DeploymentDraft {
  readonly name: string;
  readonly categories: Settings['categories'] | undefined;
  readonly detectors: Settings['detectors'];
  readonly visibility: Visibility;
}

const taken = (name: string) => conflict(`There is a deployment named ${JSON.stringify(name)} already.`);

function checked(categories: Settings['categories']): Settings['categories'] {
  const known: ReadonlySet<string> = new Set(builtIn);
  const seen = new Set<string>();
  for (const { id, description } of categories) {
    if (seen.has(id)) throw invalid(`'categories' has ${id} twice.`);
    seen.add(id);
    if (!known.has(id) && description.trim() === '')
      throw invalid(`'categories': ${id} is a category of your own and needs a description.`);
  }
  return categories;
}

interface Versions {
  readonly before?: store.StoredDeployment;
  readonly after?: store.StoredDeployment;
}

function audited(
  event: `video_deployment_${'created' | 'updated' | 'deleted'}`,
  asking: Asking,
  { before, after }: Versions,
) {
  const { deploymentId: id = '', name = '' } = after ?? before ?? {};
  return resourceEvent(event, asking, {
    id,
    name,
    before: before && auditedFields(before),
    after: after && auditedFields(after),
  });
}

/** Each category and each detector by itself. Addresses of detectors have no secrets: the product takes none. */
const auditedFields = ({ name, visibility, categories, detectors }: store.StoredDeployment) => ({
  name,
  visibility,
  ...Object.fromEntries(categories.map(({ id, ...category }) => [`category ${id}`, category])),
  ...Object.fromEntries(Object.entries(detectors).map(([id, detector]) => [`detector ${id}`, detector])),
});

/**
 * Checks what detectors refer to, where it is not what they referred to before.
 * @throws AppError 404 for a guard that the caller may not use, 422 for a model that is not there
 */
export type CheckReferences = (
  caller: Caller,
  detectors: Settings['detectors'],
  before?: Settings['detectors'],
) => Promise<void>;

/** Every method throws AppError 404 for what the caller may not read, 403 for what may only be read. */
export class Deployments {
  readonly #db: Database;
  readonly #clock: Clock;
  readonly #audit: Audit;
  readonly #languages: readonly string[];
  readonly #checkDetectors: (detectors: Settings['detectors']) => void;
  readonly #checkReferences: CheckReferences;

  constructor(deps: {
    readonly db: Database;
    readonly clock: Clock;
    readonly audit: Audit;
    readonly ocrLanguages: readonly string[];
    /** @throws AppError 422 for addresses that must not be contacted */
    readonly checkDetectors: (detectors: Settings['detectors']) => void;
    readonly checkReferences: CheckReferences;
  }) {
    this.#db = deps.db;
    this.#clock = deps.clock;
    this.#audit = deps.audit;
    this.#languages = deps.ocrLanguages;
    this.#checkDetectors = deps.checkDetectors;
    this.#checkReferences = deps.checkReferences;
  }

  /** Without an id: the preset of this installation. */
  async settings(caller: Caller, deploymentId: string | undefined): Promise<Settings> {
    if (deploymentId === undefined) return presetSettings(this.#languages);
    const { categories, detectors } = await this.get(caller, deploymentId);
    return { deploymentId, categories, detectors };
  }

  /** @throws AppError 422 for addresses that must not be contacted */
  check(detectors: Settings['detectors']): void {
    this.#checkDetectors(detectors);
  }

  async get(caller: Caller, deploymentId: string): Promise<store.StoredDeployment> {
    const viewer = viewerOf(caller);
    return readableOr404(
      viewer,
      await store.findDeployment(this.#db, viewer, deploymentId),
      'The deployment',
    );
  }

  list(caller: Caller, owner: OwnerFilter): Promise<store.StoredDeployment[]> {
    return store.listDeployments(this.#db, viewerOf(caller), owner);
  }

  async create(asking: Asking, { name, categories, detectors, visibility }: DeploymentDraft) {
    const { caller } = asking;
    this.#checkDetectors(detectors);
    await this.#checkReferences(caller, detectors);
    const now = new Date(this.#clock.now());
    const made: store.StoredDeployment = {
      deploymentId: newUuid(now.getTime()),
      tenantId: caller.tenantId,
      ownerId: caller.userId,
      visibility,
      name,
      categories: checked(categories ?? presetCategories()),
      detectors,
      createdAt: now,
      updatedAt: now,
    };
    await this.#db.transaction(async (tx) => {
      if (!(await store.insertDeployment(tx, made))) throw taken(name);
      await this.#audit(audited('video_deployment_created', asking, { after: made }), tx);
    });
    return made;
  }

  async update(asking: Asking, deploymentId: string, draft: DeploymentDraft) {
    const before = await this.#own(asking.caller, deploymentId);
    this.#checkDetectors(draft.detectors);
    await this.#checkReferences(asking.caller, draft.detectors, before.detectors);
    const after: store.StoredDeployment = {
      ...before,
      ...draft,
      categories: checked(draft.categories ?? presetCategories()),
      updatedAt: new Date(this.#clock.now()),
    };
    await this.#db.transaction(async (tx) => {
      if (!(await store.updateDeployment(tx, after))) throw taken(draft.name);
      await this.#audit(audited('video_deployment_updated', asking, { before, after }), tx);
    });
    return after;
  }

  async delete(asking: Asking, deploymentId: string): Promise<void> {
    const before = await this.#own(asking.caller, deploymentId);
    await this.#db.transaction(async (tx) => {
      await store.deleteDeployment(tx, deploymentId);
      await this.#audit(audited('video_deployment_deleted', asking, { before }), tx);
    });
  }

  async #own(caller: Caller, deploymentId: string): Promise<store.StoredDeployment> {
    const viewer = viewerOf(caller);
    const found = await store.findDeployment(this.#db, viewer, deploymentId);
    return changeableOrRefused(viewer, found, 'The deployment');
  }
}
