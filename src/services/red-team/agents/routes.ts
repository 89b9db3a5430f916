import type { z } from 'zod';
import { type Clock, toIsoTime } from '#base/clock.ts';
import type { Database } from '#base/db/database.ts';
import { AppError, conflict } from '#base/errors.ts';
import { newUuid } from '#base/ids.ts';
import type { Handlers } from '#base/http/mount.ts';
import type { Outbound } from '#base/net/outbound.ts';
import type { Vault } from '#base/secrets/vault.ts';
import type { Asking } from '#identity/audit/audit.ts';
import { resourceEvent } from '#identity/audit/resource-event.ts';
import type { Caller } from '#identity/caller.ts';
import type { Identity } from '#identity/identity.ts';
import { changeableOrRefused, viewerOf } from '#identity/sharing.ts';
import type { NameOf } from '#identity/users/user-names.ts';
import type { Agent, agentOperations } from '../contract/agents.ts';
import { type AgentConnection, checkConnection, sealSecrets } from './connection.ts';
import { probe } from './probe.ts';
import { deleteAgent, findAgent, insertAgent, listAgents, setVisibility, type StoredAgent } from './store.ts';

export interface AgentDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly vault: Vault;
  readonly outbound: Outbound;
  readonly identity: Identity;
}

type SentConnection = z.output<typeof agentOperations.testAgent.body>;

const connectionOf = (sent: SentConnection): AgentConnection => ({
  endpoint: sent.endpoint,
  protocol: sent.protocol,
  options: {
    model: sent.model ?? null,
    toolLoop: sent.tool_loop,
    parallel: sent.parallel,
    template: sent.template
      ? { body: sent.template.body as z.core.util.JSONType, responsePath: sent.template.response_path }
      : null,
  },
  secrets: { apiKey: sent.api_key ?? null, headers: sent.headers ?? {} },
});

function viewOf(agent: StoredAgent, nameOf: NameOf): z.input<typeof Agent> {
  return {
    agent_id: agent.agentId,
    name: agent.name,
    endpoint: agent.endpoint,
    protocol: agent.protocol,
    model: agent.options.model,
    tool_loop: agent.options.toolLoop,
    parallel: agent.options.parallel,
    has_api_key: agent.secrets !== null,
    sandbox_key_id: agent.options.sandboxKeyId ?? null,
    created_at: toIsoTime(agent.createdAt),
    visibility: agent.visibility,
    owner_id: agent.ownerId,
    owner_name: nameOf(agent.ownerId),
  };
}

function auditedAgent(
  event: `red_team_agent_${'created' | 'updated' | 'deleted'}`,
  asking: Asking,
  { before, after }: { readonly before?: StoredAgent; readonly after?: StoredAgent },
) {
  const { agentId: id = '', name = '' } = after ?? before ?? {};
  const fields = (agent: StoredAgent) => ({
    endpoint: agent.endpoint,
    protocol: agent.protocol,
    model: agent.options.model,
    hasSecrets: agent.secrets !== null,
    visibility: agent.visibility,
  });
  return resourceEvent(event, asking, {
    id,
    name,
    before: before && fields(before),
    after: after && fields(after),
  });
}

export function agentHandlers(deps: AgentDeps): Handlers<typeof agentOperations, Caller> {
  const { db, clock, vault, outbound, identity } = deps;
  const views = async (agents: readonly StoredAgent[]) => {
    const nameOf = await identity.userNames(agents.map(({ ownerId }) => ownerId));
    return agents.map((agent) => viewOf(agent, nameOf));
  };
  return {
    registerAgent: async ({ caller, body, request }) => {
      const connection = connectionOf(body);
      checkConnection(outbound, connection);
      const { endpoint, protocol, secrets } = connection;
      const sandboxKeyId = body.sandbox_key_id ?? null;
      if (sandboxKeyId !== null && !(await identity.ownsKey(caller, sandboxKeyId)))
        throw new AppError(
          422,
          'invalid',
          "'sandbox_key_id' must be the id of an API key of your own: GET /api/api-keys of the policy guard lists them.",
        );
      const options = { ...connection.options, sandboxKeyId };
      const agentId = newUuid();
      const hasSecrets = secrets.apiKey !== null || Object.keys(secrets.headers).length > 0;
      const agent: StoredAgent = {
        agentId,
        tenantId: caller.tenantId,
        ownerId: caller.userId,
        visibility: body.visibility,
        name: body.name,
        endpoint,
        protocol,
        options,
        secrets: hasSecrets ? sealSecrets(vault, agentId, secrets) : null,
        createdAt: new Date(clock.now()),
      };
      await db.transaction(async (tx) => {
        if (!(await insertAgent(tx, agent)))
          throw conflict(`'name' ${JSON.stringify(body.name)} is taken by another agent of your tenant.`);
        const asking = { caller, request };
        await identity.audit(auditedAgent('red_team_agent_created', asking, { after: agent }), tx);
      });
      return (await views([agent]))[0] as z.input<typeof Agent>;
    },
    listAgents: async ({ caller, query }) => {
      const { agents, total } = await listAgents(db, viewerOf(caller), query);
      return { agents: await views(agents), total };
    },
    changeAgent: async ({ caller, params, body: { visibility }, request }) => {
      const viewer = viewerOf(caller);
      const agent = changeableOrRefused(viewer, await findAgent(db, viewer, params.agent_id), 'The agent');
      const after = { ...agent, visibility };
      await db.transaction(async (tx) => {
        await setVisibility(tx, agent.agentId, visibility);
        const asking = { caller, request };
        await identity.audit(auditedAgent('red_team_agent_updated', asking, { before: agent, after }), tx);
      });
      return (await views([after]))[0] as z.input<typeof Agent>;
    },
    deleteAgent: async ({ caller, params, request }) => {
      const viewer = viewerOf(caller);
      const before = changeableOrRefused(viewer, await findAgent(db, viewer, params.agent_id), 'The agent');
      await db.transaction(async (tx) => {
        await deleteAgent(tx, viewer, params.agent_id);
        await identity.audit(auditedAgent('red_team_agent_deleted', { caller, request }, { before }), tx);
      });
      return { message: 'The agent was deleted.' };
    },
    testAgent: async ({ body }) => {
      const connection = connectionOf(body);
      checkConnection(outbound, connection);
      const { latencyMs, ...found } = await probe(outbound, connection, AbortSignal.timeout(120_000));
      return { ...found, latency_ms: latencyMs };
    },
  };
}
