import { Link } from '@tanstack/react-router';
import type { LogDetail, Trace } from '../../api/action-guard.ts';
import { Badge } from '../../parts/badge.tsx';
import { Ticked } from '../../parts/ticked.tsx';
import { SeverityBadge } from '../actions/severity-badge.tsx';
import { TraceView } from '../actions/trace-view.tsx';

const names = new Intl.ListFormat('en', { type: 'conjunction' });

/** What became of the call for the rule. */
const outcomes = { deny: 'blocked', ask: 'held', allow: 'warned' } as const;

type Finding = LogDetail['violations'][number];

/** Which rules the action broke, what in the trace broke them, and the trace where it was kept. */
export function ActionDetail({ entry }: { entry: LogDetail }) {
  const found = [...entry.violations, ...entry.warnings];
  const trace = entry.trace as Trace | null;
  return (
    <>
      {found.length > 0 && (
        <ul className="grid gap-3">
          {found.map((each) => (
            <Broken key={each.rule_id} finding={each} />
          ))}
        </ul>
      )}
      {entry.approved_by.length > 0 && (
        <p className="text-sm">Allowed because {names.format(entry.approved_by)} approved it.</p>
      )}
      {trace === null ? (
        <p className="text-[13px] text-ink-soft">
          The trace was not kept: <code className="font-mono">action_guard.log_traces</code> keeps it.
        </p>
      ) : (
        <section>
          <h2 className="mb-2 text-sm font-medium">The trace</h2>
          <TraceView
            trace={trace}
            verdict={{
              allowed: entry.allowed,
              facts: entry.facts,
              violations: entry.violations.map(({ reason }) => reason),
              warnings: entry.warnings.map(({ reason }) => reason),
            }}
          />
        </section>
      )}
    </>
  );
}

/** A rule as it was worded then, and what broke it. */
const Broken = ({ finding }: { finding: Finding }) => (
  <li className="rounded-lg bg-raised p-3 text-sm">
    <p className="flex items-start justify-between gap-3">
      <span className="min-w-0 font-medium break-words">{finding.description}</span>
      <span className="flex gap-1.5">
        <Badge tone={finding.action === 'deny' ? 'flag' : 'warn'}>{outcomes[finding.action]}</Badge>
        <SeverityBadge severity={finding.severity} />
      </span>
    </p>
    <p className="mt-1 break-words">
      <Ticked>{finding.reason}</Ticked>
    </p>
    {finding.canonical !== '' && (
      <p className="mt-1 text-[13px] break-words text-ink-soft">{finding.canonical}</p>
    )}
    <p className="mt-1 text-[13px] text-ink-soft">
      Of the policy{' '}
      <Link
        to="/action-policies/$policyId/rules/$ruleKey"
        params={{ policyId: finding.policy_id, ruleKey: finding.rule_key }}
        className="underline underline-offset-2 hover:text-ink"
      >
        {finding.policy_name}
      </Link>
    </p>
    {finding.also.length > 0 && (
      <details className="mt-2">
        <summary className="cursor-pointer text-[13px] text-ink-soft">
          The same breaks {finding.also.length} more {finding.also.length === 1 ? 'rule' : 'rules'}
        </summary>
        <ul className="mt-1 grid list-disc gap-1 pl-5 text-[13px]">
          {finding.also.map((one) => (
            <li key={one.rule_id}>
              {one.description} <span className="text-ink-soft">({one.policy_name})</span>
            </li>
          ))}
        </ul>
      </details>
    )}
  </li>
);
