import type { Governance } from '../../api/monitoring.ts';

type Day = Governance['days'][number];

const dayMs = 86_400_000;

/** Every day of the summary, also days without texts, so that gaps are visible. */
export function wholeDays({ start, end, days }: Pick<Governance, 'start' | 'end' | 'days'>): Day[] {
  const known = new Map(days.map((day) => [day.day, day]));
  const all: Day[] = [];
  for (let at = Date.parse(start); at <= Date.parse(end); at += dayMs) {
    const day = new Date(at).toISOString().slice(0, 10);
    all.push(known.get(day) ?? { day, requests: 0, flagged: 0, observed: 0, allowed: 0, flag_rate: 0 });
  }
  return all;
}
