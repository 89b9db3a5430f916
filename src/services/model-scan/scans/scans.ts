/** Scans on behalf of a caller. */
import type { Clock } from '#base/clock.ts';
import { AppError, badRequest } from '#base/errors.ts';
import { newId, newUuid } from '#base/ids.ts';
import type { RunKind } from '#base/jobs/runs/run-kind.ts';
import type { Outbound } from '#base/net/outbound.ts';
import type { Vault } from '#base/secrets/vault.ts';
import type { DataSet } from '#engine/model-scan/case.ts';
import { sandboxCases } from '#engine/model-scan/data-sets.ts';
import type { Asking } from '#identity/audit/audit.ts';
import { resourceEvent } from '#identity/audit/resource-event.ts';
import type { Caller } from '#identity/caller.ts';
import type { Identity } from '#identity/identity.ts';
import { changeableOrRefused, readableOr404, viewerOf, type Visibility } from '#identity/sharing.ts';
import { defaultAlgorithm } from '../contract/names.ts';
import { type ModelSecrets, openModel, openSecrets, sealSecrets } from '../running/open-model.ts';
import { type PlannedTest, planScan } from '../records/plan.ts';
import {
  canPause,
  canRetry,
  type Scan,
  type ScannedModel,
  type ScanSettings,
  statusOf,
} from '../records/scan.ts';
import { deleteReport, type ReportDeps } from '../results/kept-report.ts';
import * as store from '../records/store.ts';
import type { OwnDataSets } from '../own-data-sets/own-data-sets.ts';

export interface ScansDeps extends ReportDeps {
  readonly clock: Clock;
  readonly identity: Pick<Identity, 'audit'>;
  readonly vault: Vault;
  readonly outbound: Outbound;
  readonly kind: RunKind<object, null>;
  readonly dataSets: () => ReadonlyMap<string, DataSet>;
  readonly ownDataSets: OwnDataSets;
  readonly mostConcurrency: number;
  readonly hasLanguageModel: boolean;
}

export interface NewScan {
  readonly scanName: string;
  readonly sandbox: boolean;
  readonly visibility: Visibility;
  readonly continues: boolean;
  readonly model: ScannedModel;
  readonly secrets: ModelSecrets;
  readonly settings: ScanSettings;
  readonly seed: number;
}

/** Every method throws AppError 404 for what the caller may not read, 403 for what may only be read. */
export class Scans {
  readonly #deps: ScansDeps;

  constructor(deps: ScansDeps) {
    this.#deps = deps;
  }

  /** @throws AppError 400 for a name that is taken, an address that must not be called, or too much concurrency */
  async start(caller: Caller, asked: NewScan): Promise<string> {
    const { db, clock, vault, kind } = this.#deps;
    if (asked.continues) {
      const continued = await this.#continue(caller, asked.scanName);
      if (continued !== undefined) return continued;
    }
    this.#check(asked);
    const tests = await this.#plan(caller, asked);
    const scanId = newId('scan');
    const createdAt = new Date(clock.now());
    const runId = newUuid(createdAt.getTime());
    const { tenantId, userId: ownerId } = caller;
    const { scanName, sandbox, visibility, model, settings, seed } = asked;
    const secrets = sealSecrets(vault, scanId, asked.secrets);
    const scan = {
      scanId,
      runId,
      tenantId,
      ownerId,
      visibility,
      scanName,
      sandbox,
      model,
      secrets,
      settings,
      seed,
    };
    await db.transaction(async (tx) => {
      if (!(await store.insertScan(tx, { ...scan, createdAt }, tests)))
        throw badRequest(
          `'scan_name' ${JSON.stringify(scanName)} is taken by another scan of your tenant. Choose another name, or set ` +
            "'continue_flag' to continue that scan.",
        );
      await kind.start({ tenantId, userId: ownerId }, {}, { tx, id: runId, subject: scanId });
    });
    return scanId;
  }

