import type { Result } from '../../api/video.ts';
import { cn } from '../../parts/cn.ts';
import { categoryName, coverageWords } from './names.ts';

/** A lane for each category: its clips, darker the more probable, flagged ones in the warning colour. */
export function Timeline({
  result,
  seconds,
  onSeek,
}: {
  result: Result;
  /** Where the player is. */
  seconds: number;
  onSeek: (seconds: number) => void;
}) {
  const { clips, coverage, duration_seconds: duration } = result;
  const share = (value: number) => `${(100 * value) / Math.max(duration, 0.001)}%`;
  return (
    <div className="grid gap-1.5" role="group" aria-label="Timeline by category">
      {Object.entries(coverage).map(([category, level]) => (
        <div key={category} className="grid items-center gap-x-3 sm:grid-cols-[minmax(0,21rem)_1fr]">
          <span className="truncate text-[13px]">
            {categoryName(category)} <span className="text-ink-soft">· {coverageWords[level]}</span>
          </span>
          <div className={cn('relative h-5 rounded bg-raised', level === 'none' && 'opacity-50')}>
            {clips.map(({ start_seconds: start, end_seconds: end, probs, categories }) => {
              const probability = probs[category] ?? 0;
              const flagged = categories[category] === true;
              if (probability < 0.01) return null;
              return (
                <button
                  key={start}
                  type="button"
                  onClick={() => onSeek(start)}
                  aria-label={`${categoryName(category)}, ${start.toFixed(1)} s to ${end.toFixed(1)} s: ${probability.toFixed(2)}${flagged ? ', flagged' : ''}`}
                  className={cn(
                    'absolute inset-y-0 rounded-sm',
                    flagged ? 'bg-(--series-2)' : 'bg-(--series-1)',
                  )}
                  style={{
                    left: share(start),
                    width: share(end - start),
                    opacity: flagged ? 1 : 0.15 + 0.6 * probability,
                  }}
                />
              );
            })}
            <div
              className="pointer-events-none absolute inset-y-0 w-0.5 bg-ink"
              style={{ left: share(seconds) }}
              aria-hidden
            />
          </div>
        </div>
      ))}
    </div>
  );
}
