import { askService, type ServiceAccess } from '#base/contract/ask-service.ts';
import type { Database } from '#base/db/database.ts';
import { notFound } from '#base/errors.ts';
import type { Handlers } from '#base/http/mount.ts';
import { createSemaphore } from '#base/semaphore.ts';
import type { DataSet } from '#engine/model-scan/case.ts';
import type { Caller } from '#identity/caller.ts';
import type { defenceOperations } from '../contract/defence.ts';
import type { Scan } from '../records/scan.ts';
import { defend } from './defend.ts';
import { savePolicy } from './save-policy.ts';
import { findTested } from './store.ts';

export interface DefenceDeps {
  readonly db: Database;
  readonly policyGuard: ServiceAccess<Caller>;
  readonly scans: { get(caller: Caller, scanId: string): Promise<Scan> };
  readonly dataSets: () => ReadonlyMap<string, DataSet>;
}

/** A defence is some hundred questions to the policy guard: who asks for many waits, and nobody else does. */
const defencesAtOnce = 2;
const mostWaiting = 20;

export function defenceHandlers({
  db,
  policyGuard,
  scans,
  dataSets,
}: DefenceDeps): Handlers<typeof defenceOperations, Caller> {
  const ask = askService(policyGuard);
  const trials = createSemaphore(defencesAtOnce, {
    mostWaiting,
    busyMessage: 'Too many defences are being tried. Try again in a moment.',
  });
  // One after the other: the second of two equal requests finds what the first has saved.
  const saving = createSemaphore(1, { mostWaiting });
  const tested = async (caller: Caller, scanId: string, number: number) => {
    const scan = await scans.get(caller, scanId);
    const found = await findTested(db, scan.scanId, number);
    if (found === undefined) throw notFound('The test');
    return { scan, found };
  };
  return {
    defendResult: async ({ caller, params }) => {
      const { scan, found } = await tested(caller, params.scan_id, params.number);
      using _place = await trials.acquire();
      return await defend({ db, ask, dataSets }, caller, scan.scanId, found);
    },
    saveDefence: async ({ caller, params, body }) => {
      const { scan, found } = await tested(caller, params.scan_id, params.number);
      const origin = `Against test ${found.number} (${found.case.id}) of the model scan “${scan.scanName}”.`;
      using _place = await saving.acquire();
      return await savePolicy(ask, caller, { ...body, origin });
    },
  };
}