  async get(caller: Caller, scanId: string): Promise<Scan> {
    const viewer = viewerOf(caller);
    return readableOr404(viewer, await store.findScan(this.#deps.db, viewer, scanId), 'The scan');
  }

  /** @throws AppError 400 where the scan is not finished */
  async finished(caller: Caller, scanId: string, what: string): Promise<Scan> {
    const scan = await this.get(caller, scanId);
    const status = statusOf(scan);
    if (status !== 'Finished')
      throw badRequest(`The scan is ${status}: ${what} can be had only of one that is Finished.`);
    return scan;
  }

  list(caller: Caller, filter: Parameters<typeof store.listScans>[2]): Promise<Scan[]> {
    return store.listScans(this.#deps.db, viewerOf(caller), filter);
  }

  /** @throws AppError 400 in another state than `Scanning` and `Initializing` */
  async pause(caller: Caller, scanId: string): Promise<void> {
    const scan = await this.#own(caller, scanId);
    const { tenantId } = scan;
    if (canPause(statusOf(scan)) && (await this.#deps.kind.pause(scan.runId, { tenantId })) !== undefined)
      return;
    const status = statusOf(await this.get(caller, scanId));
    throw badRequest(`The scan is ${status}: only one that is Initializing or Scanning can be paused.`);
  }

  /**
   * Continues from the checkpoint.
   * @param apiKey replaces the key that the scan was started with
   * @throws AppError 400 in another state than `Paused`, `Failed` and `Error`
   */
  async retry(caller: Caller, scanId: string, apiKey?: string): Promise<void> {
    const scan = await this.#own(caller, scanId);
    if (!canRetry(statusOf(scan)) || !(await this.#resume(scan, apiKey))) {
      const status = statusOf(await this.get(caller, scanId));
      throw badRequest(`The scan is ${status}: only one that is Paused, Failed or Error can be retried.`);
    }
  }

  async share(asking: Asking, scanId: string, visibility: Visibility): Promise<Scan> {
    const { db, identity } = this.#deps;
    const scan = await this.#own(asking.caller, scanId);
    const before = { visibility: scan.visibility };
    const changed = { id: scanId, name: scan.scanName, before, after: { visibility } };
    await db.transaction(async (tx) => {
      await store.setVisibility(tx, scanId, visibility);
      await identity.audit(resourceEvent('model_scan_shared', asking, changed), tx);
    });
    return this.get(asking.caller, scanId);
  }

  async delete(asking: Asking, scanId: string): Promise<void> {
    await this.#remove(await this.#own(asking.caller, scanId), asking);
  }

  /** Deletes scans that stopped before the moment with all their results; answers how many. */
  async deleteStoppedBefore(moment: Date, limit: number): Promise<number> {
    const old = await store.listStoppedBefore(this.#deps.db, moment, limit);
    for (const scan of old) await this.#remove(scan);
    return old.length;
  }

  /** @param asking undefined where the retention ends */
  async #remove(scan: Scan, asking?: Asking): Promise<void> {
    await deleteReport(this.#deps, scan);
    await this.#deps.db.transaction(async (tx) => {
      await store.keepUsage(tx, scan.scanId);
      await this.#deps.kind.delete(tx, { ids: [scan.runId] });
      await store.deleteScan(tx, scan.scanId);
      if (asking === undefined) return;
      const { scanId: id, scanName: name, visibility, model } = scan;
      const gone = { id, name, before: { visibility, model: model.modelName } };
      await this.#deps.identity.audit(resourceEvent('model_scan_deleted', asking, gone), tx);
    });
  }

  async #own(caller: Caller, scanId: string): Promise<Scan> {
    const viewer = viewerOf(caller);
    return changeableOrRefused(viewer, await store.findScan(this.#deps.db, viewer, scanId), 'The scan');
  }

  async #resume({ scanId, runId, tenantId }: Scan, apiKey: string | undefined): Promise<boolean> {
    const { db, kind, vault } = this.#deps;
    return db.transaction(async (tx) => {
      if (apiKey !== undefined) {
        const { secrets } = await store.getByRun(tx, runId);
        const renewed = { ...openSecrets(vault, scanId, secrets), apiKey };
        await store.setSecrets(tx, scanId, sealSecrets(vault, scanId, renewed));
      }
      return (await kind.resume(runId, { tenantId }, { from: ['paused', 'failed'], tx })) !== undefined;
    });
  }

  /** Undefined where there is no scan of this name that can be continued. */
  async #continue(caller: Caller, scanName: string): Promise<string | undefined> {
    const scan = await store.findByName(this.#deps.db, viewerOf(caller), scanName);
    if (scan === undefined || !canRetry(statusOf(scan))) return undefined;
    return (await this.#resume(scan, undefined)) ? scan.scanId : undefined;
  }

  async #plan(caller: Caller, { sandbox, settings, seed }: NewScan): Promise<PlannedTest[]> {
    if (sandbox) return sandboxCases().map((each) => ({ case: each, algorithm: defaultAlgorithm }));
    const sets: DataSet[] = [];
    for (const [i, name] of settings.datasets.entries()) sets.push(await this.#dataSet(caller, name, i));
    return planScan(inTheirOrder(sets, this.#deps.dataSets()), { ...settings, seed });
  }

  /** @throws AppError 400 for a name that is neither the product's nor the caller's */
  async #dataSet(caller: Caller, name: string, place: number): Promise<DataSet> {
    const found = this.#deps.dataSets().get(name) ?? (await this.#deps.ownDataSets.named(caller, name));
    if (found !== undefined) return found;
    throw badRequest(
      `'datasets[${place}].name' ${JSON.stringify(name)} is no data set of the product or of your own. There are ` +
        `${[...this.#deps.dataSets().keys()].join(', ')}; GET /v1/datasets lists your own.`,
    );
  }

  #check({ model, secrets, settings: { concurrency, usesLanguageModel } }: NewScan): void {
    const { mostConcurrency, hasLanguageModel } = this.#deps;
    if (usesLanguageModel === true && !hasLanguageModel)
      throw badRequest(
        "'use_language_model' needs a language model, and this deployment has none (BULWARK_LLM_BASE_URL).",
      );
    if (concurrency > mostConcurrency)
      throw badRequest(
        `'concurrency' must be at most ${mostConcurrency} (setting model_scan.most_concurrency).`,
      );
    checkModel(this.#deps, model, secrets);
  }
}

/** Those of the product in its order, then own ones: how a request lists them does not change the plan. */
function inTheirOrder(sets: readonly DataSet[], product: ReadonlyMap<string, DataSet>): DataSet[] {
  const places = new Map([...product.keys()].map((name, place) => [name, place]));
  const placeOf = ({ name }: DataSet) => places.get(name) ?? places.size;
  return sets.toSorted((a, b) => placeOf(a) - placeOf(b) || (a.name < b.name ? -1 : 1));
}

/** @throws AppError 400 that names the field, for an address or header that must not be sent */
export function checkModel(
  deps: Pick<ScansDeps, 'outbound' | 'clock'>,
  model: ScannedModel,
  secrets: ModelSecrets,
): void {
  const url = new URL(model.baseUrl);
  if (url.username !== '' || url.password !== '')
    throw badRequest("'model.base_url' must not hold a password: send it in 'model.extra_headers'.");
  try {
    deps.outbound.assertAllowed(model.baseUrl);
  } catch (error) {
    throw named("'model.base_url'", error);
  }
  try {
    openModel(deps, model, secrets, { concurrency: 1, timeoutMs: 1000 });
  } catch (error) {
    throw named("'model.extra_headers' or 'model.api_key'", error);
  }
}

const named = (field: string, error: unknown): unknown =>
  error instanceof AppError ? badRequest(`${field}: ${error.detail}`, error) : error;
