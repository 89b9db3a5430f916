/** Alerts: what services count, rules about it, and who is told when one fires. */
import type { Clock } from '#base/clock.ts';
import type { Database } from '#base/db/database.ts';
import type { Webhooks } from '#base/events/webhooks/webhooks.ts';
import type { Handlers } from '#base/http/mount.ts';
import type { Jobs } from '#base/jobs/jobs.ts';
import { scheduleRetention } from '#base/jobs/retention.ts';
import type { Logger } from '#base/log/log.ts';
import type { Mailer } from '#base/mail/mailer.ts';
import type { Caller } from '#identity/caller.ts';
import type { Identity } from '#identity/identity.ts';
import { alertOperations } from './contract/alerts.ts';
import { frontDoorAlertOperations } from './contract/front-door.ts';
import { openCounts, type Counts } from './counts.ts';
import { evaluateAll } from './evaluate.ts';
import { frontDoorAlertHandlers } from './front-door-routes.ts';
import { alertHandlers } from './routes.ts';
import { deleteCountsBefore, deleteSubjectsBefore } from './counts-store.ts';
import { deleteIncidentsBefore } from './incidents-store.ts';
import { Subjects, type OtherServices } from './subjects.ts';
import { defineMail } from './tell.ts';

export interface AlertsDeps {
  readonly db: Database;
  readonly jobs: Jobs;
  readonly clock: Clock;
  readonly log: Logger;
  readonly identity: Pick<Identity, 'audit'>;
  readonly webhooks: Webhooks;
  /** Undefined if no mail server is configured. */
  readonly mailer: Mailer | undefined;
  /** Absent in tests of one process. */
  readonly others?: OtherServices | undefined;
}

export interface Alerts extends AsyncDisposable {
  /** A service of this process has the subjects of the source. */
  readonly hasSubjects: Subjects['register'];
  readonly count: Counts['count'];
  readonly operations: typeof alertOperations;
  readonly handlers: Handlers<typeof alertOperations, Caller>;
  /** What the front door answers for them. */
  readonly frontDoor: {
    readonly operations: typeof frontDoorAlertOperations;
    readonly handlers: Handlers<typeof frontDoorAlertOperations, Caller>;
  };
  /** What the job does: evaluates all rules once, on what was counted so far. */
  evaluate(): Promise<void>;
}

const jobName = 'alerts-evaluate';
const everySeconds = 30;
/** Longer than the longest window. */
const countDays = 2;
const subjectDays = 30;
const incidentDays = 90;

/** Defines the jobs, which run where jobs run. Dispose it before the database: it writes what was counted. */
export async function openAlerts(deps: AlertsDeps): Promise<Alerts> {
  const { db, jobs, clock } = deps;
  await defineMail(deps);
  await jobs.define(jobName, { retries: 0, timeoutSeconds: 120 }, ({ signal }) => evaluateAll(deps, signal));
  await jobs.schedule(jobName, { everySeconds });
  const kept = [
    { what: 'counts', days: countDays, deleteBefore: deleteCountsBefore },
    { what: 'subjects', days: subjectDays, deleteBefore: deleteSubjectsBefore },
    { what: 'incidents', days: incidentDays, deleteBefore: deleteIncidentsBefore },
  ];
  for (const { what, days, deleteBefore } of kept)
    await scheduleRetention({
      jobName: `alerts-${what}-retention`,
      days,
      jobs,
      clock,
      deleteBefore: (moment, limit) => deleteBefore(db, moment, limit),
    });
  const counts = openCounts(deps);
  const subjects = new Subjects(db, deps.others);
  const ruleDeps = { ...deps, subjects };
  return {
    hasSubjects: (source, has) => subjects.register(source, has),
    count: counts.count,
    operations: alertOperations,
    handlers: alertHandlers(ruleDeps, subjects),
    frontDoor: { operations: frontDoorAlertOperations, handlers: frontDoorAlertHandlers(ruleDeps) },
    async evaluate() {
      await counts.flush();
      await evaluateAll(deps);
    },
    [Symbol.asyncDispose]: () => counts[Symbol.asyncDispose](),
  };
}
