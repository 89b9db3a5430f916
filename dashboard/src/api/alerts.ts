import { alertOperations } from '#alerts/contract/alerts.ts';
import { frontDoorAlertOperations } from '#alerts/contract/front-door.ts';
import { createClient } from '#base/contract/client.ts';
import { usePlatform } from '../frame/use-places.ts';
import { authorisedFetch } from '../session/session.ts';

const clientOf = (service: string) =>
  createClient(alertOperations, { baseUrl: `/services/${service}`, fetch: authorisedFetch });

export type AlertsClient = ReturnType<typeof clientOf>;

const clients = new Map<string, AlertsClient>();

/** Every service answers for the alerts of the tenant: the first one that runs. Undefined until that is known. */
export function useAlertsClient(): AlertsClient | undefined {
  const service = usePlatform().data?.services[0]?.name;
  if (service === undefined) return undefined;
  const client = clients.get(service) ?? clientOf(service);
  clients.set(service, client);
  return client;
}

/** The same rules, each with whom it tells. */
export const frontDoorAlerts = createClient(frontDoorAlertOperations, {
  baseUrl: '',
  fetch: authorisedFetch,
});

export type Alert = Awaited<ReturnType<typeof frontDoorAlerts.getAlert>>;
export type AlertInput = Parameters<typeof frontDoorAlerts.createAlert>[0]['body'];
export type AlertRule = Awaited<ReturnType<AlertsClient['listAlertRules']>>['rules'][number];
export type AlertIncident = Awaited<ReturnType<AlertsClient['listAlertIncidents']>>['incidents'][number];
export type AlertChannel = Awaited<ReturnType<AlertsClient['listAlertChannels']>>['channels'][number];

/** The query keys: a change of a rule or channel invalidates all of them. */
export const alertKeys = {
  all: ['alerts'],
  rules: ['alerts', 'rules'],
  one: (ruleId: string) => ['alerts', 'one', ruleId],
  firing: ['alerts', 'incidents', 'firing'],
  history: ['alerts', 'incidents', 'all'],
  channels: ['alerts', 'channels'],
  subjects: ['alerts', 'subjects'],
  deliveries: (channelId: string) => ['alerts', 'deliveries', channelId],
} as const;
