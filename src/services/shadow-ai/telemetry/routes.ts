import type { Clock } from '#base/clock.ts';
import type { BodyRow } from '#base/contract/operation.ts';
import type { Handlers } from '#base/http/mount.ts';
import type { Caller } from '#identity/caller.ts';
import type { Identity } from '#identity/identity.ts';
import type { telemetryOperations } from '../contract/telemetry.ts';
import type { Ingest } from './ingest.ts';
import { Intake } from './intake.ts';
import { readRow, RowProblem, type Incoming } from './read-row.ts';

/** Refused rows that are named. */
const mostNamed = 1000;

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
    const to = { tenantId, connectorId: pushed };
    const answer = { accepted: 0, rejected: [] as { row: number; reason: string }[], rejected_total: 0 };
    const intake = new Intake(ingest, to);
    for await (const row of body) {
      const read = readOne(row, clock.now());
      if (typeof read === 'string') {
        answer.rejected_total += 1;
        if (answer.rejected.length < mostNamed) answer.rejected.push({ row: row.number, reason: read });
      } else {
        answer.accepted += 1;
        await intake.add(read);
      }
    }
    await intake.end();
    return answer;
  },
});

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
