import type { Queries } from '#base/db/database.ts';
import { notFound } from '#base/errors.ts';
import { isUuid } from '#base/ids.ts';
import type { CalibrationSubject, StoredCalibration } from './calibration.ts';

/** Notification channel; the payload is the id of the tenant whose calibrations have changed. */
export const changedChannel = 'policy_guard_judge_calibrations';

type Row = StoredCalibration & Record<string, unknown>;

const selectCalibration = `
  select calibration_id as "calibrationId", tenant_id as "tenantId", model, prompt_version as "promptVersion",
    text_hash as "textHash", version, in_force as "inForce", policy_name as "policyName", method,
    json_build_object('temperature', temperature, 'bias', bias) as calibration, examples,
    error_before as "errorBefore", error_after as "errorAfter", created_by as "createdBy", created_at as "createdAt"
  from policy_guard.judge_calibrations`;

const sameSubject = 'tenant_id = $1 and model = $2 and prompt_version = $3 and text_hash = $4';
const subjectOf = (tenantId: string, { model, promptVersion, textHash }: CalibrationSubject) => [
  tenantId,
  model,
  promptVersion,
  textHash,
];

/** Takes those in force out of it; writes to one subject take turns from here on. */
async function retireOthers(tx: Queries, tenantId: string, subject: CalibrationSubject): Promise<void> {
  await tx.query('select pg_advisory_xact_lock(hashtext($1))', [
    JSON.stringify(['calibration', ...subjectOf(tenantId, subject)]),
  ]);
  await tx.query(
    `update policy_guard.judge_calibrations set in_force = false where ${sameSubject} and in_force`,
    subjectOf(tenantId, subject),
  );
}

export type NewCalibration = Omit<StoredCalibration, 'version' | 'inForce'>;

async function getCalibration(
  db: Queries,
  tenantId: string,
  calibrationId: string,
): Promise<StoredCalibration> {
  const [found] = isUuid(calibrationId)
    ? await db.query<Row>(`${selectCalibration} where tenant_id = $1 and calibration_id = $2`, [
        tenantId,
        calibrationId,
      ])
    : [];
  if (found === undefined) throw notFound('The calibration');
  return found;
}

export const listInForce = (db: Queries, tenantId: string): Promise<StoredCalibration[]> =>
  db.query<Row>(`${selectCalibration} where tenant_id = $1 and in_force order by calibration_id`, [tenantId]);

/** Newest first, with the number of all. */
export async function listCalibrations(
  db: Queries,
  tenantId: string,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ calibrations: StoredCalibration[]; total: number }> {
  const calibrations = await db.query<Row>(
    `${selectCalibration} where tenant_id = $1
      order by created_at desc, calibration_id desc limit $2 offset $3`,
    [tenantId, limit, offset],
  );
  const [count] = await db.query<{ total: number }>(
    'select count(*) as total from policy_guard.judge_calibrations where tenant_id = $1',
    [tenantId],
  );
  return { calibrations, total: count?.total ?? 0 };
}

/** Stores it as the next version of its subject, and activates it. */
export async function insertCalibration(tx: Queries, made: NewCalibration): Promise<StoredCalibration> {
  await retireOthers(tx, made.tenantId, made);
  await tx.query(
    `insert into policy_guard.judge_calibrations
        (tenant_id, model, prompt_version, text_hash, calibration_id, version, in_force, policy_name, method,
          temperature, bias, examples, error_before, error_after, created_by, created_at)
      select $1, $2, $3, $4, $5, coalesce(max(version), 0) + 1, true, $6, $7, $8, $9, $10, $11, $12, $13, $14
      from policy_guard.judge_calibrations where ${sameSubject}`,
    [
      ...subjectOf(made.tenantId, made),
      made.calibrationId,
      made.policyName,
      made.method,
      made.calibration.temperature,
      made.calibration.bias,
      made.examples,
      made.errorBefore,
      made.errorAfter,
      made.createdBy,
      made.createdAt,
    ],
  );
  return getCalibration(tx, made.tenantId, made.calibrationId);
}

/** Puts it in force in the place of others of its subject, or takes it out of force. */
export async function setInForce(
  tx: Queries,
  tenantId: string,
  calibrationId: string,
  inForce: boolean,
): Promise<{ before: StoredCalibration; after: StoredCalibration }> {
  const found = await getCalibration(tx, tenantId, calibrationId);
  if (inForce) await retireOthers(tx, tenantId, found);
  await tx.query(
    'update policy_guard.judge_calibrations set in_force = $3 where tenant_id = $1 and calibration_id = $2',
    [tenantId, calibrationId, inForce],
  );
  return { before: found, after: { ...found, inForce } };
}
