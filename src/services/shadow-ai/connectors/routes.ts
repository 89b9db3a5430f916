import { toIsoTime, type Clock } from '#base/clock.ts';
import type { Handlers } from '#base/http/mount.ts';
import type { Caller } from '#identity/caller.ts';
import type { connectorOperations } from '../contract/connectors.ts';
import type { Connectors } from './connectors.ts';
import type { Connector } from './store.ts';

const viewConnector = (connector: Connector) => ({
  edr_framework: connector.kind,
  credential_fields: { ...connector.fields },
  has_secret: connector.secrets !== null,
  settings: { ...connector.settings },
  created_at: toIsoTime(connector.createdAt.getTime()),
  updated_at: toIsoTime(connector.updatedAt.getTime()),
});

const isoOrNull = (date: Date | null | undefined) =>
  date === null || date === undefined ? null : toIsoTime(date.getTime());

export const connectorHandlers = (
  connectors: Connectors,
  clock: Clock,
): Handlers<typeof connectorOperations, Caller> => ({
  async getConnectorConfig({ caller, query }) {
    const connector = await connectors.find(caller, query.tenant_id);
    return connector === undefined ? null : viewConnector(connector);
  },
  putConnectorConfig: async ({ caller, query, body, request }) =>
    viewConnector(
      await connectors.put({
        caller,
        tenantId: query.tenant_id,
        kind: body.edr_framework,
        credentials: body.credentials,
        settings: body.settings,
        request,
      }),
    ),
  async getConnectorStatus({ caller, query }) {
    const connector = await connectors.find(caller, query.tenant_id);
    const watermark = connector?.watermark;
    return {
      last_success_at: isoOrNull(connector?.lastSuccessAt),
      last_error: connector?.lastError ?? null,
      watermark: isoOrNull(watermark),
      events_ingested: connector?.eventsIngested ?? 0,
      lag_seconds:
        watermark === null || watermark === undefined
          ? null
          : Math.max(0, (clock.now() - watermark.getTime()) / 1000),
    };
  },
  async syncConnector({ caller, query }) {
    await connectors.sync(caller, query.tenant_id);
    return { status: 'queued' };
  },
});
