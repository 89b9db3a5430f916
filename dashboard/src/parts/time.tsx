const units: [Intl.RelativeTimeFormatUnit, number][] = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
];
const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });
const absolute = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'medium' });

function ago(at: Date): string {
  const ms = at.getTime() - Date.now();
  for (const [unit, size] of units)
    if (Math.abs(ms) >= size) return relative.format(Math.round(ms / size), unit);
  return 'just now';
}

/** How long ago it was; the exact time is shown on hovering. */
export function Ago({ at }: { at: string | null }) {
  if (at === null) return <span className="text-ink-soft">never</span>;
  const date = new Date(at);
  return (
    <time dateTime={at} title={absolute.format(date)} className="whitespace-nowrap">
      {Math.abs(Date.now() - date.getTime()) > 30 * 86_400_000 ? absolute.format(date) : ago(date)}
    </time>
  );
}
