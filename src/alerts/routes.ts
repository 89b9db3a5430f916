import { toIsoTime } from '#base/clock.ts';
import { conflict, notFound } from '#base/errors.ts';
import type { Handlers } from '#base/http/mount.ts';
import { isUuid, newUuid } from '#base/ids.ts';
import type { Caller } from '#identity/caller.ts';
import { maxChannels, type alertOperations } from './contract/alerts.ts';
import { auditedChannel } from './audited.ts';
import { deleteChannel, findChannel, insertChannel, listChannels, type Channel } from './channels-store.ts';
import { listSubjects } from './counts-store.ts';
import { listIncidents } from './incidents-store.ts';
import { countOf, lockTenant } from './limits-store.ts';
import { requireAdmin, Rules, withIncidents, type RuleDeps, type RuleState } from './rules.ts';
import { listRules } from './rules-store.ts';
import type { Subjects } from './subjects.ts';
import { isUsable, tellChannel } from './tell.ts';
import { channelToWire, contentFromWire, incidentToWire, ruleToWire } from './view.ts';

const mostSubjects = 500;
const mostDeliveries = 50;

type RouteDeps = RuleDeps;

export function alertHandlers(deps: RouteDeps, subjects: Subjects): Handlers<typeof alertOperations, Caller> {
  return { ...ruleHandlers(deps, subjects), ...channelHandlers(deps) };
}

type RuleHandlers = Omit<Handlers<typeof alertOperations, Caller>, keyof ReturnType<typeof channelHandlers>>;

function ruleHandlers(deps: RouteDeps, subjects: Subjects): RuleHandlers {
  const { db, clock } = deps;
  const rules = new Rules(deps);
  const view = ({ rule, open }: RuleState) => ruleToWire(rule, open);
  return {
    async listAlertRules({ caller }) {
      requireAdmin(caller);
      return { rules: (await withIncidents(db, await listRules(db, caller.tenantId))).map(view) };
    },
    createAlertRule: async ({ caller, body, request }) =>
      view(await rules.create({ caller, request }, contentFromWire(body))),
    replaceAlertRule: async ({ caller, params, body, request }) =>
      view(await rules.replace({ caller, request }, params.rule_id, contentFromWire(body))),
    async deleteAlertRule({ caller, params, request }) {
      await rules.delete({ caller, request }, params.rule_id);
      return { message: 'The alert rule was deleted.' };
    },
    async muteAlertRule({ caller, params, body: { minutes }, request }) {
      const until = minutes === null ? null : new Date(clock.now() + minutes * 60_000);
      return view(await rules.mute({ caller, request }, params.rule_id, until));
    },
    async listAlertIncidents({ caller, query: { state, limit, offset } }) {
      requireAdmin(caller);
      const page = { firing: state === 'firing', limit, offset };
      const { incidents, total } = await listIncidents(db, caller.tenantId, page);
      return { incidents: incidents.map(incidentToWire), total };
    },
    async findAlertSubject({ caller, params: { source, subject } }) {
      requireAdmin(caller);
      return { exists: (await subjects.find(caller.tenantId, source, subject)) ?? null };
    },
    async listAlertSubjects({ caller }) {
      requireAdmin(caller);
      return { subjects: await listSubjects(db, caller.tenantId, mostSubjects) };
    },
  };
}

function channelHandlers(deps: RouteDeps) {
  const { db, clock, identity, webhooks, mailer } = deps;
  const mailAvailable = mailer !== undefined;
  const get = async (caller: Caller, channelId: string) => {
    requireAdmin(caller);
    const channel = isUuid(channelId) ? await findChannel(db, caller.tenantId, channelId) : undefined;
    if (channel === undefined) throw notFound('The channel');
    return channel;
  };
  const view = async (channel: Channel) => {
    const { destinationId } = channel;
    const destination = destinationId === null ? undefined : await webhooks.find(destinationId);
    return channelToWire(channel, { destination, mailAvailable });
  };
  return {
    async listAlertChannels({ caller }) {
      requireAdmin(caller);
      const channels = await listChannels(db, caller.tenantId);
      return { channels: await Promise.all(channels.map(view)), mail_available: mailAvailable };
    },
    async createAlertChannel({ caller, body, request }) {
      requireAdmin(caller);
      const { tenantId } = caller;
      const url = body.kind === 'mail' ? null : body.url;
      // Refuses forbidden addresses before anything is stored.
      const destination = url === null ? null : await webhooks.add({ owner: `alerts ${tenantId}`, url });
      const channel = {
        channelId: newUuid(clock.now()),
        tenantId,
        ruleId: null,
        name: body.name,
        kind: body.kind,
        mailTo: body.kind === 'mail' ? body.mail_to : [],
        url,
        destinationId: destination?.destinationId ?? null,
        createdAt: new Date(clock.now()),
      };
      try {
        await db.transaction(async (tx) => {
          await lockTenant(tx, tenantId);
          if ((await countOf(tx, 'channels', tenantId)) >= maxChannels)
            throw conflict(
              `There are ${maxChannels} channels, the most that a tenant can have. Remove one first.`,
            );
          await insertChannel(tx, channel);
          await identity.audit(auditedChannel('alert_channel_created', { caller, request }, channel), tx);
        });
      } catch (error) {
        if (destination !== null) await webhooks.remove(destination.destinationId);
        throw error;
      }
      const secret = channel.kind === 'webhook' ? (destination?.secret ?? null) : null;
      return { ...(await view(channel)), secret };
    },
    async deleteAlertChannel({ caller, params, request }) {
      const channel = await get(caller, params.channel_id);
      const { channelId, tenantId, destinationId, ruleId } = channel;
      if (ruleId !== null)
        throw conflict('This is a target of an alert: change the alert (PUT /api/alerts at the front door).');
      await db.transaction(async (tx) => {
        if (await deleteChannel(tx, tenantId, channelId))
          await identity.audit(auditedChannel('alert_channel_deleted', { caller, request }, channel), tx);
      });
      if (destinationId !== null) await webhooks.remove(destinationId);
      return { message: 'The channel was removed.' };
    },
    async testAlertChannel({ caller, params }) {
      const channel = await get(caller, params.channel_id);
      if (!isUsable(deps, channel))
        throw conflict('No mail server is configured: set smtp.url (BULWARK_SMTP_URL) and restart.');
      if (channel.destinationId !== null) await webhooks.enable(channel.destinationId);
      await tellChannel(deps, channel, { type: 'test' });
      return { message: 'A test is on its way.' };
    },
    async listAlertDeliveries({ caller, params }) {
      const { destinationId } = await get(caller, params.channel_id);
      const found = destinationId === null ? [] : await webhooks.deliveries(destinationId, mostDeliveries);
      return {
        deliveries: found.map(({ messageId, createdAt, status, log }) => ({
          id: messageId,
          at: toIsoTime(createdAt),
          status,
          attempts: log.map(({ at, status: answered, error }) => ({
            at: toIsoTime(at),
            status: answered,
            error,
          })),
        })),
      };
    },
  } satisfies Partial<Handlers<typeof alertOperations, Caller>>;
}
