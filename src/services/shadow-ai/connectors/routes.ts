import { toIsoTime, type Clock } from '#base/clock.ts';
import type { Handlers } from '#base/http/mount.ts';
import type { Caller } from '#identity/caller.ts';
import type { connectorOperations } from '../contract/connectors.ts';
import type { Connectors } from './connectors.ts';
import { sourceKinds } from './sources/kinds.ts';
import { sights } from './sources/source.ts';
import type { Connector } from './store.ts';
import type { Stream } from './stream-store.ts';

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

/** The oldest of them; null where one has none. */
const oldest = (moments: readonly (Date | null)[]): Date | null =>
  moments.reduce<Date | null>(
    (found, each) => (found === null || each === null ? null : each < found ? each : found),
    moments[0] ?? null,
  );

function viewStatus(connector: Connector | undefined, streams: readonly Stream[], clock: Clock) {
  const watermark = oldest(streams.map((each) => each.watermark));
  const failed = streams.find(({ lastError }) => lastError !== null);
  const skewMs = connector?.clockSkewMs ?? null;
  return {
    last_success_at: isoOrNull(oldest(streams.map(({ lastSuccessAt }) => lastSuccessAt))),
    last_error: failed === undefined ? null : `${failed.stream}: ${failed.lastError}`,
    watermark: isoOrNull(watermark),
    events_ingested: streams.reduce((sum, { eventsIngested }) => sum + eventsIngested, 0),
    lag_seconds: watermark === null ? null : Math.max(0, (clock.now() - watermark.getTime()) / 1000),
    clock_skew_seconds: skewMs === null ? null : skewMs / 1000,
    streams: streams.map((each) => ({
      stream: each.stream,
      last_success_at: isoOrNull(each.lastSuccessAt),
      last_error: each.lastError,
      watermark: isoOrNull(each.watermark),
      events_ingested: each.eventsIngested,
      rows_refused: each.rowsRefused,
    })),
    coverage:
      connector === undefined
        ? []
        : sights.map((of) => ({ of, ...sourceKinds[connector.kind].coverage[of] })),
  };
}

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
    if (connector === undefined) return viewStatus(undefined, [], clock);
    return viewStatus(connector, await connectors.streamsOf(connector), clock);
  },
  testConnector: ({ caller, query }) => connectors.test(caller, query.tenant_id),
  async syncConnector({ caller, query }) {
    await connectors.sync(caller, query.tenant_id);
    return { status: 'queued' };
  },
});
