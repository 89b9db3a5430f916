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
import { contextOf, TextKindField, type TextKindChoice } from '../../parts/text-kind-field.tsx';
import { Conversation, type Turn } from './conversation.tsx';

/** Judges a text by the group: the probability of each policy, and the words that mattered most. */
export function GroupTester({ group }: { group: PolicyGroup }) {
  const [text, setText] = useState('');
  const [turns, setTurns] = useState<readonly Turn[]>([]);
  const [kind, setKind] = useState<TextKindChoice>('unsaid');
  const test = useMutation({
    mutationFn: async (judged: { text: string; turns: readonly Turn[]; kind: TextKindChoice }) => ({
      text: judged.text,
      result: await policyGuard.testPolicyGroup({
        params: { group_uuid: group.group_uuid },
        body: {
          text: judged.text,
          messages: judged.turns.filter(({ content }) => content !== ''),
          ...contextOf(judged.kind),
        },
      }),
    }),
  });
  return (
    <div className="grid items-start gap-6 lg:grid-cols-2">
      <Panel title="Text" note="Nothing of it is kept, counted or logged." className="lg:sticky lg:top-6">
        <form
          className="grid gap-5"
          onSubmit={(event) => {
            event.preventDefault();
            test.mutate({ text, turns, kind });
          }}
        >
          <TextArea
            label="Text to judge"
            hideLabel
            rows={8}
            required
            value={text}
            placeholder="Paste a user’s message, a model’s answer, or a tool’s result."
            onChange={({ target }) => setText(target.value)}
          />
          <TextKindField kind={kind} onKind={setKind} />
          <Conversation turns={turns} onTurns={setTurns} />
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
  return (
    <>
      <Panel
        title={
          <span className="flex items-center gap-2">
            Verdict {result.flagged ? <Badge tone="flag">flagged</Badge> : <Badge tone="good">passes</Badge>}
            {result.degraded && <Badge tone="warn">degraded</Badge>}
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
        <p className="mt-4 text-[13px] text-ink-soft">
          The line marks the threshold {result.threshold.toFixed(2)}; judged by{' '}
          {result.engine === 'embedded' ? 'the embedded engine' : result.engine}.
        </p>
      </Panel>
      {result.spans.length > 0 && <Spans text={text} spans={result.spans} />}
    </>
  );
}

const folded = (words: string) => words.toLowerCase().replaceAll(/\s+/g, ' ').trim();

function Spans({ text, spans }: { text: string; spans: TestResult['spans'] }) {
  const hidden = spans.filter(
    ({ view, quote, read_as: readAs }) => view !== 'plain' && folded(quote) !== folded(readAs),
  );
  return (
    <Panel title="What carried it" note="Point at a mark for its reason.">
      <MarkedText
        text={text}
        marks={spans.map(({ start, end, policy, reason }) => ({
          start,
          end,
          title: `${policy}: the text ${reason}`,
        }))}
      />
      {hidden.length > 0 && (
        <div className="mt-5 rounded-lg bg-warn-soft p-4">
          <h3 className="text-sm font-medium text-warn">Hidden, and read all the same</h3>
          <ul className="mt-2 grid gap-2 text-sm">
            {[...new Map(hidden.map((span) => [`${span.start} ${span.view}`, span])).values()].map(
              ({ start, quote, read_as: readAs, view }) => (
                <li key={`${start} ${view}`} className="grid gap-0.5">
                  <span className="font-mono text-[13px] break-all text-ink-soft line-through">{quote}</span>
                  <span className="break-words">
                    {readAs} <Badge tone="warn">{view.replaceAll('+', ', then ')}</Badge>
                  </span>
                </li>
              ),
            )}
          </ul>
        </div>
      )}
      <ul className="mt-4 grid gap-1.5 border-t border-line pt-4 text-sm">
        {spans.map(({ policy, quote, reason, start }) => (
          <li key={`${policy} ${start}`}>
            <span className="font-medium">{policy}</span>{' '}
            <span className="text-ink-soft">— the text {reason}:</span> <q className="break-all">{quote}</q>
          </li>
        ))}
      </ul>
    </Panel>
  );
}
