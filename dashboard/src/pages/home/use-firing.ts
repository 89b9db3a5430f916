import { useQuery } from '@tanstack/react-query';
import { valueInWords } from '#alerts/contract/measures.ts';
import { alertKeys, useAlertsClient } from '../../api/alerts.ts';
import { useUser } from '../../session/use-session.ts';

const refetchInterval = 15_000;
const mostShown = 5;

/** The alerts that fire and are not muted; for administrators. */
export function useFiring() {
  const alerts = useAlertsClient();
  const { isAdmin } = useUser();
  const { data } = useQuery({
    queryKey: alertKeys.firing,
    queryFn: async () =>
      (await alerts?.listAlertIncidents({ query: { state: 'firing', limit: 50 } })) ?? null,
    enabled: alerts !== undefined && isAdmin,
    refetchInterval,
  });
  const now = new Date().toISOString();
  const firing = data?.incidents.filter(({ muted_until: until }) => until === null || until <= now) ?? [];
  return firing
    .slice(0, mostShown)
    .map(({ incident_id: id, rule_name: name, measure, value, threshold }) => ({
      key: `alert ${id}`,
      title: `Alert: ${name}`,
      detail: `${valueInWords(measure, value)} now, the limit is ${valueInWords(measure, threshold)}.`,
      isUrgent: true,
      link: { to: '/alerts', search: {} } as const,
    }));
}
