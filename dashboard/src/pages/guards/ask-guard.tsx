import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { keys, policyGuard, type Guard } from '../../api/policy-guard.ts';
import { Badge } from '../../parts/badge.tsx';
import { Button } from '../../parts/button.tsx';
import { TextArea } from '../../parts/field.tsx';
import { milliseconds } from '../../parts/numbers.ts';
import { Panel } from '../../parts/page.tsx';
import { ProbabilityBar } from '../../parts/probability-bar.tsx';
import { Failure } from '../../parts/states.tsx';
import { contextOf, TextKindField, type TextKindChoice } from '../../parts/text-kind-field.tsx';

/** Sends a text to the guard, as an application does. */
export function AskGuard({ guard }: { guard: Guard }) {
  const queries = useQueryClient();
  const [text, setText] = useState('');
  const [kind, setKind] = useState<TextKindChoice>('unsaid');
  const ask = useMutation({
    mutationFn: () =>
      policyGuard.topicGuard({ body: { guard_uuid: guard.guard_uuid, text, ...contextOf(kind) } }),
    onSuccess: () => queries.invalidateQueries({ queryKey: keys.guardLists }),
  });
  return (
    <Panel title="Ask it" note="As an application does: the call counts in its figures.">
      <form
        className="grid gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          ask.mutate();
        }}
      >
        <TextArea
          label="Text to judge"
          hideLabel
          rows={5}
          required
          value={text}
          onChange={({ target }) => setText(target.value)}
        />
        <TextKindField kind={kind} onKind={setKind} />
        <Button type="submit" kind="primary" busy={ask.isPending} className="justify-self-start">
          Ask
        </Button>
      </form>
      <div className="mt-5 grid gap-5" aria-live="polite">
        {ask.isError && <Failure error={ask.error} />}
        {ask.data !== undefined && (
          <p className="flex items-center gap-2 text-sm">
            {ask.data.flag ? <Badge tone="flag">flagged</Badge> : <Badge tone="good">passes</Badge>}
            <span className="text-ink-soft">in {milliseconds(ask.data.latency_ms)}</span>
          </p>
        )}
        {ask.data?.results.map((group) => (
          <div key={group.policy_group_uuid}>
            <h3 className="text-sm font-medium">{group.policy_group_name}</h3>
            {group.reasoning !== null && (
              <p className="mt-0.5 text-[13px] text-ink-soft">{group.reasoning}</p>
            )}
            <div className="mt-3 grid gap-3">
              {Object.entries(group.probs)
                .toSorted(([, a], [, b]) => b - a)
                .slice(0, 9)
                .map(([policy, probability]) => (
                  <ProbabilityBar
                    key={policy}
                    name={policy}
                    probability={probability}
                    threshold={group.threshold}
                    flagged={group.categories[policy] ?? false}
                  />
                ))}
            </div>
          </div>
        ))}
      </div>
    </Panel>
  );
}
