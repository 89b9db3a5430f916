import type { Clock } from '#base/clock.ts';
import type { Database, Queries } from '#base/db/database.ts';
import { conflict } from '#base/errors.ts';
import type { RequestFacts } from '#base/http/mount.ts';
import { newUuid } from '#base/ids.ts';
import type { Vault } from '#base/secrets/vault.ts';
import type { Caller } from '#identity/caller.ts';
import type { Identity } from '#identity/identity.ts';
import { requireAdmin } from '../rules/rules.ts';
import { type ConnectorKind, credentialsOf, readSettings, requirePolled } from './credentials.ts';
import { type Connector, findConnector, lockConnectorOfKind, writeConnector } from './store.ts';

export interface Connectors {
  find(caller: Caller, tenantId: string | undefined): Promise<Connector | undefined>;
  /** Throws 400 or 422 that names the field, 403 but for administrators. */
  put(request: {
    readonly caller: Caller;
    readonly tenantId: string | undefined;
    readonly kind: ConnectorKind;
    readonly credentials: Readonly<Record<string, string>>;
    readonly settings: Readonly<Record<string, unknown>> | undefined;
    readonly request: RequestFacts;
  }): Promise<Connector>;
  /** Throws 409 where there is none. */
  sync(caller: Caller, tenantId: string | undefined): Promise<void>;
}

interface Deps {
  readonly db: Database;
  readonly clock: Clock;
  readonly vault: Vault;
  readonly identity: Identity;
  readonly pollNow: (configId: string) => Promise<unknown>;
}

const placeOf = (tenantId: string, kind: ConnectorKind) => `shadow_ai_connector:${tenantId}:${kind}`;

/** The secrets of a connector; undefined if they cannot be decrypted. */
export function findSecrets(
  vault: Vault,
  { tenantId, kind, secrets }: Connector,
): Record<string, string> | undefined {
  if (secrets === null) return {};
  const text = vault.find(secrets, placeOf(tenantId, kind));
  return text === undefined ? undefined : (JSON.parse(text) as Record<string, string>);
}

export function createConnectors({ db, clock, vault, identity, pollNow }: Deps): Connectors {
  return {
    find: async (caller, wanted) => findConnector(db, await identity.tenantFor(caller, wanted)),
    async put({ caller, tenantId: wanted, kind, credentials, settings, request }) {
      const tenantId = await identity.tenantFor(caller, wanted);
      requireAdmin(caller);
      requirePolled(kind);
      const at = new Date(clock.now());
      const configId = await db.transaction(async (tx) => {
        const before = await lockConnectorOfKind(tx, tenantId, kind);
        // Lost ones are entered anew.
        const kept = before === undefined ? {} : (findSecrets(vault, before) ?? {});
        const { fields, secrets } = credentialsOf(kind, credentials, kept);
        const chosen = settings ?? before?.settings ?? {};
        readSettings(chosen);
        const id = before?.configId ?? newUuid(clock.now());
        const sealed = vault.seal(JSON.stringify(secrets), placeOf(tenantId, kind));
        await writeConnector(tx, {
          configId: id,
          tenantId,
          kind,
          fields,
          secrets: sealed,
          settings: chosen,
          at,
        });
        return id;
      });
      await identity.audit({
        event: 'shadow_ai_connector_changed',
        caller,
        tenantId,
        request,
        details: { config_id: configId, edr_framework: kind },
      });
      const made = await findConnector(db, tenantId);
      if (made === undefined) throw conflict('The connector was replaced meanwhile; read it again.');
      return made;
    },
    async sync(caller, wanted) {
      const tenantId = await identity.tenantFor(caller, wanted);
      requireAdmin(caller);
      const connector = await findConnector(db, tenantId);
      if (connector === undefined)
        throw conflict('There is no connector to poll; set one with PUT /api/v1/shadow-ai/config.');
      await pollNow(connector.configId);
    },
  };
}

/** Whether the tenant wants prompts; undefined without a connector. */
export async function findPromptSetting(tx: Queries, tenantId: string): Promise<boolean | undefined> {
  const connector = await findConnector(tx, tenantId);
  return connector && readSettings(connector.settings).promptExtraction;
}
