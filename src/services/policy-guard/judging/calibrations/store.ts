import type { Database, Queries } from '#base/db/database.ts';
import { notFound } from '#base/errors.ts';
import { isUuid } from '#base/ids.ts';
import type { CalibrationMethod, CalibrationSubject, StoredCalibration } from './calibration.ts';

type Row = {
  calibration_id: string;
  tenant_id: string;
  model: string;
  prompt_version: number;
  text_hash: string;
  version: number;
  in_force: boolean;
  policy_name: string;
  method: CalibrationMethod;
  temperature: number;
  bias: number;
  examples: number;
  error_before: number | null;
  error_after: number | null;
  created_by: string;
  created_at: Date;
};

const fromRow = (row: Row): StoredCalibration => ({
  calibrationId: row.calibration_id,
  tenantId: row.tenant_id,
  model: row.model,
  promptVersion: row.prompt_version,
  textHash: row.text_hash,
  version: row.version,
  inForce: row.in_force,
  policyName: row.policy_name,
  method: row.method,
  calibration: { temperature: row.temperature, bias: row.bias },
  examples: row.examples,
  errorBefore: row.error_before,
  errorAfter: row.error_after,
  createdBy: row.created_by,
  createdAt: row.created_at,
});

/** Told after each write, with the tenant's id. */
/** Told with the id of a tenant whose calibrations have changed. */
export const changedChannel = 'policy_guard_judge_calibrations';

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
export type CalibrationStore = ReturnType<typeof createCalibrationStore>;

export function createCalibrationStore(db: Database) {
  const find = async (queries: Queries, tenantId: string, calibrationId: string) => {
    if (!isUuid(calibrationId)) return undefined;
    const [row] = await queries.query<Row>(
      'select * from policy_guard.judge_calibrations where tenant_id = $1 and calibration_id = $2',
      [tenantId, calibrationId],
    );
    return row && fromRow(row);
  };
  const get = async (queries: Queries, tenantId: string, calibrationId: string) => {
    const found = await find(queries, tenantId, calibrationId);
    if (found === undefined) throw notFound('The calibration');
    return found;
  };

  return {
    async listInForce(tenantId: string): Promise<StoredCalibration[]> {
      const rows = await db.query<Row>(
        'select * from policy_guard.judge_calibrations where tenant_id = $1 and in_force order by calibration_id',
        [tenantId],
      );
      return rows.map(fromRow);
    },

    async list(tenantId: string, { limit, offset }: { limit: number; offset: number }) {
      const rows = await db.query<Row>(
        `select * from policy_guard.judge_calibrations where tenant_id = $1
         order by created_at desc, calibration_id desc limit $2 offset $3`,
        [tenantId, limit, offset],
      );
      const [count] = await db.query<{ total: number }>(
        'select count(*) as total from policy_guard.judge_calibrations where tenant_id = $1',
        [tenantId],
      );
      return { calibrations: rows.map(fromRow), total: count?.total ?? 0 };
    },

    /** Kept as the next version of its subject, in force. */
    insert: (made: NewCalibration): Promise<StoredCalibration> =>
      db.transaction(async (tx) => {
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
        return get(tx, made.tenantId, made.calibrationId);
      }),

    /** Puts it in force in the place of others of its subject, or takes it out of force. */
    setInForce: (tenantId: string, calibrationId: string, inForce: boolean): Promise<StoredCalibration> =>
      db.transaction(async (tx) => {
        const found = await get(tx, tenantId, calibrationId);
        if (inForce) await retireOthers(tx, tenantId, found);
        await tx.query(
          'update policy_guard.judge_calibrations set in_force = $3 where tenant_id = $1 and calibration_id = $2',
          [tenantId, calibrationId, inForce],
        );
        return { ...found, inForce };
      }),
  };
}
