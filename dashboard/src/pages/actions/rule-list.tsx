import type { Rule } from '../../api/action-guard.ts';
import { Badge } from '../../parts/badge.tsx';
import { SeverityBadge } from './severity-badge.tsx';

/** Rules as their author wrote them, each with the form that will be enforced. */
export function RuleList({ rules }: { rules: Readonly<Record<string, Rule>> }) {
  return (
    <ul className="divide-y divide-line">
      {Object.entries(rules).map(([key, rule]) => (
        <li key={key} className="py-4 first:pt-0 last:pb-0">
          <div className="flex items-start justify-between gap-3">
            <p className="font-medium">{rule.description}</p>
            <SeverityBadge severity={rule.severity} />
          </div>
          {rule.source !== undefined && rule.source !== rule.description && (
            <blockquote className="mt-1 border-l-2 border-line pl-3 text-[13px] text-ink-soft">
              {rule.source}
            </blockquote>
          )}
          {rule.compiled === undefined ? null : (
            <div className="mt-2 rounded-lg bg-raised px-3 py-2 text-[13px]">
              <p className="flex flex-wrap items-center gap-2">
                <Badge tone={rule.compiled.kind === 'matcher' ? 'good' : 'warn'}>
                  {rule.compiled.kind === 'matcher' ? 'enforced' : 'can only warn'}
                </Badge>
                <span className="text-ink-soft">{rule.compiled.threat_category.replaceAll('_', ' ')}</span>
              </p>
              <ul className="mt-1.5 grid gap-0.5 text-ink-soft">
                {rule.compiled.summary.map((line) => (
                  <li key={line}>{line}</li>
                ))}
              </ul>
            </div>
          )}
        </li>
      ))}
    </ul>
  );
}
