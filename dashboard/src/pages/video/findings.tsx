import type { Result } from '../../api/video.ts';
import { Panel } from '../../parts/page.tsx';
import { atTime, categoryName } from './names.ts';

type Finding = Result['findings'][number];

const mostShown = 30;

/** What detectors saw, the strongest first; what was seen once and counts for several categories is told once. */
export function Findings({
  findings,
  onSeek,
}: {
  findings: readonly Finding[];
  onSeek: (seconds: number) => void;
}) {
  const groups = [
    ...Map.groupBy(findings, (each) => `${each.detector} ${each.start_seconds} ${each.explanation}`).values(),
  ].map((group) => group.toSorted((a, b) => b.probability - a.probability));
  const shown = groups
    .toSorted((a, b) => (b[0]?.probability ?? 0) - (a[0]?.probability ?? 0))
    .slice(0, mostShown);
  return (
    <Panel title="What was seen">
      {shown.length === 0 ? (
        <p className="text-sm text-ink-soft">The detectors that ran have seen nothing.</p>
      ) : (
        <ul className="grid gap-3 text-sm">
          {shown.map((group) => (
            <OneFinding
              key={`${group[0]?.detector} ${group[0]?.start_seconds} ${group[0]?.explanation}`}
              group={group}
              onSeek={onSeek}
            />
          ))}
        </ul>
      )}
      {groups.length > shown.length && (
        <p className="mt-3 text-[13px] text-ink-soft">
          And {groups.length - shown.length} weaker ones, which the API lists.
        </p>
      )}
    </Panel>
  );
}

function OneFinding({ group, onSeek }: { group: readonly Finding[]; onSeek: (seconds: number) => void }) {
  const [first, ...others] = group;
  if (first === undefined) return null;
  return (
    <li>
      <button type="button" className="text-left hover:underline" onClick={() => onSeek(first.start_seconds)}>
        <span className="font-medium">{categoryName(first.category)}</span>{' '}
        <span className="text-ink-soft tabular-nums">
          {first.probability.toFixed(2)} at {atTime(first.start_seconds)}
        </span>
      </button>
      <p className="text-[13px] break-words text-ink-soft">{first.explanation}</p>
      {others.length > 0 && (
        <p className="text-[13px] text-ink-soft">
          Less so:{' '}
          {others
            .map(({ category, probability }) => `${categoryName(category)} ${probability.toFixed(2)}`)
            .join('; ')}
        </p>
      )}
    </li>
  );
}
