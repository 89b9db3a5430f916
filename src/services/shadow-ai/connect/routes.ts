import { toIsoTime, type Clock } from '#base/clock.ts';
import type { Queries } from '#base/db/database.ts';
import type { Handlers } from '#base/http/mount.ts';
import type { Matcher } from '#engine/shadow-ai/matcher.ts';
import type { Caller } from '#identity/caller.ts';
import type { Identity } from '#identity/identity.ts';
import type { connectOperations } from '../contract/connect.ts';
import { windowOf } from '../window.ts';
import { countByApp, countByProvider, countConnections, listConnections, summarise } from './store.ts';

interface Deps {
  readonly db: Queries;
  readonly clock: Clock;
  readonly identity: Identity;
  readonly matcher: Matcher;
}

interface Asked {
  readonly tenant_id?: string | undefined;
  readonly start?: string | undefined;
  readonly end?: string | undefined;
  readonly connector?: string | undefined;
}

const isoOf = (date: Date) => toIsoTime(date.getTime());

export function connectHandlers({
  db,
  clock,
  identity,
  matcher,
}: Deps): Handlers<typeof connectOperations, Caller> {
  const names = new Map(matcher.catalogue.providers.map(({ id, name }) => [id, name]));
  async function asked(caller: Caller, query: Asked) {
    const tenantId = await identity.tenantFor(caller, query.tenant_id);
    const window = windowOf(clock, query.start, query.end, ['start', 'end']);
    const bounds = { window_start: isoOf(window.from), window_end: isoOf(window.to) };
    return { filter: { tenantId, ...window, connectorId: query.connector }, bounds };
  }
  return {
    async getConnectSummary({ caller, query }) {
      const { filter, bounds } = await asked(caller, query);
      const { connections, users, devices, providers } = await summarise(db, filter);
      return {
        total_connections: connections,
        distinct_users: users,
        distinct_devices: devices,
        distinct_providers: providers,
        ...bounds,
      };
    },
    async getConnectProviders({ caller, query }) {
      const { filter, bounds } = await asked(caller, query);
      const providers = (await countByProvider(db, filter)).map((each) => ({
        provider_id: each.providerId,
        provider_name: names.get(each.providerId) ?? each.providerId,
        connection_count: each.connections,
        distinct_users: each.users,
        distinct_devices: each.devices,
        last_seen: isoOf(each.lastSeen),
      }));
      return { providers, ...bounds };
    },
    async getConnectApps({ caller, query }) {
      const { filter, bounds } = await asked(caller, query);
      const apps = (await countByApp(db, filter, query.limit)).map((each) => ({
        app_name: each.appName,
        connection_count: each.connections,
        distinct_providers: each.providers,
        distinct_users: each.users,
        last_seen: isoOf(each.lastSeen),
      }));
      return { apps, ...bounds };
    },
    async listConnections({ caller, query }) {
      const { filter, bounds } = await asked(caller, query);
      const wanted = { ...filter, providerId: query.provider_id };
      const events = (await listConnections(db, wanted, query.limit)).map((each) => ({
        time: isoOf(each.at),
        connector_id: each.connectorId,
        device_uid: each.deviceUid,
        device_name: each.deviceName,
        user_name: each.userName,
        app_name: each.appName,
        app_cmd_line: each.commandLine,
        dst_domain: each.host,
        dst_ip: each.ip,
        dst_port: each.port,
        provider_id: each.providerId,
        provider_name: names.get(each.providerId) ?? null,
      }));
      const connections = await countConnections(db, wanted);
      return { events, total: connections, ...bounds };
    },
  };
}
