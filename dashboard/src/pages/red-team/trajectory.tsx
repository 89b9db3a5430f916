import { Bot, Syringe, User, Wrench } from 'lucide-react';
import { useMemo } from 'react';
import type { Trajectory as Steps } from '../../api/red-team.ts';
import { Badge } from '../../parts/badge.tsx';
import { cn } from '../../parts/cn.ts';
import { MarkedCode, MarkLegend } from './marked-code.tsx';

type Step = Steps['steps'][number];

const looks = {
  user: { icon: User, look: 'bg-accent-soft text-accent', name: 'User' },
  agent: { icon: Bot, look: 'bg-raised text-ink-soft', name: 'Agent' },
  tool: { icon: Wrench, look: 'bg-raised text-ink-soft', name: 'Tool' },
} as const;

/** All steps of a task: the instruction, each call with its output, the reply; with what was injected marked. */
export function Trajectory({ trajectory, canaries }: { trajectory: Steps; canaries: readonly string[] }) {
  const first = useMemo(() => trajectory.steps.findIndex(({ injected }) => injected), [trajectory]);
  return (
    <>
      <div className="mb-4 flex flex-wrap items-center justify-between gap-3">
        <MarkLegend />
        {first >= 0 && (
          <a href={`#step-${first + 1}`} className="text-sm text-accent underline">
            To the injected text
          </a>
        )}
      </div>
      <ol className="grid gap-4" aria-label="Steps">
        {trajectory.steps.map((step, i) => (
          <StepView
            key={`${i} ${step.role}`}
            number={i + 1}
            step={step}
            injection={trajectory.injection}
            canaries={canaries}
          />
        ))}
      </ol>
    </>
  );
}

function StepView({
  number,
  step,
  injection,
  canaries,
}: {
  number: number;
  step: Step;
  injection: string | null;
  canaries: readonly string[];
}) {
  const { name } = looks[step.role];
  const isCall = step.role === 'agent' && step.tool !== null;
  return (
    <li id={`step-${number}`} className="grid scroll-mt-6 grid-cols-[auto_minmax(0,1fr)] gap-3">
      <StepMark step={step} />
      <div className="min-w-0 text-sm">
        <p className="mb-1 flex flex-wrap items-center gap-2 font-medium">
          {name}
          <span className="text-[13px] font-normal text-ink-soft">step {number}</span>
          {step.tool !== null && (
            <code className="font-mono text-[13px] font-normal break-all">{step.tool}</code>
          )}
          {step.injected && <Badge tone="flag">injected text</Badge>}
          {step.is_error && <Badge tone="warn">error</Badge>}
        </p>
        <MarkedCode
          className={cn('rounded-lg p-3', isCall ? 'border border-line' : 'bg-raised')}
          text={isCall ? JSON.stringify(step.input ?? {}, null, 2) : (step.content ?? '')}
          injection={step.role === 'user' ? null : injection}
          canaries={step.role === 'user' ? [] : canaries}
        />
      </div>
    </li>
  );
}

function StepMark({ step: { role, injected } }: { step: Step }) {
  const { icon, look } = looks[role];
  const Icon = injected ? Syringe : icon;
  return (
    <span
      className={cn(
        'grid size-8 place-content-center rounded-full',
        injected ? 'bg-flag-soft text-flag' : look,
      )}
    >
      <Icon className="size-4" aria-hidden />
    </span>
  );
}
