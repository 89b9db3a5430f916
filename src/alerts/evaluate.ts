/** Evaluates rules: whatever the number of processes, each rule in one at a time. */
import type { Clock } from '#base/clock.ts';
import type { Database, Queries } from '#base/db/database.ts';
import { newUuid } from '#base/ids.ts';
import { fires, isMuted, valueOf, type Incident, type Resolution, type Rule } from './rule.ts';
import { deleteChannel, listLeft, listTold } from './channels-store.ts';
import { sumWindows } from './counts-store.ts';
import {
  insertIncident,
  listOpenIncidents,
  resolveIncident,
  setTold,
  updateIncident,
} from './incidents-store.ts';
import { listTenants, lockEnabledRules, saveValue } from './rules-store.ts';
import { isUsable, tellChannel, type TellDeps } from './tell.ts';

export interface EvaluateDeps extends TellDeps {
  readonly db: Database;
  readonly clock: Clock;
}

/** Evaluates all rules of all tenants, and forgets targets that were left. */
export async function evaluateAll(deps: EvaluateDeps, signal?: AbortSignal): Promise<void> {
  for (const tenantId of await listTenants(deps.db)) {
    if (signal?.aborted === true) return;
    await deps.db.transaction((tx) => evaluateTenant(deps, tx, tenantId));
  }
  await forgetLeftTargets(deps);
}

/** Channels of one look. */
const mostLeft = 100;

/** Deletes what were targets of rules once nothing waits to be sent there. */
async function forgetLeftTargets({ db, webhooks }: EvaluateDeps): Promise<void> {
  for (const { tenantId, channelId, destinationId } of await listLeft(db, mostLeft)) {
    const destination = destinationId === null ? undefined : await webhooks.find(destinationId);
    if (destination !== undefined && destination.waiting > 0) continue;
    if (destinationId !== null) await webhooks.remove(destinationId);
    await deleteChannel(db, tenantId, channelId);
  }
}

/** States, marks and messages are committed together, so each is told once, whenever a process dies. */
async function evaluateTenant(deps: EvaluateDeps, tx: Queries, tenantId: string): Promise<void> {
  const nowMs = deps.clock.now();
  const rules = await lockEnabledRules(tx, tenantId);
  if (rules.length === 0) return;
  const windows = await sumWindows(tx, tenantId, rules, nowMs);
  const ruleIds = rules.map(({ ruleId }) => ruleId);
  const open = new Map((await listOpenIncidents(tx, ruleIds)).map((each) => [each.ruleId, each]));
  const at = new Date(nowMs);
  for (const rule of rules) {
    const counts = windows.get(rule.ruleId) ?? { total: 0, stopped: 0, failed: 0 };
    const value = valueOf(rule.measure, counts);
    await saveValue(tx, rule.ruleId, { value, counted: counts.total, at });
    const incident = open.get(rule.ruleId);
    if (fires(rule, value, counts.total)) await goOn(deps, tx, { rule, incident, value, at });
    else if (incident !== undefined)
      await resolve(deps, tx, { rule, incident, resolution: 'recovered', value: value ?? 0 });
  }
}

/** The rule fires: its incident begins or goes on, and is told if it was not yet. */
async function goOn(
  deps: EvaluateDeps,
  tx: Queries,
  { rule, incident, value, at }: { rule: Rule; incident: Incident | undefined; value: number; at: Date },
): Promise<void> {
  const known = incident ?? begun(rule, value, at);
  if (incident === undefined) await insertIncident(tx, known);
  else await updateIncident(tx, known.incidentId, value);
  if (known.toldAt !== null || isMuted(rule, at)) return;
  const peak = Math.max(known.peak, value);
  if (await tellAll(deps, tx, 'firing', { ...known, value, peak })) await setTold(tx, known.incidentId, at);
}

/** Ends an incident; those who were told of it are told. */
export async function resolve(
  deps: EvaluateDeps,
  tx: Queries,
  {
    rule,
    incident,
    resolution,
    value,
  }: { rule: Rule; incident: Incident; resolution: Resolution; value: number },
): Promise<void> {
  const at = new Date(deps.clock.now());
  await resolveIncident(tx, incident.incidentId, { resolution, value, at });
  if (incident.toldAt === null || isMuted(rule, at)) return;
  await tellAll(deps, tx, 'resolved', { ...incident, value, resolution, resolvedAt: at });
}

/** Whether there was anybody to tell. */
async function tellAll(
  deps: EvaluateDeps,
  tx: Queries,
  type: 'firing' | 'resolved',
  incident: Incident,
): Promise<boolean> {
  const told = await listTold(tx, incident.tenantId, incident.ruleId);
  const channels = told.filter((channel) => isUsable(deps, channel));
  for (const channel of channels) await tellChannel(deps, channel, { type, incident }, tx);
  return channels.length > 0;
}

const begun = (rule: Rule, value: number, at: Date): Incident => ({
  incidentId: newUuid(at.getTime()),
  tenantId: rule.tenantId,
  ruleId: rule.ruleId,
  ruleName: rule.name,
  measure: rule.measure,
  subject: rule.subject,
  subjectName: rule.subjectName,
  windowMinutes: rule.windowMinutes,
  threshold: rule.threshold,
  value,
  peak: value,
  startedAt: at,
  resolvedAt: null,
  resolution: null,
  toldAt: null,
});
