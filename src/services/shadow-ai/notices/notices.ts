/** Tells tenants of new tools and grave detections, each once, by mail and webhook. */
import { toIsoTime, type Clock } from '#base/clock.ts';
import type { Database, Queries } from '#base/db/database.ts';
import type { Webhooks } from '#base/events/webhooks/webhooks.ts';
import type { Jobs } from '#base/jobs/jobs.ts';
import type { Mail, Mailer } from '#base/mail/mailer.ts';
import { severities, type Severity } from '#engine/shadow-ai/catalogue.ts';
import type { TenantRule } from '../rules/rules.ts';
import { listAllowed } from '../tools/store.ts';
import { mailOf } from './mail.ts';
import {
  claim,
  findSettings,
  listRulesBefore,
  listTenants,
  listUntold,
  lockSettings,
  type FoundDetection,
  type NoticeSettings,
} from './store.ts';

export interface NoticeDeps {
  readonly db: Database;
  readonly jobs: Jobs;
  readonly clock: Clock;
  readonly webhooks: Webhooks;
  /** Undefined if no mail server is configured. */
  readonly mailer: Mailer | undefined;
  readonly rulesOf: (tenantId: string, tx: Queries) => Promise<readonly TenantRule[]>;
}

/** A detection to be told, with its rule as the tenant sees it. */
export interface Notice {
  readonly isNewTool: boolean;
  readonly detection: FoundDetection;
  readonly name: string;
  readonly severity: Severity;
}

const jobName = 'shadow-ai-notices';
const mailJobName = 'shadow-ai-notice-mail';
const everySeconds = 15;
/** At most this many detections are read at a time; the rest follows at once. */
const mostAtOnce = 500;

/** Defines the jobs; they run where jobs run. */
export async function openNotices(deps: NoticeDeps): Promise<void> {
  const { jobs, mailer } = deps;
  await jobs.define<Mail>(
    mailJobName,
    { retries: 5, retryDelaySeconds: 30, timeoutSeconds: 120 },
    async ({ data }) => {
      await mailer?.send(data);
    },
  );
  await jobs.define(jobName, { retries: 0, timeoutSeconds: 300 }, async ({ signal }) => {
    for (const tenantId of await listTenants(deps.db)) {
      if (signal.aborted) return;
      while ((await tell(deps, tenantId)) === mostAtOnce && !signal.aborted);
    }
  });
  await jobs.schedule(jobName, { everySeconds });
}

/**
 * Tells one tenant what is new. The marks, the webhook's messages and the mail are committed together, so each is told
 * once, whenever a process dies.
 * @returns how many detections were read
 */
function tell(deps: NoticeDeps, tenantId: string): Promise<number> {
  return deps.db.transaction(async (tx) => {
    const settings = await lockSettings(tx, tenantId);
    if (settings === undefined) return 0;
    const { since } = settings;
    const found = await listUntold(tx, { tenantId, since, limit: mostAtOnce });
    if (found.length === 0) return 0;
    const notices = await noticesOf(deps, tx, settings, found);
    const at = new Date(deps.clock.now());
    await claim(
      tx,
      tenantId,
      found.map(({ id }) => `detection:${id}`),
      at,
    );
    await send(deps, tx, settings, notices);
    return found.length;
  });
}

async function noticesOf(
  { clock, rulesOf }: NoticeDeps,
  tx: Queries,
  settings: NoticeSettings,
  found: readonly FoundDetection[],
): Promise<Notice[]> {
  const { tenantId, newTools, minSeverity, since } = settings;
  const now = new Date(clock.now());
  const rules = new Map((await rulesOf(tenantId, tx)).map((each) => [each.rule.id, each]));
  const allowed = new Set(
    (await listAllowed(tx, tenantId))
      .filter(({ endsAt }) => endsAt === null || endsAt > now)
      .map(({ ruleId }) => ruleId),
  );
  const concerned = found.filter(
    ({ ruleId }) => rules.get(ruleId)?.override?.enabled !== false && !allowed.has(ruleId),
  );
  const ruleIds = [...new Set(concerned.map(({ ruleId }) => ruleId))];
  const older = await listRulesBefore(tx, tenantId, ruleIds, since);
  const unseen = ruleIds.filter((ruleId) => !older.has(ruleId)).map((ruleId) => `tool:${ruleId}`);
  const firsts = newTools ? await claim(tx, tenantId, unseen, now) : new Set<string>();
  return concerned.flatMap((detection) => {
    const rule = rules.get(detection.ruleId);
    const severity = (rule?.override?.severity ?? rule?.rule.severity ?? 'INFORMATIONAL') as Severity;
    const isNewTool = firsts.delete(`tool:${detection.ruleId}`);
    if (!isNewTool && !isAtLeast(severity, minSeverity)) return [];
    return [{ isNewTool, detection, name: detection.ruleId, severity }];
  });
}

/** Severities are listed from the gravest on. */
const isAtLeast = (severity: Severity, least: string | null): boolean =>
  least !== null && severities.indexOf(severity) <= severities.indexOf(least as Severity);

const bodyOf = ({ isNewTool, detection, severity }: Notice, tenantId: string) => ({
  type: isNewTool ? 'shadow_ai.tool.found' : 'shadow_ai.detection.found',
  timestamp: toIsoTime(detection.startedAt),
  data: {
    tenant_id: tenantId,
    event_id: detection.id,
    agent_framework: detection.ruleId,
    severity,
    device_name: detection.deviceName ?? detection.deviceUid,
    account_name: detection.accountName,
    activity_tags: detection.tags,
  },
});

async function send(
  { jobs, webhooks, mailer }: NoticeDeps,
  tx: Queries,
  { tenantId, mailTo, webhookId }: NoticeSettings,
  notices: readonly Notice[],
): Promise<void> {
  if (notices.length === 0) return;
  if (webhookId !== null)
    for (const notice of notices)
      await webhooks.send(webhookId, bodyOf(notice, tenantId), {
        messageId: `msg_shadow_ai_${tenantId}_${notice.detection.id}`,
        tx,
      });
  if (mailer !== undefined && mailTo.length > 0)
    await jobs.send<Mail>(mailJobName, { ...mailOf(notices), to: mailTo }, { tx });
}

/**
 * Sends a test through what is set.
 * @returns by which ways
 */
export async function sendTest(
  { db, jobs, clock, webhooks, mailer }: NoticeDeps,
  tenantId: string,
): Promise<('mail' | 'webhook')[]> {
  const settings = await findSettings(db, tenantId);
  const ways: ('mail' | 'webhook')[] = [];
  if (settings === undefined) return ways;
  if (settings.webhookId !== null) {
    const timestamp = toIsoTime(clock.now());
    await webhooks.send(settings.webhookId, {
      type: 'shadow_ai.test',
      timestamp,
      data: { tenant_id: tenantId },
    });
    ways.push('webhook');
  }
  if (mailer !== undefined && settings.mailTo.length > 0) {
    const text = 'This is a test of the notices of shadow AI: they arrive.';
    await jobs.send<Mail>(mailJobName, {
      to: settings.mailTo,
      subject: '[Bulwark] Test of the notices of shadow AI',
      text,
    });
    ways.push('mail');
  }
  return ways;
}
