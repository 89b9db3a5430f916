import { createHash, timingSafeEqual } from 'node:crypto';
import { toIsoTime } from '#base/clock.ts';
import type { Secret } from '#base/config/secret.ts';
import type { Queries } from '#base/db/database.ts';
import { checkInput } from '#base/contract/check.ts';
import { AppError, notFound } from '#base/errors.ts';
import { isUuid } from '#base/ids.ts';
import type { Handlers } from '#base/http/mount.ts';
import type { Caller } from '#identity/caller.ts';
import type { Identity } from '#identity/identity.ts';
import { ScanParams } from '../contract/records.ts';
import type { usageOperations } from '../contract/usage.ts';
import { findScan } from '../scans/store.ts';
import { findDeletedUsage, sumUsage, type Totals } from './store.ts';

const digest = (text: string) => createHash('sha256').update(text).digest();

const refused = (detail: string, error: string) =>
  new AppError(401, 'unauthorized', detail, { headers: { 'www-authenticate': `Bearer error="${error}"` } });

/** @throws AppError 401 */
function assertKey(given: string | undefined, key: Secret | undefined): void {
  if (key === undefined)
    throw refused(
      'No key is configured for these operations; the operator sets ADMIN_API_KEY.',
      'server_misconfigured',
    );
  if (given === undefined) throw refused('Send the key in the header X-Admin-Key.', 'missing_auth');
  if (!timingSafeEqual(digest(given), digest(key.reveal())))
    throw refused('The key in X-Admin-Key is wrong.', 'invalid_token');
}

/** Without what sums of binary fractions have behind their last digit. */
const rounded = (cost: number): number => Number(cost.toPrecision(12));

const view = ({
  promptTokens,
  completionTokens,
  cost,
}: Pick<Totals, 'promptTokens' | 'completionTokens' | 'cost'>) => ({
  prompt_tokens: promptTokens,
  completion_tokens: completionTokens,
  total_tokens: promptTokens + completionTokens,
  llm_cost: rounded(cost),
});

/** By the operator's own key, over all tenants. */
export const usageHandlers = (
  db: Queries,
  identity: Pick<Identity, 'person' | 'userNames'>,
  key: Secret | undefined,
): Handlers<typeof usageOperations, Caller> => ({
  async getScanUsage({ params, headers }) {
    assertKey(headers['X-Admin-Key'], key);
    const { scan_id: scanId } = checkInput(ScanParams, params, 'path');
    const scan = (await findScan(db, scanId)) ?? (await findDeletedUsage(db, scanId));
    if (scan === undefined) throw notFound('The scan');
    const nameOf = await identity.userNames([scan.ownerId]);
    return {
      scan_id: scan.scanId,
      user_id: scan.ownerId,
      user_name: nameOf(scan.ownerId),
      filename: scan.filename,
      status: scan.status,
      ...view({
        promptTokens: scan.promptTokens,
        completionTokens: scan.completionTokens,
        cost: scan.llmCost,
      }),
      upload_time: toIsoTime(scan.uploadTime.getTime()),
    };
  },
  async getUserUsage({ params, headers }) {
    assertKey(headers['X-Admin-Key'], key);
    const sum = isUuid(params.user_id) ? await sumUsage(db, params.user_id) : undefined;
    const isKnown =
      sum !== undefined && (sum.scans > 0 || (await identity.person(params.user_id)) !== undefined);
    if (!isKnown) throw notFound('The user');
    const nameOf = await identity.userNames([params.user_id]);
    return {
      user_id: params.user_id,
      user_name: nameOf(params.user_id),
      ...view(sum),
      scan_count: sum.scans,
    };
  },
  async getUsageSummary({ headers }) {
    assertKey(headers['X-Admin-Key'], key);
    const sum = await sumUsage(db);
    return { user_count: sum.users, scan_count: sum.scans, ...view(sum) };
  },
});
