import { useQueries, useQuery } from '@tanstack/react-query';
import { actionGuard, actionKeys } from '../../../api/action-guard.ts';
import { Button } from '../../../parts/button.tsx';
import type { Form } from './form.ts';
import { nearest } from './near-presets.ts';
import type { Editing } from './use-editing.ts';

/** Sentences that are understood fully, each of another kind. */
const exampleSentences = [
  'Never refund more than 500 dollars.',
  'Never delete backups.',
  'Ask before sending an email to somebody outside example.com.',
];

const [mostTemplates, mostRules] = [4, 3];

interface Suggestion {
  readonly text: string;
  /** Undefined where the sentence says all. */
  readonly form: Form | undefined;
}

/** Rules of the presets that share words with the sentence. */
function useNearRules(sentence: string): Suggestion[] {
  const isWanted = sentence.trim() !== '';
  const templates = useQuery({
    queryKey: actionKeys.templates,
    queryFn: () => actionGuard.listTemplates(),
    enabled: isWanted,
    staleTime: Infinity,
  });
  const near = isWanted
    ? nearest(
        templates.data?.templates ?? [],
        sentence,
        ({ name, description, category }) => `${name} ${description} ${category}`,
        mostTemplates,
      )
    : [];
  const whole = useQueries({
    queries: near.map(({ id }) => ({
      queryKey: actionKeys.template(id),
      queryFn: () => actionGuard.getTemplate({ params: { template_id: id } }),
      staleTime: Infinity,
    })),
  });
  const rules = whole.flatMap(({ data }) => Object.values(data?.rules ?? {}));
  return nearest(rules, sentence, ({ description }) => description, mostRules).map(
    ({ description, rule }) => ({ text: description, form: rule as Form | undefined }),
  );
}

/** Where there is no rule yet: what to begin with. */
export function Starting({
  editing: { text, begin, shown },
  mayChange,
}: {
  editing: Editing;
  mayChange: boolean;
}) {
  const isUnread = text.trim() !== '' && shown.draft !== undefined;
  const near = useNearRules(isUnread ? text : '');
  const suggestions: readonly Suggestion[] =
    near.length > 0 ? near : exampleSentences.map((sentence) => ({ text: sentence, form: undefined }));
  return (
    <div className="grid gap-3 text-sm">
      <p className="text-ink-soft">
        {isUnread
          ? 'Nothing of the sentence was understood as a test of a call: saved like this, it can only warn.'
          : 'Write a sentence: what is understood of it appears here.'}
        {mayChange &&
          ' Or put the rule together below: what a call has to be or do, what is then required, and what is excepted.'}
      </p>
      {mayChange && (
        <>
          <section aria-label="Suggestions">
            <h3 className="mb-1.5 text-[13px] font-medium">
              {near.length > 0 ? 'Near to it among the presets' : 'For example'}
            </h3>
            <ul className="grid gap-2">
              {suggestions.map((suggestion) => (
                <li
                  key={suggestion.text}
                  className="flex flex-wrap items-center justify-between gap-2 rounded-lg border border-line p-2.5"
                >
                  <span className="min-w-0 flex-1 basis-48 break-words">{suggestion.text}</span>
                  <Button
                    size="small"
                    aria-label={`Begin with: ${suggestion.text}`}
                    onClick={() => begin(suggestion)}
                  >
                    Begin with this
                  </Button>
                </li>
              ))}
            </ul>
          </section>
          <HowToWrite />
        </>
      )}
    </div>
  );
}

const HowToWrite = () => (
  <details>
    <summary className="cursor-pointer text-[13px] text-ink-soft">How to write a rule</summary>
    <ul className="mt-2 grid list-disc gap-1 pl-5 text-[13px] text-ink-soft">
      <li>One rule, one sentence: what must not be done, or what has to be asked for first.</li>
      <li>Say what is done by a verb that tools are called by: send, pay, refund, delete, change, share.</li>
      <li>Say to what: files, backups, customer data, addresses outside of a domain, a tool by its name.</li>
      <li>A limit is a number with its unit: “more than 500 dollars”, “more than three refunds a day”.</li>
      <li>
        An exception begins with “unless”: “unless a manager approved it”, “unless the user asked for it”.
      </li>
      <li>Words that are underlined are not enforced: say them otherwise, or add a test for them.</li>
    </ul>
  </details>
);
