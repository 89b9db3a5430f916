import { Link } from '@tanstack/react-router';
import type { Result } from '../../api/red-team.ts';
import { KindBadges, TaskBadge } from './badges.tsx';
import { StarButton } from './star-button.tsx';
import { domainName } from './words.ts';

/** Results of tasks; each leads to its trajectory, and can be starred for the report. */
export const ResultList = ({ results }: { results: readonly Result[] }) => (
  <ul className="grid gap-2" aria-label="Results">
    {results.map((result) => (
      <li
        key={result.result_id}
        className="relative flex items-start gap-3 rounded-xl border border-line bg-panel px-4 py-3 text-sm shadow-panel hover:bg-raised"
      >
        <div className="min-w-0 flex-1">
          <span className="mb-1 flex flex-wrap items-center gap-1.5">
            <TaskBadge {...result} />
            <KindBadges task={result} />
            <span className="text-[13px] text-ink-soft">{domainName(result.domain)}</span>
          </span>
          <Link
            to="/red-team/results/$resultId"
            params={{ resultId: result.result_id }}
            className="font-medium break-words after:absolute after:inset-0 after:rounded-xl hover:underline"
          >
            {result.title}
          </Link>
          {result.error !== null && <p className="mt-0.5 break-words text-warn">{result.error}</p>}
        </div>
        <span className="relative">
          <StarButton result={result} />
        </span>
      </li>
    ))}
  </ul>
);
