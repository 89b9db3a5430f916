import type { Clock } from '#base/clock.ts';
import type { BodyRow } from '#base/contract/operation.ts';
import { invalid } from '#base/errors.ts';
import type { Handlers } from '#base/http/mount.ts';
import type { Caller } from '#identity/caller.ts';
import type { Identity } from '#identity/identity.ts';
import type { telemetryOperations } from '../contract/telemetry.ts';
import type { Ingest } from './ingest.ts';
import { Intake } from './intake.ts';
import { readRow, RowProblem, type Incoming } from './read-row.ts';

/** Refused rows that are named. */
const mostNamed = 1000;

/** So many refused rows without one between them that is understood: the body is something else than events. */
const mostRefusedInARow = 10_000;

/** Of what is pushed, in the place of a connector's. */
const pushed = 'push';

interface Deps {
  readonly ingest: Ingest;
  readonly identity: Identity;
  readonly clock: Clock;
}

export const telemetryHandlers = ({
  ingest,
  identity,
  clock,
}: Deps): Handlers<typeof telemetryOperations, Caller> => ({
  async pushTelemetry({ caller, body, query }) {
    const tenantId = await identity.tenantFor(caller, query.tenant_id);
    return takeRows(body, new Intake(ingest, { tenantId, connectorId: pushed }), clock);
  },
});

interface Taken {
  accepted: number;
  readonly rejected: { readonly row: number; readonly reason: string }[];
  rejected_total: number;
}

/** Reads the rows of a body as they arrive, until all that can be understood are kept. */
export async function takeRows(
  body: AsyncIterable<readonly BodyRow[]>,
  intake: Intake,
  clock: Clock,
): Promise<Taken> {
  const taken: Taken = { accepted: 0, rejected: [], rejected_total: 0 };
  let refusedInARow = 0;
  for await (const rows of body)
    for (const row of rows) {
      const read = readOne(row, clock.now());
      if (typeof read === 'string') {
        taken.rejected_total += 1;
        if (taken.rejected.length < mostNamed) taken.rejected.push({ row: row.number, reason: read });
        refusedInARow += 1;
        if (refusedInARow < mostRefusedInARow) continue;
        await intake.end();
        throw worthless(taken, row.number, read);
      }
      refusedInARow = 0;
      taken.accepted += 1;
      const full = intake.add(read);
      if (full !== undefined) await full;
    }
  await intake.end();
  return taken;
}

const worthless = ({ accepted }: Taken, row: number, reason: string) =>
  invalid(
    `${mostRefusedInARow} rows in a row were refused, the last one, row ${row}, because: ${reason} ` +
      `The rest of the body was not read; ${accepted} rows before it were kept.`,
  );

/** The row, or why it is refused. */
function readOne(row: BodyRow, nowMs: number): Incoming | string {
  if ('problem' in row) return `${row.problem}.`;
  try {
    return readRow(row.value, nowMs);
  } catch (error) {
    if (error instanceof RowProblem) return `${error.message}.`;
    throw error;
  }
}
