import { useNavigate } from '@tanstack/react-router';
import { FileText } from 'lucide-react';
import { useState } from 'react';
import type { Draft } from '../../api/document-reading.ts';
import { keys, policyGuard } from '../../api/policy-guard.ts';
import { Badge } from '../../parts/badge.tsx';
import { TextArea, TextField } from '../../parts/field.tsx';
import { Form } from '../../parts/form.tsx';
import { Panel } from '../../parts/page.tsx';
import { Empty } from '../../parts/states.tsx';
import { linesOf } from './lines.ts';

type DraftPolicy = Draft['policies'][number];

interface Reviewed {
  readonly keep: boolean;
  readonly name: string;
  readonly block: string;
  readonly safe: string;
}

const asFound = ({ name, block_activities, safe_activities }: DraftPolicy): Reviewed => ({
  keep: true,
  name,
  block: block_activities.join('\n'),
  safe: safe_activities.join('\n'),
});

/** The policies extracted from a document, each with its source sentences, to keep, change or leave out. */
export function DraftReview({ draft }: { draft: Draft }) {
  const navigate = useNavigate();
  const [name, setName] = useState(draft.name);
  const [reviewed, setReviewed] = useState<readonly Reviewed[]>(() => draft.policies.map(asFound));
  const kept = reviewed.filter(({ keep }) => keep);
  if (draft.policies.length === 0)
    return (
      <Empty icon={FileText} title="Nothing to make a policy of">
        In {draft.extraction.pages} pages no sentence forbids, demands or allows something.
      </Empty>
    );
  const save = () =>
    policyGuard.createPolicyGroup({
      body: {
        name,
        description: draft.description,
        threshold: draft.threshold,
        strictness_level: draft.strictness_level,
        policies: draft.policies.flatMap(({ description, enabled }, i) => {
          const review = reviewed[i];
          if (review?.keep !== true) return [];
          return [
            {
              name: review.name,
              description,
              enabled,
              block_activities: linesOf(review.block),
              safe_activities: linesOf(review.safe),
            },
          ];
        }),
      },
    });
  const change = (i: number, changes: Partial<Reviewed>) =>
    setReviewed(reviewed.map((each, at) => (at === i ? { ...each, ...changes } : each)));
  return (
    <Form
      className="gap-6"
      action={`Save ${kept.length} of ${reviewed.length} as a group`}
      ready={kept.length > 0}
      run={save}
      changes={keys.groups}
      onDone={({ group_uuid: groupUuid }) => navigate({ to: '/policies/$groupUuid', params: { groupUuid } })}
    >
      <Panel>
        <div className="grid items-end gap-4 sm:grid-cols-[minmax(0,1fr)_auto]">
          <TextField
            label="Name of the group"
            value={name}
            onChange={({ target }) => setName(target.value)}
            required
            maxLength={255}
          />
          <p className="pb-2 text-[13px] text-ink-soft">
            {draft.extraction.pages} pages read by{' '}
            {draft.extraction.engine === 'embedded' ? 'the embedded engine' : 'the language model'}
          </p>
        </div>
        {draft.extraction.notes.map((note) => (
          <p key={note} className="mt-3 rounded-lg bg-warn-soft px-3 py-2 text-sm text-warn">
            {note}
          </p>
        ))}
      </Panel>
      <ul className="grid gap-4">
        {draft.policies.map((policy, i) => (
          <PolicyReview
            key={`${i} ${policy.name}`}
            policy={policy}
            reviewed={reviewed[i] ?? asFound(policy)}
            onChange={(changes) => change(i, changes)}
          />
        ))}
      </ul>
    </Form>
  );
}

const tones = { prohibition: 'flag', obligation: 'warn', permission: 'good' } as const;

function PolicyReview({
  policy,
  reviewed,
  onChange,
}: {
  policy: DraftPolicy;
  reviewed: Reviewed;
  onChange: (changes: Partial<Reviewed>) => void;
}) {
  const { keep, name, block, safe } = reviewed;
  return (
    <li className="rounded-xl border border-line bg-panel p-5 shadow-panel">
      <label className="flex cursor-pointer items-center gap-3 font-semibold tracking-tight">
        <input
          type="checkbox"
          className="size-4 shrink-0 accent-(--accent)"
          checked={keep}
          onChange={({ target }) => onChange({ keep: target.checked })}
        />
        {policy.name}
      </label>
      <div className="mt-4 grid gap-6 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
        <fieldset disabled={!keep} className="grid content-start gap-3 disabled:opacity-60">
          <TextField
            label="Name"
            value={name}
            onChange={({ target }) => onChange({ name: target.value })}
            required={keep}
            maxLength={255}
          />
          <TextArea
            label="Blocks"
            rows={Math.min(6, Math.max(2, linesOf(block).length + 1))}
            value={block}
            onChange={({ target }) => onChange({ block: target.value })}
          />
          <TextArea
            label="Allows"
            rows={2}
            value={safe}
            onChange={({ target }) => onChange({ safe: target.value })}
          />
        </fieldset>
        <ul className="grid content-start gap-3" aria-label={`Sources of ${policy.name}`}>
          {policy.sources.map(({ page, quote, kind }) => (
            <li key={`${page} ${quote}`} className="border-l-2 border-line-strong pl-3 text-sm">
              <blockquote className="leading-relaxed break-words">{quote}</blockquote>
              <p className="mt-1 flex items-center gap-2 text-[13px] text-ink-soft">
                page {page} <Badge tone={tones[kind]}>{kind}</Badge>
              </p>
            </li>
          ))}
        </ul>
      </div>
    </li>
  );
}
