import { toIsoTime, type Clock } from '#base/clock.ts';
import type { Database } from '#base/db/database.ts';
import { conflict, forbidden, invalid, notFound } from '#base/errors.ts';
import { isUuid, newUuid } from '#base/ids.ts';
import type { Handlers } from '#base/http/mount.ts';
import type { Audit } from '#identity/audit/audit.ts';
import type { Caller } from '#identity/caller.ts';
import { viewerOf } from '#identity/sharing.ts';
import type { suppressionOperations } from '../contract/suppressions.ts';
import type { Scans } from '../scans/scans.ts';
import { findResult } from '../scans/store.ts';
import {
  deleteSuppression,
  findSuppression,
  insertSuppression,
  listSuppressions,
  type StoredSuppression,
} from '../kept/suppressions.ts';
import { auditedSuppression } from './audited.ts';

const view = (each: StoredSuppression) => ({
  id: each.id,
  fingerprint: each.fingerprint,
  reason: each.reason,
  by: each.byName,
  scope: each.scope,
  created_at: toIsoTime(each.createdAt.getTime()),
  until: each.until === null ? null : toIsoTime(each.until.getTime()),
  rule_id: each.ruleId,
  title: each.title,
});

export const suppressionHandlers = ({
  db,
  clock,
  audit,
  scans,
}: {
  db: Database;
  clock: Clock;
  audit: Audit;
  scans: Scans;
}): Handlers<typeof suppressionOperations, Caller> => ({
  async listSuppressions({ caller, query }) {
    const { suppressions, total } = await listSuppressions(db, viewerOf(caller), query);
    return { suppressions: suppressions.map(view), total };
  },
  async createSuppression({ caller, body, request }) {
    const scan = await scans.getChangeable(caller, body.scan_id);
    const result = await findResult(db, scan.scanId);
    const finding = result?.findings.find(({ fingerprint }) => fingerprint === body.fingerprint);
    if (finding === undefined) throw notFound('The finding');
    const until = body.until === undefined || body.until === null ? null : new Date(body.until);
    if (until !== null && until.getTime() <= clock.now()) throw invalid("'until' must lie in the future.");
    const wanted: StoredSuppression = {
      id: newUuid(),
      tenantId: caller.tenantId,
      // Only administrators decide what everybody lets pass: gateways let servers in by what their scans count.
      scope: caller.roles.includes('admin') ? 'tenant' : 'own',
      fingerprint: finding.fingerprint,
      ruleId: finding.rule,
      title: finding.title,
      reason: body.reason,
      byUser: caller.userId,
      byName: caller.username,
      createdAt: new Date(clock.now()),
      until,
    };
    return db.transaction(async (tx) => {
      const made = await insertSuppression(tx, wanted);
      if (made === undefined)
        throw conflict('This finding is suppressed already; delete that suppression first.');
      await audit(auditedSuppression('suppression_created', { caller, request }, made), tx);
      return view(made);
    });
  },
  async deleteSuppression({ caller, params, request }) {
    const found = isUuid(params.suppression_id)
      ? await findSuppression(db, viewerOf(caller), params.suppression_id)
      : undefined;
    if (found === undefined) throw notFound('The suppression');
    if (found.byUser !== caller.userId && !caller.roles.includes('admin'))
      throw forbidden('Only who made the suppression, or an administrator of the tenant, may delete it.');
    await db.transaction(async (tx) => {
      if (await deleteSuppression(tx, found.id))
        await audit(auditedSuppression('suppression_deleted', { caller, request }, found), tx);
    });
    return { deleted: true as const };
  },
});
