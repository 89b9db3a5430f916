import { useState } from 'react';
import type { Rule, RuleDraft, Severity } from '../../../api/action-guard.ts';
import type { Form } from './form.ts';
import { useDraft } from './use-draft.ts';

interface Written {
  readonly text: string;
  /** What counts in the place of the sentence; undefined where the sentence is read. */
  readonly form: Form | undefined;
}

/** What is shown of a rule: a form with its words. */
interface Shown {
  readonly form: Form | undefined;
  readonly draft: RuleDraft | undefined;
}

const nothing: Shown = { form: undefined, draft: undefined };

const formOf = (rule: { readonly rule?: unknown } | undefined): Form | undefined =>
  rule?.rule as Form | undefined;

const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);

/**
 * A form that a person gave or confirmed, or that an older version read, is what counts; else the sentence is read as it
 * is typed.
 */
function writtenOf(rule: Rule | undefined): Written {
  const isFixed =
    rule !== undefined &&
    (rule.origin !== 'sentence' || rule.confirmed_by !== null || rule.reads_now !== undefined);
  return { text: rule?.description ?? '', form: isFixed ? formOf(rule) : undefined };
}

/** The last answer that was one: what was wrong in the form does not take away what was right before. */
function useLastGood(draft: ReturnType<typeof useDraft>): Shown {
  const [good, setGood] = useState<Shown>(nothing);
  if (draft.isSuccess && !draft.isPlaceholderData && draft.data !== good.draft)
    setGood({ form: formOf(draft.data), draft: draft.data });
  return good;
}

/** What is written at the moment, what the service makes of it, and the way back. */
export function useEditing(rule: Rule | undefined) {
  const [initial] = useState(() => writtenOf(rule));
  const [written, setWritten] = useState(initial);
  const [past, setPast] = useState<readonly Written[]>([]);
  const [severity, setSeverity] = useState<Severity>(rule?.severity ?? 'Medium');
  const draft = useDraft(written);
  const good = useLastGood(draft);
  const { text, form } = written;
  const isBlank = form === undefined && text.trim() === '';
  const shown: Shown = isBlank
    ? nothing
    : draft.isError
      ? good
      : {
          form: draft.isPlaceholderData ? (form ?? formOf(draft.data)) : formOf(draft.data),
          draft: draft.data,
        };
  const change = (next: Partial<Written>) => {
    // While a sentence is typed that is read, each letter would be a step back of its own.
    if (form !== undefined || next.form !== undefined) setPast([...past, written]);
    setWritten({ ...written, ...next });
  };
  return {
    text,
    form,
    severity,
    setSeverity,
    draft,
    shown,
    setForm: (next: Form) => change({ form: next }),
    setText: (next: string) => change({ text: next }),
    /** Takes a sentence, to be read anew. */
    take: (sentence: string) => change({ text: sentence, form: undefined }),
    /** Takes a sentence with its form. */
    begin: (next: Written) => change(next),
    undo:
      past.length === 0
        ? undefined
        : () => {
            setWritten(past.at(-1) ?? initial);
            setPast(past.slice(0, -1));
          },
    isRewritten: !same(written, initial),
    isEdited: !same(written, initial) || severity !== (rule?.severity ?? 'Medium'),
  };
}

export type Editing = ReturnType<typeof useEditing>;
