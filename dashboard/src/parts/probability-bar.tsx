import { cn } from './cn.ts';

/** A policy's probability as a bar, with its threshold. */
export function ProbabilityBar({
  name,
  probability,
  threshold,
  flagged,
}: {
  name: string;
  probability: number;
  threshold: number;
  flagged: boolean;
}) {
  return (
    <div className="grid grid-cols-[minmax(0,1fr)_auto] items-baseline gap-x-3 gap-y-1 text-sm">
      <span className={cn('min-w-0 break-words', flagged && 'font-medium text-flag')}>{name}</span>
      <span className={cn('tabular-nums', flagged ? 'font-semibold text-flag' : 'text-ink-soft')}>
        {probability.toFixed(2)}
      </span>
      <div
        className="relative col-span-2 h-2 rounded-full bg-raised"
        role="meter"
        aria-label={`${name}: ${probability.toFixed(2)}, threshold ${threshold.toFixed(2)}`}
        aria-valuemin={0}
        aria-valuemax={1}
        aria-valuenow={probability}
      >
        <div
          className={cn('h-full rounded-full', flagged ? 'bg-(--series-2)' : 'bg-(--series-1)/45')}
          style={{ width: `${Math.max(probability * 100, 1)}%` }}
        />
        <div
          className="absolute -top-0.5 h-3 w-0.5 bg-ink"
          style={{ left: `${threshold * 100}%` }}
          aria-hidden
        />
      </div>
    </div>
  );
}
