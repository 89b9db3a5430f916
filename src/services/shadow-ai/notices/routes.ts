import type { z } from 'zod';
import { toIsoTime } from '#base/clock.ts';
import { conflict } from '#base/errors.ts';
import type { Handlers } from '#base/http/mount.ts';
import { changesBetween } from '#identity/audit/changes.ts';
import type { Caller } from '#identity/caller.ts';
import type { Identity } from '#identity/identity.ts';
import type { noticeOperations } from '../contract/notices.ts';
import { requireAdmin } from '../rules/rules.ts';
import { sendTest, type NoticeDeps } from './notices.ts';
import { findSettings, writeSettings, type NoticeSettings } from './store.ts';

const mostDeliveries = 50;

type Wire = z.output<(typeof noticeOperations)['getNoticeSettings']['response']>;

/** Before anything is set. */
const none = {
  tenantId: '',
  newTools: false,
  minSeverity: null,
  mailTo: [],
  webhookId: null,
  webhookUrl: null,
  since: new Date(0),
} satisfies NoticeSettings;

/** Without the path of the webhook's address: with some receivers it is the secret. */
const told = ({ newTools, minSeverity, mailTo, webhookUrl }: NoticeSettings) => ({
  newTools,
  minSeverity,
  mailTo,
  webhook: webhookUrl === null ? null : new URL(webhookUrl).origin,
});

export function noticeHandlers(
  deps: NoticeDeps & { readonly identity: Identity },
): Handlers<typeof noticeOperations, Caller> {
  const { db, clock, webhooks, mailer, identity } = deps;
  const tenantOf = async (caller: Caller, asked: string | undefined) => {
    const tenantId = await identity.tenantFor(caller, asked);
    requireAdmin(caller);
    return tenantId;
  };
  const view = async (settings: NoticeSettings = none): Promise<Wire> => {
    const { newTools, minSeverity, mailTo, webhookId, webhookUrl } = settings;
    const destination = webhookId === null ? undefined : await webhooks.find(webhookId);
    return {
      new_tools: newTools,
      min_severity: minSeverity as Wire['min_severity'],
      mail_to: [...mailTo],
      webhook_url: webhookUrl,
      mail_available: mailer !== undefined,
      webhook_problem: destination?.disabledReason ?? null,
    };
  };
  /** That of an unchanged address, switched on again; else a new one with its secret. */
  const destinationFor = async (
    tenantId: string,
    before: NoticeSettings | undefined,
    url: string | null,
  ): Promise<{ id: string | null; secret: string | null }> => {
    if (url === null) return { id: null, secret: null };
    const known = before?.webhookUrl === url ? before.webhookId : null;
    if (known !== null) {
      await webhooks.enable(known);
      return { id: known, secret: null };
    }
    const { destinationId, secret } = await webhooks.add({ owner: `shadow_ai ${tenantId}`, url });
    return { id: destinationId, secret };
  };
  return {
    getNoticeSettings: async ({ caller, query }) =>
      view(await findSettings(db, await tenantOf(caller, query.tenant_id))),
    async putNoticeSettings({ caller, query, body, request }) {
      const tenantId = await tenantOf(caller, query.tenant_id);
      const before = await findSettings(db, tenantId);
      const destination = await destinationFor(tenantId, before, body.webhook_url);
      const after = {
        tenantId,
        newTools: body.new_tools,
        minSeverity: body.min_severity,
        mailTo: body.mail_to,
        webhookId: destination.id,
        webhookUrl: body.webhook_url,
        since: new Date(clock.now()),
      };
      const changes = changesBetween(before && told(before), told(after));
      const details = { new_tools: body.new_tools, min_severity: body.min_severity ?? 'none', changes };
      const former = before?.webhookId ?? null;
      await db
        .transaction(async (tx) => {
          await writeSettings(tx, after);
          await identity.audit(
            { event: 'shadow_ai_notices_changed', caller, tenantId, request, details },
            tx,
          );
        })
        .catch(async (error: unknown) => {
          if (destination.id !== null && destination.id !== former) await webhooks.remove(destination.id);
          throw error;
        });
      if (former !== null && former !== destination.id) await webhooks.remove(former);
      return { ...(await view(after)), webhook_secret: destination.secret };
    },
    async testNotices({ caller, query }) {
      const sent = await sendTest(deps, await tenantOf(caller, query.tenant_id));
      if (sent.length === 0)
        throw conflict(
          'Nothing was sent: set webhook_url, or mail_to where a mail server is configured (smtp.url).',
        );
      return { sent_to: sent };
    },
    async listNoticeDeliveries({ caller, query }) {
      const settings = await findSettings(db, await tenantOf(caller, query.tenant_id));
      const webhookId = settings?.webhookId ?? null;
      const found = webhookId === null ? [] : await webhooks.deliveries(webhookId, mostDeliveries);
      return {
        deliveries: found.map(({ messageId, createdAt, status, log }) => ({
          id: messageId,
          at: toIsoTime(createdAt),
          status,
          attempts: log.map((attempt) => ({
            at: toIsoTime(attempt.at),
            status: attempt.status,
            error: attempt.error,
          })),
        })),
      };
    },
  };
}
