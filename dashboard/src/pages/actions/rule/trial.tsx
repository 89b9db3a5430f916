import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { actionGuard, type Trace, type TriedRule } from '../../../api/action-guard.ts';
import { Badge } from '../../../parts/badge.tsx';
import { Button } from '../../../parts/button.tsx';
import { Folded } from '../../../parts/folded.tsx';
import { JsonEditor } from '../../../parts/json-editor.tsx';
import { count } from '../../../parts/numbers.ts';
import { OutOfDate } from '../../../parts/out-of-date.tsx';
import { Panel } from '../../../parts/page.tsx';
import { Failure } from '../../../parts/states.tsx';
import { Ticked } from '../../../parts/ticked.tsx';
import { Ago } from '../../../parts/time.tsx';
import type { Form } from './form.ts';
import { wordsOfKind } from './predicate-words.ts';

type Outcome = TriedRule['neighbours'][number]['outcome'];

const tones = { block: 'flag', ask: 'warn', warn: 'warn', allow: 'good' } as const;
const outcomes = { block: 'blocked', ask: 'held', warn: 'warned', allow: 'allowed' } as const;

const OutcomeBadge = ({ outcome }: { outcome: Outcome }) => (
  <Badge tone={tones[outcome]}>{outcomes[outcome]}</Badge>
);

/** What is tried: the form where one was edited, else the sentence. */
export interface Tried {
  readonly text: string;
  readonly form: Form | undefined;
}

const bodyOf = ({ text, form }: Tried) => (form === undefined ? { text } : { rule: { ...form } });

/** What a result is of. */
interface Asked {
  readonly body: ReturnType<typeof bodyOf>;
  readonly text: string;
}

/** A call in a line: its tool and arguments. */
const Call = ({ tool, params }: { tool: string; params: Record<string, unknown> }) => (
  <code className="font-mono text-[13px] break-all">
    {tool || 'reply'}({JSON.stringify(params).slice(1, -1).slice(0, 300)})
  </code>
);

const shownAs = (trace: Trace) => JSON.stringify(trace, null, 2);

/** The trace of one call, to begin with. */
const traceOf = (tool: string, params: Record<string, unknown>): Trace => [
  { role: 'user', content: 'What the user asked for' },
  { role: 'agent', metadata: { tool_name: tool, tool_params: params } },
];

/** A call that the rule is about, and calls near to it, as the rule alone judges them. */
export function CallTrial(tried: Tried) {
  const trial = useMutation({
    mutationFn: (asked: ReturnType<typeof bodyOf>) =>
      actionGuard.tryRule({ body: { ...asked, days: 7, most: 1 } }),
  });
  const now = bodyOf(tried);
  const example = trial.data?.example;
  return (
    <Panel
      title="Try it on calls"
      note="Calls made from the rule itself: one that it is about, and those that differ from it in one value."
    >
      <div className="grid gap-4">
        <Button className="justify-self-start" busy={trial.isPending} onClick={() => trial.mutate(now)}>
          Show what it does
        </Button>
        <div aria-live="polite" className="grid gap-3">
          {trial.isError && <Failure error={trial.error} />}
          {trial.data !== undefined && (
            <OutOfDate asked={trial.variables} now={now} what="The rule was changed">
              <Judged tried={trial.data} />
            </OutOfDate>
          )}
        </div>
        <details>
          <summary className="cursor-pointer text-[13px] text-ink-soft">
            Try a trace of your own, as JSON
          </summary>
          <OwnTrace
            key={JSON.stringify(example)}
            tried={tried}
            initial={shownAs(traceOf(example?.tool_name ?? 'send_email', example?.tool_params ?? {}))}
          />
        </details>
      </div>
    </Panel>
  );
}

/** Judges a trace that somebody wrote: its last agent step. */
function OwnTrace({ tried, initial }: { tried: Tried; initial: string }) {
  const [text, setText] = useState(initial);
  const trial = useMutation({
    mutationFn: async (asked: Asked) =>
      actionGuard.tryRule({
        body: { ...asked.body, days: 7, most: 1, trace: JSON.parse(asked.text) as Trace },
      }),
  });
  const now: Asked = { body: bodyOf(tried), text };
  return (
    <div className="mt-3 grid gap-4">
      <p className="text-[13px] text-ink-soft">The last agent step is judged by this rule alone.</p>
      <JsonEditor label="Trace as JSON" initial={initial} onChange={setText} />
      <Button className="justify-self-start" busy={trial.isPending} onClick={() => trial.mutate(now)}>
        Judge by this rule
      </Button>
      <div aria-live="polite" className="grid gap-3">
        {trial.isError && <Failure error={trial.error} />}
        {trial.data !== undefined && (
          <OutOfDate asked={trial.variables} now={now} what="The rule or the trace was changed">
            <Judged tried={trial.data} />
          </OutOfDate>
        )}
      </div>
    </div>
  );
}

