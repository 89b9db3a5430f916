/** What the front door answers for alerts. The rules are those of the services: all share one schema. */
import type { Handlers } from '#base/http/mount.ts';
import type { Caller } from '#identity/caller.ts';
import type { z } from 'zod';
import { listTargets, type Channel } from './channels-store.ts';
import type { frontDoorAlertOperations } from './contract/front-door.ts';
import type { RuleContent } from './rule.ts';
import { requireAdmin, Rules, withIncidents, type RuleDeps, type RuleState } from './rules.ts';
import { listRulesPage } from './rules-store.ts';
import { changeOfTargets, discard, insertTargets, prepareTargets, type Prepared } from './targets.ts';
import { alertToWire, targetToWire } from './view.ts';

type Operations = typeof frontDoorAlertOperations;
type Body = z.output<Operations['createAlert']['body']>;

const contentOf = (body: Body): RuleContent => ({
  name: body.name,
  measure: body.measure,
  subject: body.subject,
  windowMinutes: body.window,
  threshold: body.condition.threshold,
  minCount: body.condition.min_count,
  enabled: body.enabled,
});

const noSecrets: Prepared['secrets'] = new Map();

export function frontDoorAlertHandlers(deps: RuleDeps): Handlers<Operations, Caller> {
  const { db, clock, webhooks, mailer } = deps;
  const rules = new Rules(deps);
  const mailAvailable = mailer !== undefined;

  const viewTarget = async (channel: Channel, secrets: Prepared['secrets']) => {
    const { channelId, destinationId } = channel;
    const destination = destinationId === null ? undefined : await webhooks.find(destinationId);
    const secret = secrets.get(channelId);
    return {
      ...targetToWire(channel, { destination, mailAvailable }),
      ...(secret !== undefined && { secret }),
    };
  };
  const viewAll = async (states: readonly RuleState[], secrets = noSecrets) => {
    const targets = await listTargets(
      db,
      states.map(({ rule }) => rule.ruleId),
    );
    const byRule = Map.groupBy(targets, ({ ruleId }) => ruleId);
    return Promise.all(
      states.map(async ({ rule, open }) => {
        const own = byRule.get(rule.ruleId) ?? [];
        return alertToWire(rule, open, await Promise.all(own.map((channel) => viewTarget(channel, secrets))));
      }),
    );
  };
  const view = async (state: RuleState, secrets = noSecrets) => {
    const [alert] = await viewAll([state], secrets);
    if (alert === undefined) throw new Error('an alert has no view');
    return alert;
  };
  /** Takes back what was opened for targets if what they are for fails. */
  const withTargets = async (prepared: Prepared, run: () => Promise<RuleState>) => {
    try {
      return await run();
    } catch (error) {
      await discard(deps, prepared);
      throw error;
    }
  };

  return {
    async listAlerts({ caller, query }) {
      requireAdmin(caller);
      const { rules: found, total } = await listRulesPage(db, caller.tenantId, query);
      return { alerts: await viewAll(await withIncidents(db, found)), total };
    },
    getAlert: async ({ caller, params }) => view(await rules.get(caller, params.alert_id)),
    async createAlert({ caller, body, request }) {
      requireAdmin(caller);
      const prepared = await prepareTargets(deps, caller.tenantId, body.targets ?? [], []);
      const created = await withTargets(prepared, () =>
        rules.create({ caller, request }, contentOf(body), (tx, ruleId) =>
          insertTargets(tx, ruleId, prepared),
        ),
      );
      return view(created, prepared.secrets);
    },
    async replaceAlert({ caller, params, body, request }) {
      const asking = { caller, request };
      const content = contentOf(body);
      // Before anything is opened for it: there is such an alert, and the caller may change it.
      const { rule } = await rules.get(caller, params.alert_id);
      if (body.targets === undefined) return view(await rules.replace(asking, rule.ruleId, content));
      const known = await listTargets(db, [rule.ruleId]);
      const prepared = await prepareTargets(deps, caller.tenantId, body.targets, known);
      const replaced = await withTargets(prepared, () =>
        rules.replace(asking, rule.ruleId, content, (tx) =>
          changeOfTargets(tx, rule.ruleId, prepared, new Date(clock.now())),
        ),
      );
      return view(replaced, prepared.secrets);
    },
    async deleteAlert({ caller, params, request }) {
      await rules.delete({ caller, request }, params.alert_id);
      return { message: 'The alert was deleted.' };
    },
  };
}
