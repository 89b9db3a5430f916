import { Bot, TriangleAlert, User, Wrench } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Trace, Verdict } from '../../api/action-guard.ts';
import { cn } from '../../parts/cn.ts';

type Step = Trace[number];

const isThere = (value: unknown) => value !== undefined && value !== null;
const textOf = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value, null, 2));

/** A trace as a timeline; the step that was judged carries the violations. */
export function TraceView({ trace, verdict }: { trace: Trace; verdict: Verdict }) {
  const judged = trace.findLastIndex(({ role }) => role === 'agent');
  return (
    <ol className="grid gap-4">
      {trace.map((step, i) => (
        <StepView key={`${i} ${step.role}`} step={step} {...(i === judged && { verdict })} />
      ))}
    </ol>
  );
}

/** One step; `verdict` where it is the one that was judged. */
function StepView({ step, verdict }: { step: Step; verdict?: Verdict }) {
  const isUser = step.role === 'user';
  const blocked = verdict?.allowed === false;
  const said = step.content ?? step.action;
  return (
    <li className="grid grid-cols-[auto_minmax(0,1fr)] gap-3">
      <StepMark isUser={isUser} blocked={blocked} />
      <div className="min-w-0 text-sm">
        <p className="font-medium">
          {isUser ? 'User' : 'Agent'}
          {verdict !== undefined && (
            <span className="ml-2 text-[13px] font-normal text-ink-soft">judged</span>
          )}
        </p>
        {isThere(said) && <p className="break-words whitespace-pre-wrap">{said}</p>}
        <ToolCall metadata={step.metadata} />
        {verdict !== undefined &&
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
}

function StepMark({ isUser, blocked }: { isUser: boolean; blocked: boolean }) {
  const Icon = isUser ? User : Bot;
  const quiet = isUser ? 'bg-accent-soft text-accent' : 'bg-raised text-ink-soft';
  return (
    <span
      className={cn(
        'grid size-8 place-content-center rounded-full',
        blocked ? 'bg-flag-soft text-flag' : quiet,
      )}
    >
      <Icon className="size-4" aria-hidden />
    </span>
  );
}

/** What was called, with what, and what came back. */
function ToolCall({ metadata }: { metadata: Step['metadata'] }) {
  if (metadata === undefined || metadata === null) return null;
  const { tool_name: name, tool_params: params, tool_output: output } = metadata;
  return (
    <>
      {isThere(name) && (
        <div className="mt-1.5 rounded-lg border border-line p-3">
          <p className="flex items-center gap-2 font-mono text-[13px]">
            <Wrench className="size-3.5 text-ink-soft" aria-hidden /> {name}
          </p>
          {isThere(params) && <Raw className="text-ink-soft">{textOf(params)}</Raw>}
        </div>
      )}
      {isThere(output) && (
        <div className="mt-1.5 rounded-lg border border-warn/30 bg-warn-soft p-3">
          <p className="text-[13px] font-medium text-warn">The tool answered; nobody vouches for it</p>
          <Raw className="max-h-48">{textOf(output)}</Raw>
        </div>
      )}
    </>
  );
}

const Raw = ({ className, children }: { className: string; children: ReactNode }) => (
  <pre
    tabIndex={0}
    className={cn('mt-1.5 overflow-auto font-mono text-xs break-words whitespace-pre-wrap', className)}
  >
    {children}
  </pre>
);
