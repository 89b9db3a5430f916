import { toIsoTime, type Clock } from '#base/clock.ts';
import type { Database } from '#base/db/database.ts';
import { invalid, notFound } from '#base/errors.ts';
import type { Handlers, RequestFacts } from '#base/http/mount.ts';
import type { Matcher } from '#engine/shadow-ai/matcher.ts';
import { resourceEvent } from '#identity/audit/resource-event.ts';
import type { Caller } from '#identity/caller.ts';
import type { Identity } from '#identity/identity.ts';
import type { toolOperations } from '../contract/tools.ts';
import { findDetection } from '../detections/store.ts';
import { requireAdmin, type Rules } from '../rules/rules.ts';
import { windowOf } from '../window.ts';
import { type AllowedTool, countDays, deleteAllowed, listAllowed, listFound, writeAllowed } from './store.ts';

interface Deps {
  readonly db: Database;
  readonly clock: Clock;
  readonly identity: Identity;
  readonly rules: Rules;
  readonly matcher: Matcher;
}

const dayMs = 86_400_000;
const mostDays = 60;
const isoOf = (date: Date) => toIsoTime(date.getTime());

const isOver = ({ endsAt }: AllowedTool, nowMs: number): boolean =>
  endsAt !== null && endsAt.getTime() <= nowMs;

const viewAllowed = (tool: AllowedTool, nowMs: number) => ({
  agent_framework: tool.ruleId,
  owner: tool.owner,
  reason: tool.reason,
  ends_at: tool.endsAt === null ? null : isoOf(tool.endsAt),
  allowed_by: tool.allowedBy,
  created_at: isoOf(tool.createdAt),
  is_over: isOver(tool, nowMs),
});

/** The days of a window, as they are counted. */
function daysOf(from: Date, to: Date): string[] {
  const last = Math.floor(to.getTime() / dayMs);
  const first = Math.max(Math.floor(from.getTime() / dayMs), last - mostDays + 1);
  return Array.from({ length: last - first + 1 }, (_, i) =>
    new Date((first + i) * dayMs).toISOString().slice(0, 10),
  );
}

const told = ({ owner, reason, endsAt }: AllowedTool) => ({ owner, reason, endsAt });

interface Allowance {
  readonly owner: string;
  readonly reason: string;
  readonly ends_at?: string | null | undefined;
}

export function toolHandlers({
  db,
  clock,
  identity,
  rules,
  matcher,
}: Deps): Handlers<typeof toolOperations, Caller> {
  const names = new Map(
    [...matcher.catalogue.rules, ...matcher.catalogue.providers].map(({ id, name }) => [id, name]),
  );
  const nameOf = (ruleId: string) => names.get(ruleId) ?? ruleId;
  async function allow(
    { caller, tenantId, ruleId }: { caller: Caller; tenantId: string; ruleId: string },
    { owner, reason, ends_at: ends }: Allowance,
    request: RequestFacts,
  ) {
    const nowMs = clock.now();
    const endsAt = ends === null || ends === undefined ? null : new Date(ends);
    if (endsAt !== null && endsAt.getTime() <= nowMs) throw invalid("'ends_at' must lie in the future.");
    const tool = { ruleId, owner, reason, endsAt, allowedBy: caller.username, createdAt: new Date(nowMs) };
    await db.transaction(async (tx) => {
      const before = (await listAllowed(tx, tenantId)).find((each) => each.ruleId === ruleId);
      await writeAllowed(tx, tenantId, tool);
      const changed = { id: ruleId, name: nameOf(ruleId), before: before && told(before), after: told(tool) };
      const event = resourceEvent('shadow_ai_tool_allowed', { caller, request }, changed);
      await identity.audit({ ...event, tenantId }, tx);
    });
    return viewAllowed(tool, nowMs);
  }

  return {
    async listTools({ caller, query }) {
      const tenantId = await identity.tenantFor(caller, query.tenant_id);
      const window = windowOf(clock, query.start_date, query.end_date, ['start_date', 'end_date']);
      const of = new Map((await rules.list(caller, query.tenant_id)).map((each) => [each.rule.id, each]));
      const filter = { tenantId, ...window, disabled: await rules.disabled(tenantId) };
      const allowed = new Map((await listAllowed(db, tenantId)).map((tool) => [tool.ruleId, tool]));
      const counts = new Map(
        (await countDays(db, filter)).map(({ ruleId, day, count }) => [`${ruleId} ${day}`, count]),
      );
      const days = daysOf(window.from, window.to);
      const nowMs = clock.now();
      const tools = (await listFound(db, filter)).map((found) => {
        const rule = of.get(found.ruleId);
        const tool = allowed.get(found.ruleId);
        return {
          agent_framework: found.ruleId,
          name: names.get(found.ruleId) ?? found.ruleId,
          category: rule?.rule.category ?? 'UNKNOWN',
          severity: rule?.override?.severity ?? rule?.rule.severity ?? ('INFORMATIONAL' as const),
          detections: found.detections,
          devices: found.devices,
          people: found.people,
          first_seen: isoOf(found.firstSeen),
          last_seen: isoOf(found.lastSeen),
          trend: days.map((day) => counts.get(`${found.ruleId} ${day}`) ?? 0),
          sanctioned: tool !== undefined && !isOver(tool, nowMs),
          allowed: tool === undefined ? null : viewAllowed(tool, nowMs),
        };
      });
      return { tools, window_start: isoOf(window.from), window_end: isoOf(window.to) };
    },
    async listAllowedTools({ caller, query }) {
      const tenantId = await identity.tenantFor(caller, query.tenant_id);
      return {
        allowed_tools: (await listAllowed(db, tenantId)).map((tool) => viewAllowed(tool, clock.now())),
      };
    },
    async allowTool({ caller, params, query, body, request }) {
      const tenantId = await identity.tenantFor(caller, query.tenant_id);
      requireAdmin(caller);
      if (!names.has(params.rule_id)) throw notFound('The rule');
      return allow({ caller, tenantId, ruleId: params.rule_id }, body, request);
    },
    async allowToolOfDetection({ caller, params, query, body, request }) {
      const tenantId = await identity.tenantFor(caller, query.tenant_id);
      const detection = await findDetection(db, tenantId, params.event_id);
      if (detection === undefined) throw notFound('The detection');
      requireAdmin(caller);
      return allow({ caller, tenantId, ruleId: detection.ruleId }, body, request);
    },
    async disallowTool({ caller, params, query, request }) {
      const tenantId = await identity.tenantFor(caller, query.tenant_id);
      requireAdmin(caller);
      const { rule_id: id } = params;
      await db.transaction(async (tx) => {
        const before = (await listAllowed(tx, tenantId)).find(({ ruleId }) => ruleId === id);
        if (!(await deleteAllowed(tx, tenantId, id))) throw notFound('The allowed tool');
        const changed = { id, name: nameOf(id), before: before && told(before) };
        const event = resourceEvent('shadow_ai_tool_disallowed', { caller, request }, changed);
        await identity.audit({ ...event, tenantId }, tx);
      });
      return { status: 'removed' };
    },
  };
}
