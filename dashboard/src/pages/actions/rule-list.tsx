import { Link } from '@tanstack/react-router';
import type { Rule } from '../../api/action-guard.ts';
import { Badge } from '../../parts/badge.tsx';
import { Doubts, NotEnforced, UnderstoodBadge } from './rule/understanding.tsx';
import { SeverityBadge } from './severity-badge.tsx';

/** Rules as their author wrote them, each with the form that will be enforced. */
export function RuleList({
  rules,
  policyId,
}: {
  rules: Readonly<Record<string, Rule>>;
  /** Leads each rule to its page. */
  policyId?: string;
}) {
  return (
    <ul className="divide-y divide-line">
      {Object.entries(rules).map(([key, rule]) => (
        <li key={key} className="py-4 first:pt-0 last:pb-0">
          <div className="flex items-start justify-between gap-3">
            <p className="min-w-0 font-medium break-words">
              {policyId === undefined ? (
                rule.description
              ) : (
                <Link
                  to="/action-policies/$policyId/rules/$ruleKey"
                  params={{ policyId, ruleKey: key }}
                  className="hover:underline"
                >
                  {rule.description}
                </Link>
              )}
            </p>
            <SeverityBadge severity={rule.severity} />
          </div>
          {rule.source !== undefined && rule.source !== rule.description && (
            <blockquote className="mt-1 border-l-2 border-line pl-3 text-[13px] text-ink-soft">
              {rule.source}
            </blockquote>
          )}
          {rule.compiled === undefined ? null : <Enforced rule={rule} />}
        </li>
      ))}
    </ul>
  );
}

/** What is enforced, and how far that is what the sentence says. */
function Enforced({ rule }: { rule: Rule }) {
  const isOpen = rule.confirmed_by === null && rule.understood === 'partly';
  const leftOut = rule.confirmed_by === null || rule.confirmed_by === 'bulwark' ? [] : rule.unread;
  return (
    <div className="mt-2 rounded-lg bg-raised px-3 py-2 text-[13px]">
      <p className="flex flex-wrap items-center gap-2">
        <Badge tone={rule.compiled.kind === 'matcher' ? 'good' : 'warn'}>
          {rule.compiled.kind === 'matcher' ? 'enforced' : 'can only warn'}
        </Badge>
        {rule.confirmed_by === null ? (
          rule.understood !== 'fully' && <UnderstoodBadge understood={rule.understood} />
        ) : (
          <Badge tone="accent">{rule.confirmed_by === 'bulwark' ? 'preset' : 'confirmed'}</Badge>
        )}
        {leftOut.length > 0 && <Badge tone="warn">not all of it is enforced</Badge>}
        {rule.reads_now !== undefined && <Badge tone="warn">read differently now</Badge>}
        <span className="text-ink-soft">{rule.compiled.threat_category.replaceAll('_', ' ')}</span>
      </p>
      <ul className="mt-1.5 grid gap-0.5 break-words text-ink-soft">
        {rule.compiled.summary.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
      <NotEnforced words={leftOut} className="mt-1.5" />
      {isOpen && (
        <>
          <Doubts {...rule} unread={[]} />
          <p className="mt-1.5">Until somebody confirms it, calls near to it wait for a person.</p>
        </>
      )}
    </div>
  );
}
