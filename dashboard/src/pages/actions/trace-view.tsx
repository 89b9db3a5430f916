import { Bot, TriangleAlert, User, Wrench } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Trace, Verdict } from '../../api/action-guard.ts';
import { Badge } from '../../parts/badge.tsx';
import { cn } from '../../parts/cn.ts';
import { Folded } from '../../parts/folded.tsx';
import { Ticked } from '../../parts/ticked.tsx';
import { stretchesOf, taintOf, textOf, type TaintedPiece } from './taint.ts';

type Step = Trace[number];

/** What of a verdict is shown in the trace: of a logged one this is all there is. */
type Shown = Pick<Verdict, 'allowed' | 'violations' | 'warnings' | 'facts'>;

const isThere = (value: unknown) => value !== undefined && value !== null;

/** A trace as a timeline: the judged step shows its violations and the parts that come from tool outputs. */
export function TraceView({ trace, verdict }: { trace: Trace; verdict: Shown }) {
  const judged = trace.findLastIndex(({ role }) => role === 'agent');
  const taint = taintOf(trace, judged);
  const told = sentencesOf(verdict);
  return (
    <ol className="grid gap-4">
      {trace.map((step, i) => (
        <StepView
          key={`${i} ${step.role}`}
          place={i}
          step={step}
          taint={i === judged ? taint : taint.filter(({ from }) => from.includes(i))}
          told={i === judged ? [] : told}
          {...(i === judged && { verdict })}
        />
      ))}
    </ol>
  );
}

/** Instructions in a tool output that the verdict found. */
const sentencesOf = ({ facts }: Shown): string[] =>
  facts.flatMap((fact) => {
    const [, sentence = ''] = /^A tool output says: "(.+)"\.$/s.exec(fact) ?? [];
    return sentence === '' ? [] : [sentence.replace(/…$/, '')];
  });

/** One step; `verdict` is set if it is the judged one. */
function StepView({
  place,
  step,
  taint,
  told,
  verdict,
}: {
  place: number;
  step: Step;
  taint: readonly TaintedPiece[];
  told: readonly string[];
  verdict?: Shown;
}) {
  const isUser = step.role === 'user';
  const blocked = verdict?.allowed === false;
  const said = step.content ?? step.action;
  return (
    <li className="grid grid-cols-[auto_minmax(0,1fr)] gap-3">
      <StepMark isUser={isUser} blocked={blocked} />
      <div className="min-w-0 text-sm">
        <p className="font-medium">
          {isUser ? 'User' : 'Agent'}
          <span className="ml-2 text-[13px] font-normal text-ink-soft">
            step {place + 1}
            {verdict !== undefined && ', judged'}
          </span>
        </p>
        {isThere(said) && <p className="break-words whitespace-pre-wrap">{said}</p>}
        <ToolCall metadata={step.metadata} taint={taint} told={told} />
        {verdict !== undefined && taint.length > 0 && <Sources taint={taint} />}
        {verdict !== undefined && <Broken verdict={verdict} />}
      </div>
    </li>
  );
}

/** The most severe violation; the verdict beside it lists all. */
function Broken({ verdict: { allowed, violations, warnings } }: { verdict: Shown }) {
  const [first, ...rest] = [...violations, ...warnings];
  if (first === undefined) return null;
  return (
    <p className={cn('mt-2 flex gap-2 text-[13px]', allowed ? 'text-warn' : 'text-flag')}>
      <TriangleAlert className="mt-0.5 size-3.5 shrink-0" aria-hidden />
      <span>
        <Ticked>{first}</Ticked>
        {rest.length > 0 && <span className="text-ink-soft"> And {rest.length} more.</span>}
      </span>
    </p>
  );
}

/** Where the marked arguments come from. */
const Sources = ({ taint }: { taint: readonly TaintedPiece[] }) => (
  <ul className="mt-2 grid gap-1 text-[13px]">
    {taint.map(({ text, from }) => (
      <li key={text} className="flex flex-wrap items-baseline gap-x-2">
        <Badge tone="warn">tainted</Badge>
        <code className="font-mono break-all">{text}</code>
        <span className="text-ink-soft">
          from the tool of step {from.map((place) => place + 1).join(', ')}, not from the user
        </span>
      </li>
    ))}
  </ul>
);

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

/** The tool call: name, arguments and result. */
function ToolCall({
  metadata,
  taint,
  told,
}: {
  metadata: Step['metadata'];
  taint: readonly TaintedPiece[];
  told: readonly string[];
}) {
  if (metadata === undefined || metadata === null) return null;
  const { tool_name: name, tool_params: params, tool_output: output } = metadata;
  const pieces = taint.map(({ text }) => text);
  return (
    <>
      {isThere(name) && (
        <div className="mt-1.5 rounded-lg border border-line p-3">
          <p className="flex items-center gap-2 font-mono text-[13px]">
            <Wrench className="size-3.5 text-ink-soft" aria-hidden /> {name}
          </p>
          {isThere(params) && (
            <Folded>
              <Text className="text-ink-soft" text={textOf(params)} pieces={pieces} told={[]} />
            </Folded>
          )}
        </div>
      )}
      {isThere(output) && (
        <div className="mt-1.5 rounded-lg border border-warn/30 bg-warn-soft p-3">
          <p className="text-[13px] font-medium text-warn">The tool answered; nobody vouches for it</p>
          <Folded heightPx={192}>
            <Text text={textOf(output)} pieces={pieces} told={told} />
          </Folded>
        </div>
      )}
    </>
  );
}

/** A text in which copied parts and injected instructions are marked. */
function Text({
  className,
  text,
  pieces,
  told,
}: {
  className?: string;
  text: string;
  pieces: readonly string[];
  told: readonly string[];
}) {
  const parts: ReactNode[] = [];
  let at = 0;
  for (const { start, end } of stretchesOf(text, [...told, ...pieces])) {
    parts.push(text.slice(at, start));
    parts.push(
      <mark
        key={start}
        className="rounded bg-flag-soft px-0.5 text-flag underline decoration-flag/60 decoration-2 underline-offset-2"
      >
        {text.slice(start, end)}
      </mark>,
    );
    at = end;
  }
  parts.push(text.slice(at));
  return (
    <pre className={cn('pt-1.5 font-mono text-xs break-words whitespace-pre-wrap', className)}>{parts}</pre>
  );
}
