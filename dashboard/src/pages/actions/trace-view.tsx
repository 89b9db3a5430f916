import { Bot, TriangleAlert, User, Wrench } from 'lucide-react';
import type { Trace, Verdict } from '../../api/action-guard.ts';
import { cn } from '../../parts/cn.ts';

const textOf = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value, null, 2));

/** A trace as a timeline; the step that was judged carries the violations. */
export function TraceView({ trace, verdict }: { trace: Trace; verdict: Verdict }) {
  const judged = trace.findLastIndex(({ role }) => role === 'agent');
  return (
    <ol className="grid gap-4">
      {trace.map((step, i) => {
        const isUser = step.role === 'user';
        const isJudged = i === judged;
        const Icon = isUser ? User : Bot;
        const blocked = isJudged && !verdict.allowed;
        return (
          <li key={`${i} ${step.role}`} className="grid grid-cols-[auto_minmax(0,1fr)] gap-3">
            <span
              className={cn(
                'grid size-8 place-content-center rounded-full',
                blocked
                  ? 'bg-flag-soft text-flag'
                  : isUser
                    ? 'bg-accent-soft text-accent'
                    : 'bg-raised text-ink-soft',
              )}
            >
              <Icon className="size-4" aria-hidden />
            </span>
            <div className="min-w-0 text-sm">
              <p className="font-medium">
                {isUser ? 'User' : 'Agent'}
                {isJudged && <span className="ml-2 text-[13px] font-normal text-ink-soft">judged</span>}
              </p>
              {(step.content ?? step.action) != null && (
                <p className="break-words whitespace-pre-wrap">{step.content ?? step.action}</p>
              )}
              {step.metadata?.tool_name != null && (
                <div className="mt-1.5 rounded-lg border border-line p-3">
                  <p className="flex items-center gap-2 font-mono text-[13px]">
                    <Wrench className="size-3.5 text-ink-soft" aria-hidden /> {step.metadata.tool_name}
                  </p>
                  {step.metadata.tool_params != null && (
                    <pre
                      tabIndex={0}
                      className="mt-1.5 overflow-x-auto font-mono text-xs whitespace-pre-wrap break-words text-ink-soft"
                    >
                      {textOf(step.metadata.tool_params)}
                    </pre>
                  )}
                </div>
              )}
              {step.metadata?.tool_output != null && (
                <div className="mt-1.5 rounded-lg border border-warn/30 bg-warn-soft p-3">
                  <p className="text-[13px] font-medium text-warn">
                    The tool answered; nobody vouches for it
                  </p>
                  <pre
                    tabIndex={0}
                    className="mt-1 max-h-48 overflow-auto font-mono text-xs whitespace-pre-wrap break-words"
                  >
                    {textOf(step.metadata.tool_output)}
                  </pre>
                </div>
              )}
              {isJudged &&
                [...verdict.violations, ...verdict.warnings].map((violation) => (
                  <p
                    key={violation}
                    className={cn('mt-1.5 flex gap-2 text-[13px]', blocked ? 'text-flag' : 'text-warn')}
                  >
                    <TriangleAlert className="mt-0.5 size-3.5 shrink-0" aria-hidden /> {violation}
                  </p>
                ))}
            </div>
          </li>
        );
      })}
    </ol>
  );
}