function Judged({ tried: { example, neighbours, not_tried: notTried } }: { tried: TriedRule }) {
  if (example === undefined)
    return (
      <p className="text-sm">No call can be made from it: nothing of the sentence is a test of a call.</p>
    );
  return (
    <>
      <div className="rounded-lg border border-line p-3 text-sm">
        <p className="flex flex-wrap items-center gap-2">
          <OutcomeBadge outcome={example.outcome} />
          <span className="min-w-0 break-words">
            {example.tool_name === '' ? (
              'A reply'
            ) : (
              <>
                A call of <code className="font-mono">{example.tool_name}</code>
              </>
            )}
          </span>
        </p>
        <Arguments params={example.tool_params} />
        <p className="mt-2 break-words text-ink-soft">
          <Ticked>{example.reason ?? 'The rule has nothing against it.'}</Ticked>
        </p>
      </div>
      {neighbours.length > 0 && <Neighbours neighbours={neighbours} />}
      {notTried.length > 0 && (
        <p className="text-[13px] text-ink-soft">
          The rule also looks at more than the call, which is not tried here:{' '}
          {notTried.map((one) => wordsOfKind(one).name).join(', ')}.
        </p>
      )}
    </>
  );
}

/** The arguments of a call, each with its name. */
function Arguments({ params }: { params: Record<string, unknown> }) {
  const all = Object.entries(params);
  if (all.length === 0) return null;
  return (
    <dl className="mt-2 grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1 text-[13px]">
      {all.map(([name, value]) => (
        <div key={name} className="contents">
          <dt className="text-ink-soft">{name}</dt>
          <dd className="break-words">{typeof value === 'string' ? value : JSON.stringify(value)}</dd>
        </div>
      ))}
    </dl>
  );
}

const Neighbours = ({ neighbours }: Pick<TriedRule, 'neighbours'>) => (
  <div>
    <h3 className="mb-1.5 text-[13px] font-medium">Calls that differ in one value</h3>
    <Folded>
      <ul className="grid gap-1.5 text-[13px]">
        {neighbours.map(({ change, outcome }) => (
          <li key={change} className="flex items-start gap-2">
            <OutcomeBadge outcome={outcome} />
            <span className="min-w-0 break-words">
              <Ticked>{change}</Ticked>
            </span>
          </li>
        ))}
      </ul>
    </Folded>
  </div>
);

/** What the rule would have done to the actions of the last week. */
export function LastWeek(tried: Tried) {
  const trial = useMutation({
    mutationFn: (asked: Asked['body']) => actionGuard.tryRule({ body: { ...asked, days: 7 } }),
  });
  const now = bodyOf(tried);
  return (
    <Panel
      title="What it would have done last week"
      note="The logged actions of seven days, by this rule alone. The log has calls, not what came before them."
    >
      <div className="grid gap-4">
        <Button className="justify-self-start" busy={trial.isPending} onClick={() => trial.mutate(now)}>
          Look at the last week
        </Button>
        <div aria-live="polite" className="grid gap-3">
          {trial.isError && <Failure error={trial.error} />}
          {trial.data !== undefined && (
            <OutOfDate asked={trial.variables} now={now} what="The rule was changed">
              <Week logged={trial.data.logged} />
            </OutOfDate>
          )}
        </div>
      </div>
    </Panel>
  );
}

function Week({ logged }: Pick<TriedRule, 'logged'>) {
  return (
    <>
      <p className="text-sm">
        Of {count(logged.tried)} actions{logged.more ? ' (there are more)' : ''}: {count(logged.blocked)}{' '}
        blocked, {count(logged.asked)} held, {count(logged.warned)} warned of, {count(logged.allowed)}{' '}
        allowed.
      </p>
      <Calls title="It would have stopped" calls={logged.broken} />
      <Calls title="It comes near to, and allows" calls={logged.kept} />
    </>
  );
}

function Calls({ title, calls }: { title: string; calls: TriedRule['logged']['broken'] }) {
  if (calls.length === 0) return null;
  return (
    <div>
      <h3 className="mb-1.5 text-[13px] font-medium">{title}</h3>
      <Folded>
        <ul className="grid gap-2 text-sm">
          {calls.map((one) => (
            <li key={one.log_id} className="rounded-lg border border-line p-2.5">
              <p className="flex flex-wrap items-center gap-2 text-[13px] text-ink-soft">
                <OutcomeBadge outcome={one.outcome} />
                <Ago at={one.timestamp} />
                {one.was_allowed ? 'was allowed' : 'was blocked then too'}
              </p>
              <Call tool={one.tool_name} params={one.tool_params} />
              {one.reason !== undefined && (
                <p className="text-[13px] text-ink-soft">
                  <Ticked>{one.reason}</Ticked>
                </p>
              )}
            </li>
          ))}
        </ul>
      </Folded>
    </div>
  );
}
