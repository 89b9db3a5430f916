import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { policyGuard, type PolicyGroup, type TestResult } from '../../api/policy-guard.ts';
import { Badge } from '../../parts/badge.tsx';
import { Button } from '../../parts/button.tsx';
import { TextArea } from '../../parts/field.tsx';
import { MarkedText } from '../../parts/marked-text.tsx';
import { Panel } from '../../parts/page.tsx';
import { ProbabilityBar } from '../../parts/probability-bar.tsx';
import { Failure } from '../../parts/states.tsx';

/** Judges a text by the group: each policy against the threshold, and the words that carried it. */
export function GroupTester({ group }: { group: PolicyGroup }) {
  const [text, setText] = useState('');
  const [before, setBefore] = useState('');
  const test = useMutation({
    mutationFn: async (judged: { text: string; before: string }) => ({
      text: judged.text,
      result: await policyGuard.testPolicyGroup({
        params: { group_uuid: group.group_uuid },
        body: {
          text: judged.text,
          ...(judged.before !== '' && { messages: [{ role: 'user' as const, content: judged.before }] }),
        },
      }),
    }),
  });
  return (
    <div className="grid items-start gap-6 lg:grid-cols-2">
      <Panel title="Text" note="Nothing of it is kept, counted or logged.">
        <form
          className="grid gap-4"
          onSubmit={(event) => {
            event.preventDefault();
            test.mutate({ text, before });
          }}
        >
          <TextArea
            label="Text to judge"
            hideLabel
            rows={8}
            required
            value={text}
            placeholder="Paste what a person wrote, what a model answered, or what a tool brought."
            onChange={({ target }) => setText(target.value)}
          />
          <details>
            <summary className="cursor-pointer text-[13px] font-medium text-ink-soft">
              Earlier in the conversation
            </summary>
            <div className="mt-2">
              <TextArea
                label="What the user said before"
                hideLabel
                rows={3}
                value={before}
                onChange={({ target }) => setBefore(target.value)}
              />
            </div>
          </details>
          <Button type="submit" kind="primary" busy={test.isPending} className="justify-self-start">
            Judge it
          </Button>
        </form>
      </Panel>
      <div className="grid gap-6" aria-live="polite">
        {test.isError && <Failure error={test.error} />}
        {test.data !== undefined && <Verdict text={test.data.text} result={test.data.result} />}
      </div>
    </div>
  );
}

function Verdict({ text, result }: { text: string; result: TestResult }) {
  const ordered = Object.entries(result.probs).toSorted(([, a], [, b]) => b - a);
  const views = [...new Set(result.spans.map(({ view }) => view))].filter((view) => view !== 'plain');
  return (
    <>
      <Panel
        title={
          <span className="flex items-center gap-2">
            Verdict {result.flagged ? <Badge tone="flag">flagged</Badge> : <Badge tone="good">passes</Badge>}
          </span>
        }
        note={
          result.reasoning ??
          `No policy reaches ${result.threshold.toFixed(2)} at strictness ${result.strictness_level}.`
        }
      >
        <div className="grid gap-3">
          {ordered.map(([name, probability]) => (
            <ProbabilityBar
              key={name}
              name={name}
              probability={probability}
              threshold={result.threshold}
              flagged={result.categories[name] ?? false}
            />
          ))}
        </div>
      </Panel>
      {result.spans.length > 0 && (
        <Panel title="What carried it" note="Point at a mark for its reason.">
          <MarkedText
            text={text}
            marks={result.spans.map(({ start, end, policy, reason }) => ({
              start,
              end,
              title: `${policy}: the text ${reason}`,
            }))}
          />
          {views.length > 0 && (
            <p className="mt-4 flex flex-wrap items-center gap-2 text-[13px] text-ink-soft">
              Undone to read it:{' '}
              {views.map((view) => (
                <Badge key={view} tone="warn">
                  {view}
                </Badge>
              ))}
            </p>
          )}
          <ul className="mt-4 grid gap-1.5 border-t border-line pt-4 text-sm">
            {result.spans.map(({ policy, quote, reason, start }) => (
              <li key={`${policy} ${start}`}>
                <span className="font-medium">{policy}</span>{' '}
                <span className="text-ink-soft">— the text {reason}:</span>{' '}
                <q className="break-words">{quote}</q>
              </li>
            ))}
          </ul>
        </Panel>
      )}
    </>
  );
}
