import type { Clock } from '#base/clock.ts';
import type { Database, Queries } from '#base/db/database.ts';
import { conflict } from '#base/errors.ts';
import type { RequestFacts } from '#base/http/mount.ts';
import { newUuid } from '#base/ids.ts';
import type { Vault } from '#base/secrets/vault.ts';
import { changesBetween } from '#identity/audit/changes.ts';
import type { Caller } from '#identity/caller.ts';
import type { Identity } from '#identity/identity.ts';
import { requireAdmin } from '../rules/rules.ts';
import {
  type AddressRule,
  type ConnectorKind,
  credentialsOf,
  readSettings,
  requireSafeAddresses,
} from './credentials.ts';
import { sourceKinds } from './sources/kinds.ts';
import { findSecrets, placeOf } from './secrets.ts';
import type { ConnectorTest } from './try-source.ts';
import { listStreams, type Stream } from './stream-store.ts';
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
  /** Signs in and asks each stream, keeping nothing. Throws 409 where there is none. */
  test(caller: Caller, tenantId: string | undefined): Promise<ConnectorTest>;
  streamsOf(connector: Connector): Promise<Stream[]>;
}

interface Deps {
  readonly db: Database;
  readonly clock: Clock;
  readonly vault: Vault;
  readonly identity: Identity;
  readonly pollNow: (configId: string) => Promise<unknown>;
  readonly test: (connector: Connector) => Promise<ConnectorTest>;
  /** Which addresses may be asked without TLS. */
  readonly addresses: AddressRule;
}

export function createConnectors({ db, clock, vault, identity, pollNow, test, addresses }: Deps): Connectors {
  return {
    find: async (caller, wanted) => findConnector(db, await identity.tenantFor(caller, wanted)),
    async put({ caller, tenantId: wanted, kind, credentials, settings, request }) {
      const tenantId = await identity.tenantFor(caller, wanted);
      requireAdmin(caller);
      const at = new Date(clock.now());
      await db.transaction(async (tx) => {
        const before = await lockConnectorOfKind(tx, tenantId, kind);
        // Lost ones are entered anew.
        const kept = before === undefined ? {} : (findSecrets(vault, before) ?? {});
        const { fields, secrets } = credentialsOf(kind, credentials, kept);
        const chosen = settings ?? before?.settings ?? {};
        readSettings(chosen);
        requireSafeAddresses({ fields, secrets }, chosen, addresses);
        const id = before?.configId ?? newUuid(clock.now());
        const sealed = vault.seal(JSON.stringify(secrets), placeOf(tenantId, kind));
        await writeConnector(tx, {
          configId: id,
          tenantId,
          kind,
          fields,
          secrets: sealed,
          settings: chosen,
          streams: sourceKinds[kind].streams,
          isOther: before !== undefined && JSON.stringify(before.fields) !== JSON.stringify(fields),
          at,
        });
        const told = before && { ...before.fields, ...before.settings };
        const changes = changesBetween(told, { ...fields, ...chosen });
        // By their names alone.
        const sent = Object.keys(credentials);
        const details = { config_id: id, edr_framework: kind, credentials_sent: sent, changes };
        await identity.audit(
          { event: 'shadow_ai_connector_changed', caller, tenantId, request, details },
          tx,
        );
      });
      const made = await findConnector(db, tenantId);
      if (made === undefined) throw conflict('The connector was replaced meanwhile; read it again.');
      return made;
    },
    streamsOf: ({ configId }) => listStreams(db, configId),
    sync: async (caller, wanted) => {
      const { configId } = await ofAdmin(caller, wanted);
      await pollNow(configId);
    },
    test: async (caller, wanted) => test(await ofAdmin(caller, wanted)),
  };

  async function ofAdmin(caller: Caller, wanted: string | undefined): Promise<Connector> {
    const tenantId = await identity.tenantFor(caller, wanted);
    requireAdmin(caller);
    const connector = await findConnector(db, tenantId);
    if (connector === undefined)
      throw conflict('There is no connector to poll; set one with PUT /api/v1/shadow-ai/config.');
    return connector;
  }
}

/** Whether the tenant wants prompts; undefined without a connector. */
export async function findPromptSetting(tx: Queries, tenantId: string): Promise<boolean | undefined> {
  const connector = await findConnector(tx, tenantId);
  return connector && readSettings(connector.settings).promptExtraction;
}
