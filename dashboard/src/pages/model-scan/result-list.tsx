import { ChevronRight, Flag } from 'lucide-react';
import { useState } from 'react';
import type { Result } from '../../api/model-scan.ts';
import { Badge } from '../../parts/badge.tsx';
import { cn } from '../../parts/cn.ts';
import { ResultDetail } from './result-detail.tsx';
import { ScoreBadge } from './status-badge.tsx';

/** Tests with their verdicts; each opens to what was sent and answered. */
export const ResultList = ({ scanId, results }: { scanId: string; results: readonly Result[] }) => (
  <ul className="grid gap-2">
    {results.map((result) => (
      <Entry key={result.number} scanId={scanId} result={result} />
    ))}
  </ul>
);

const severityTone = { critical: 'flag', high: 'flag', medium: 'warn', low: 'plain' } as const;

function Entry({ scanId, result }: { scanId: string; result: Result }) {
  const [open, setOpen] = useState(false);
  const tone =
    result.severity in severityTone ? severityTone[result.severity as keyof typeof severityTone] : 'plain';
  return (
    <li className="rounded-xl border border-line bg-panel shadow-panel">
      <button
        type="button"
        aria-expanded={open}
        onClick={() => setOpen(!open)}
        className="flex w-full items-start gap-3 rounded-xl px-4 py-3 text-left text-sm hover:bg-raised"
      >
        <ChevronRight
          className={cn('mt-0.5 size-4 shrink-0 text-ink-soft transition-transform', open && 'rotate-90')}
          aria-hidden
        />
        <span className="min-w-0 flex-1">
          <span className="mb-1 flex flex-wrap items-center gap-1.5">
            <ScoreBadge score={result.score} />
            <Badge tone={tone}>{result.severity}</Badge>
            {result.algorithm !== 'Default' && <Badge tone="accent">{result.algorithm}</Badge>}
            {result.objection !== null && (
              <Badge tone="warn">
                <Flag className="size-3" aria-hidden /> objected to
              </Badge>
            )}
            <span className="text-[13px] text-ink-soft">
              {result.dataset}: {result.subcategory}
            </span>
          </span>
          <span className="line-clamp-2 break-words">{result.case.turns.at(-1)}</span>
        </span>
      </button>
      {open && <ResultDetail scanId={scanId} result={result} />}
    </li>
  );
}
