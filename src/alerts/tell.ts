/** Sends alerts to the channels of a tenant, as part of the transaction that marks them as told. */
import type { Clock } from '#base/clock.ts';
import type { Queries } from '#base/db/database.ts';
import type { Webhooks } from '#base/events/webhooks/webhooks.ts';
import type { Jobs } from '#base/jobs/jobs.ts';
import type { Mail, Mailer } from '#base/mail/mailer.ts';
import { mailOf, slackBody, standardBody, type Occasion } from './message.ts';
import type { Channel } from './channels-store.ts';

export interface TellDeps {
  readonly jobs: Jobs;
  readonly clock: Clock;
  readonly webhooks: Webhooks;
  /** Undefined if no mail server is configured. */
  readonly mailer: Mailer | undefined;
}

const mailJobName = 'alert-mail';

/** Defines the job that sends mail; it runs where jobs run. */
export const defineMail = ({ jobs, mailer }: TellDeps): Promise<void> =>
  jobs.define<Mail>(
    mailJobName,
    { retries: 5, retryDelaySeconds: 30, timeoutSeconds: 120 },
    async ({ data }) => {
      await mailer?.send(data);
    },
  );

/** Whether anything can be sent to the channel here. */
export const isUsable = ({ mailer }: TellDeps, { kind }: Channel): boolean =>
  kind !== 'mail' || mailer !== undefined;

/** Queues the message to one channel. */
export async function tellChannel(
  { jobs, clock, webhooks }: TellDeps,
  channel: Channel,
  occasion: Occasion,
  tx?: Queries,
): Promise<void> {
  const { channelId, tenantId, kind, mailTo, destinationId } = channel;
  if (kind === 'mail') {
    await jobs.send<Mail>(mailJobName, { ...mailOf(occasion), to: mailTo }, tx === undefined ? {} : { tx });
    return;
  }
  if (destinationId === null) return;
  const now = new Date(clock.now());
  const body = kind === 'slack' ? slackBody(occasion) : standardBody(occasion, tenantId, now);
  // A second message with the same id would be ignored: what is told once cannot be told twice.
  const messageId =
    occasion.type === 'test'
      ? {}
      : { messageId: `msg_alert_${occasion.incident.incidentId}_${occasion.type}_${channelId}` };
  await webhooks.send(destinationId, body, { ...messageId, tx });
}
