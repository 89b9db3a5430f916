import { Link } from '@tanstack/react-router';
import { ChevronRight, CircleCheck } from 'lucide-react';
import { Badge } from '../../parts/badge.tsx';
import { Panel } from '../../parts/page.tsx';
import { useDecisions } from './use-decisions.ts';

/** What waits for a person, each with the page on which it is decided. */
export function Decisions() {
  const decisions = useDecisions();
  return (
    <Panel title="To decide">
      {decisions.length === 0 ? (
        <p className="flex items-center gap-3 text-sm text-ink-soft">
          <CircleCheck className="size-5 text-good" aria-hidden /> Nothing waits for you.
        </p>
      ) : (
        <ul className="-my-3 divide-y divide-line">
          {decisions.map(({ key, title, detail, isUrgent, link }) => (
            <li key={key}>
              <Link {...link} className="group flex items-center gap-3 py-3 text-sm">
                <span className="min-w-0 flex-1">
                  <span className="block font-medium break-words group-hover:underline">{title}</span>
                  <span className="block text-[13px] text-ink-soft">{detail}</span>
                </span>
                {isUrgent && <Badge tone="warn">waiting</Badge>}
                <ChevronRight className="size-4 shrink-0 text-ink-soft" aria-hidden />
              </Link>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}
