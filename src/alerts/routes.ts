import { toIsoTime, type Clock } from '#base/clock.ts';
import type { Database, Queries } from '#base/db/database.ts';
import { conflict, forbidden, notFound } from '#base/errors.ts';
import type { Handlers } from '#base/http/mount.ts';
import { isUuid, newUuid } from '#base/ids.ts';
import type { Caller } from '#identity/caller.ts';
import type { Identity } from '#identity/identity.ts';
import { maxChannels, maxRules, type alertOperations } from './contract/alerts.ts';
import { resolve, type EvaluateDeps } from './evaluate.ts';
import type { Rule } from './rule.ts';
import { deleteChannel, findChannel, insertChannel, listChannels, type Channel } from './channels-store.ts';
import { listSubjects } from './counts-store.ts';
import { listIncidents, listOpenIncidents } from './incidents-store.ts';
import { countOf, lockTenant } from './limits-store.ts';
import { deleteRule, findRule, insertRule, listRules, setMuted, updateRule } from './rules-store.ts';
import { isUsable, tellChannel } from './tell.ts';
import { channelToWire, contentFromWire, incidentToWire, ruleToWire } from './view.ts';

const mostSubjects = 500;
const mostDeliveries = 50;

export interface RouteDeps extends EvaluateDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly identity: Pick<Identity, 'audit'>;
}

export function alertHandlers(deps: RouteDeps): Handlers<typeof alertOperations, Caller> {
  return { ...ruleHandlers(deps), ...channelHandlers(deps) };
}

function requireAdmin(caller: Caller): void {
  if (!caller.roles.includes('admin')) throw forbidden('Alerts are for administrators of the tenant.');
}

type RuleHandlers = Omit<Handlers<typeof alertOperations, Caller>, keyof ReturnType<typeof channelHandlers>>;

function ruleHandlers(deps: RouteDeps): RuleHandlers {
  const { db, clock, identity } = deps;
  const view = async (rule: Rule, queries: Queries = db) => {
    const [open] = await listOpenIncidents(queries, [rule.ruleId]);
    return ruleToWire(rule, open);
  };
  /** Changes a rule while nobody else does, neither a user nor the evaluation. */
  const change = (caller: Caller, ruleId: string, how: (tx: Queries, rule: Rule) => Promise<void>) => {
    requireAdmin(caller);
    return db.transaction(async (tx) => {
      const rule = isUuid(ruleId) ? await findRule(tx, caller.tenantId, ruleId, true) : undefined;
      if (rule === undefined) throw notFound('The alert rule');
      await how(tx, rule);
      const after = await findRule(tx, caller.tenantId, rule.ruleId);
      return { before: rule, after: after && (await view(after, tx)) };
    });
  };
  const endIncident = async (tx: Queries, rule: Rule) => {
    const [incident] = await listOpenIncidents(tx, [rule.ruleId]);
    if (incident !== undefined)
      await resolve(deps, tx, { rule, incident, resolution: 'rule_changed', value: incident.value });
  };
  return {
    async listAlertRules({ caller }) {
      requireAdmin(caller);
      const rules = await listRules(db, caller.tenantId);
      const found = await listOpenIncidents(
        db,
        rules.map(({ ruleId }) => ruleId),
      );
      const open = new Map(found.map((incident) => [incident.ruleId, incident]));
      return { rules: rules.map((rule) => ruleToWire(rule, open.get(rule.ruleId))) };
    },
    async createAlertRule({ caller, body, request }) {
      requireAdmin(caller);
      const { tenantId } = caller;
      const createdAt = new Date(clock.now());
      const rule = { ...contentFromWire(body), ruleId: newUuid(clock.now()), tenantId, createdAt };
      await db.transaction(async (tx) => {
        await lockTenant(tx, tenantId);
        if ((await countOf(tx, 'rules', tenantId)) >= maxRules)
          throw conflict(
            `There are ${maxRules} alert rules, the most that a tenant can have. Delete one first.`,
          );
        await insertRule(tx, rule);
      });
      await identity.audit({
        event: 'alert_rule_created',
        caller,
        request,
        details: { rule_id: rule.ruleId, name: rule.name },
      });
      const created = await findRule(db, tenantId, rule.ruleId);
      if (created === undefined) throw notFound('The alert rule');
      return view(created);
    },
    async replaceAlertRule({ caller, params, body, request }) {
      const content = contentFromWire(body);
      const { before, after } = await change(caller, params.rule_id, async (tx, rule) => {
        const isAnother = rule.measure !== content.measure || rule.subject !== content.subject;
        if (isAnother || !content.enabled) await endIncident(tx, rule);
        await updateRule(tx, rule.ruleId, content);
      });
      if (after === undefined) throw notFound('The alert rule');
      await identity.audit({
        event: 'alert_rule_changed',
        caller,
        request,
        details: { rule_id: before.ruleId, name: content.name },
      });
      return after;
    },
    async deleteAlertRule({ caller, params, request }) {
      const { before } = await change(caller, params.rule_id, async (tx, rule) => {
        await endIncident(tx, rule);
        await deleteRule(tx, rule.ruleId);
      });
      await identity.audit({
        event: 'alert_rule_deleted',
        caller,
        request,
        details: { rule_id: before.ruleId, name: before.name },
      });
      return { message: 'The alert rule was deleted.' };
    },
    async muteAlertRule({ caller, params, body: { minutes }, request }) {
      const until = minutes === null ? null : new Date(clock.now() + minutes * 60_000);
      const { before, after } = await change(caller, params.rule_id, async (tx, rule) => {
        await setMuted(tx, rule.ruleId, until);
      });
      if (after === undefined) throw notFound('The alert rule');
      await identity.audit({
        event: minutes === null ? 'alert_rule_unmuted' : 'alert_rule_muted',
        caller,
        request,
        details: { rule_id: before.ruleId, name: before.name, minutes },
      });
      return after;
    },
    async listAlertIncidents({ caller, query: { state, limit, offset } }) {
      requireAdmin(caller);
      const page = { firing: state === 'firing', limit, offset };
      const { incidents, total } = await listIncidents(db, caller.tenantId, page);
      return { incidents: incidents.map(incidentToWire), total };
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
        });
      } catch (error) {
        if (destination !== null) await webhooks.remove(destination.destinationId);
        throw error;
      }
      await identity.audit({
        event: 'alert_channel_created',
        caller,
        request,
        details: { channel_id: channel.channelId, name: channel.name, kind: channel.kind },
      });
      const secret = channel.kind === 'webhook' ? (destination?.secret ?? null) : null;
      return { ...(await view(channel)), secret };
    },
    async deleteAlertChannel({ caller, params, request }) {
      const { channelId, tenantId, name, destinationId } = await get(caller, params.channel_id);
      await deleteChannel(db, tenantId, channelId);
      if (destinationId !== null) await webhooks.remove(destinationId);
      await identity.audit({
        event: 'alert_channel_deleted',
        caller,
        request,
        details: { channel_id: channelId, name },
      });
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
