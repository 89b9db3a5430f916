import { hash } from 'node:crypto';
import { openValueCache, type ValueCacheOptions } from '#base/db/notified-cache.ts';
import type { Calibrations, CalibrationsInForce } from '../judges/language-model/language-model-backend.ts';
import { changedChannel, listInForce } from './store.ts';

const maxTenants = 10_000;

/** The active calibrations, cached in memory until they change. */
export interface LiveCalibrations extends Calibrations, AsyncDisposable {
  /** Invalidates the tenant's calibrations: here at once, in other processes soon. */
  changed(tenantId: string): Promise<void>;
}

const idOf = (model: string, promptVersion: number, textHash: string) =>
  JSON.stringify([model, promptVersion, textHash]);

export async function openLiveCalibrations(options: ValueCacheOptions): Promise<LiveCalibrations> {
  const tenants = await openValueCache<CalibrationsInForce>(options, {
    channel: changedChannel,
    maxEntries: maxTenants,
    load,
  });

  async function load(tenantId: string): Promise<CalibrationsInForce> {
    const rows = await listInForce(options.db, tenantId);
    const known = new Map(
      rows.map(({ model, promptVersion, textHash, calibration }) => [
        idOf(model, promptVersion, textHash),
        calibration,
      ]),
    );
    return {
      revision: hash('sha256', rows.map(({ calibrationId }) => calibrationId).join(), 'base64url'),
      forPolicy: (model, promptVersion, textHash) => known.get(idOf(model, promptVersion, textHash)),
    };
  }

  return {
    async of(tenantId) {
      const found = await tenants.get(tenantId);
      // A tenant without any has an empty list of them.
      if (found === undefined) throw new Error('The calibrations of a tenant were not read.');
      return found;
    },
    changed: (tenantId) => tenants.changed(tenantId),
    [Symbol.asyncDispose]: () => tenants[Symbol.asyncDispose](),
  };
}
