import { hash } from 'node:crypto';
import type { Logger } from '#base/log/log.ts';
import { freshCache } from '#identity/fresh-cache.ts';
import type { Calibrations, CalibrationsInForce } from '../judges/language-model/language-model-backend.ts';
import type { CalibrationStore } from './store.ts';

/** A change in another process is seen after this long at the latest, were its notification lost. */
const ttlMs = 1000;
const maxTenants = 10_000;

/** Calibrations as judging sees them: in memory until they change. */
export interface LiveCalibrations extends Calibrations, AsyncDisposable {
  /** Forgets those of the tenant here at once, and in the other processes soon. */
  changed(tenantId: string): Promise<void>;
}

const idOf = (model: string, promptVersion: number, textHash: string) =>
  JSON.stringify([model, promptVersion, textHash]);

export async function openLiveCalibrations(
  store: CalibrationStore,
  log: Logger,
  { staleMs }: { readonly staleMs: number },
): Promise<LiveCalibrations> {
  const tenants = freshCache({ maxEntries: maxTenants, ttlMs, staleMs, load });
  const listening = await store.onChange(
    (tenantId) => tenants.forget(tenantId),
    () => tenants.forgetAll(),
  );

  async function load(tenantId: string): Promise<CalibrationsInForce> {
    const rows = await store.listInForce(tenantId);
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
    of: async (tenantId) => (await tenants.get(tenantId)) ?? load(tenantId),
    async changed(tenantId) {
      tenants.forget(tenantId);
      // The write is done and must be answered as done; the others catch up within the lifetime.
      await store.announceChange(tenantId).catch((error: unknown) => {
        log.warn({ err: error }, 'other processes were not told of a changed calibration');
      });
    },
    [Symbol.asyncDispose]: () => listening[Symbol.asyncDispose](),
  };
}
