import type { RuleDraft } from '../../../api/action-guard.ts';
import { Badge } from '../../../parts/badge.tsx';
import { ColouredSentence } from './coloured-sentence.tsx';
import { Doubts, NotEnforced, UnderstoodBadge } from './understanding.tsx';
import type { Editing } from './use-editing.ts';

/** The sentence in colours, with what was not understood, or what the form leaves out. */
export function Reading({ text, form, shown: { draft } }: Pick<Editing, 'text' | 'form' | 'shown'>) {
  if (draft === undefined || text.trim() === '') return null;
  return (
    <div className="rounded-lg bg-raised p-3 text-sm">
      <p className="mb-2 flex flex-wrap items-center gap-2 text-[13px] text-ink-soft">
        {form === undefined ? (
          <UnderstoodBadge understood={draft.understood} />
        ) : (
          'The form counts, not the sentence.'
        )}
      </p>
      <ColouredSentence text={text} draft={draft} />
      {form === undefined ? <Doubts {...draft} /> : <NotEnforced words={draft.unread} className="mt-2" />}
      {draft.note !== undefined && <p className="mt-2 text-[13px] text-ink-soft">{draft.note}</p>}
      {form === undefined && <ModelExamples examples={draft.examples} />}
    </div>
  );
}

/** Calls that the language model made from the sentence, as its form treats them. */
function ModelExamples({ examples }: Pick<RuleDraft, 'examples'>) {
  if (examples.length === 0) return null;
  return (
    <div className="mt-3">
      <h3 className="mb-1 text-[13px] font-medium">Examples of the language model, run</h3>
      <ul className="grid gap-1 text-[13px]">
        {examples.map(({ tool_name: tool, tool_params: params, expected, as_expected: isMet }) => (
          <li key={`${expected} ${tool} ${JSON.stringify(params)}`} className="flex items-start gap-2">
            <Badge tone={isMet ? 'good' : 'flag'}>
              {expected === 'broken' ? 'breaks it' : 'keeps to it'}
              {!isMet && ', but does not here'}
            </Badge>
            <code className="min-w-0 font-mono break-all">
              {tool}({JSON.stringify(params).slice(1, -1)})
            </code>
          </li>
        ))}
      </ul>
    </div>
  );
}
