import type { Clock } from '../../clock.ts';
import type { PlatformConfig } from '../../config/platform.ts';
import type { Database } from '../../db/database.ts';
import { scheduleRetention } from '../../jobs/retention.ts';
import type { Jobs } from '../../jobs/jobs.ts';
import type { Logger } from '../../log/log.ts';
import { openOutbound } from '../../net/outbound.ts';
import { openVault } from '../../secrets/vault.ts';
import { startWebhookSender } from './sender.ts';
import { Webhooks } from './webhooks.ts';

const keptDays = 30;

/**
 * The webhooks of a process, with the one sender that all of its services share.
 * @param stack disposes what is opened here, before the database
 */
export async function openWebhooks(
  {
    config,
    db,
    jobs,
    clock,
    log,
  }: { config: PlatformConfig; db: Database; jobs: Jobs; clock: Clock; log: Logger },
  stack: AsyncDisposableStack,
): Promise<Webhooks> {
  const vault = await openVault(config);
  const outbound = stack.use(openOutbound(config));
  const webhooks = new Webhooks({ db, clock, vault, outbound });
  stack.use(await startWebhookSender({ db, clock, log, vault, outbound }));
  await scheduleRetention({
    jobName: 'webhooks-retention',
    days: keptDays,
    jobs,
    clock,
    deleteBefore: (moment, limit) => webhooks.deleteBefore(moment, limit),
  });
  return webhooks;
}
