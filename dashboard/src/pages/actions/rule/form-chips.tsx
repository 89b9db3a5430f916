import { useQuery } from '@tanstack/react-query';
import { Check, Plus } from 'lucide-react';
import { useState } from 'react';
import { actionGuard, actionKeys, type PredicateKind, type RuleDraft } from '../../../api/action-guard.ts';
import { Button } from '../../../parts/button.tsx';
import { SelectField } from '../../../parts/field.tsx';
import {
  expressionAt,
  type Form,
  isPredicate,
  jointOf,
  type Section,
  sections,
  withAdded,
  withExpression,
  withJoint,
  withNegation,
} from './form.ts';
import { PredicateDialog } from './predicate-dialog.tsx';

const names: Readonly<Record<Section, string>> = {
  when: 'When it',
  requires: 'Require that it',
  unless: 'Unless it',
};

type Part = RuleDraft['parts'][number];

/** What is being edited: a test at its place, or a new one of a section. */
type Editing = { readonly at: string } | { readonly section: Section };

/** A rule's form: each test a chip that opens, changes and goes. Without a form, the first test begins one. */
export function FormChips({
  form,
  parts,
  onChange,
}: {
  form: Form | undefined;
  parts: readonly Part[];
  onChange: (form: Form) => void;
}) {
  const [editing, setEditing] = useState<Editing>();
  const kinds = useQuery({
    queryKey: actionKeys.predicates,
    queryFn: () => actionGuard.listPredicates(),
    staleTime: Infinity,
  });
  return (
    <div className="grid gap-4">
      {sections.map((section) => (
        <SectionChips
          key={section}
          {...{ section, form, onChange }}
          parts={parts.filter(({ at }) => at === section || at.startsWith(`${section}.`))}
          onEdit={setEditing}
        />
      ))}
      {form !== undefined && <WhatHappens form={form} onChange={onChange} />}
      {editing !== undefined && kinds.data !== undefined && (
        <TestDialog
          kinds={kinds.data.predicates}
          form={form}
          editing={editing}
          onChange={onChange}
          onClose={() => setEditing(undefined)}
        />
      )}
    </div>
  );
}

const WhatHappens = ({ form, onChange }: { form: Form; onChange: (form: Form) => void }) => (
  <SelectField
    label="A call that breaks the rule"
    value={form.on_missing}
    options={[
      { value: 'deny', label: 'is refused' },
      { value: 'ask', label: 'waits for a person' },
    ]}
    onChoice={(next) => onChange({ ...form, on_missing: next })}
  />
);

/** A rule keeps one test of what it is about. */
const mayGo = ({ when }: Form, at: string) => !(at.startsWith('when') && isPredicate(when));

/** The dialog of one test, and what becomes of the form with it. */
function TestDialog({
  kinds,
  form,
  editing,
  onChange,
  onClose,
}: {
  kinds: readonly PredicateKind[];
  form: Form | undefined;
  editing: Editing;
  onChange: (form: Form) => void;
  onClose: () => void;
}) {
  const change = (next: Form) => {
    onChange(next);
    onClose();
  };
  if ('section' in editing || form === undefined)
    return (
      <PredicateDialog
        kinds={kinds}
        predicate={undefined}
        onClose={onClose}
        onSave={(test) => 'section' in editing && change(withAdded(form, editing.section, test))}
      />
    );
  const { at } = editing;
  const edited = expressionAt(form, at);
  return (
    <PredicateDialog
      kinds={kinds}
      predicate={edited !== undefined && isPredicate(edited) ? edited : undefined}
      onClose={onClose}
      onSave={(test) => change(withExpression(form, at, test))}
      onRemove={mayGo(form, at) ? () => change(withExpression(form, at, undefined)) : undefined}
    />
  );
}

function SectionChips({
  section,
  form,
  parts,
  onChange,
  onEdit,
}: {
  section: Section;
  form: Form | undefined;
  parts: readonly Part[];
  onChange: (form: Form) => void;
  onEdit: (editing: Editing) => void;
}) {
  const expression = form?.[section];
  const joint = jointOf(expression);
  return (
    <section aria-label={names[section]}>
      <div className="mb-1.5 flex flex-wrap items-center gap-2 text-[13px]">
        <h3 className="font-medium">{names[section]}</h3>
        {form !== undefined && parts.length > 1 && expression !== undefined && !isPredicate(expression) && (
          <button
            type="button"
            className="rounded text-ink-soft underline underline-offset-2 hover:text-ink"
            onClick={() => onChange(withJoint(form, section, joint === 'all' ? 'any' : 'all'))}
          >
            {joint === 'all' ? 'all of these' : 'any of these'}
          </button>
        )}
      </div>
      <ul className="flex flex-wrap items-center gap-2">
        {parts.map(({ at, words }) => (
          <li
            key={at}
            className="flex max-w-full items-stretch overflow-hidden rounded-lg border border-line-strong bg-panel text-[13px]"
          >
            <button
              type="button"
              aria-label={at.endsWith('.not') ? `Not: ${words}. Make it hold` : `${words}. Make it not hold`}
              aria-pressed={at.endsWith('.not')}
              className="border-r border-line px-2 text-ink-soft hover:bg-raised aria-pressed:bg-warn-soft aria-pressed:text-warn"
              onClick={() => form !== undefined && onChange(withNegation(form, at))}
            >
              {/* Only a negated test may read "not": else every test would seem to be negated. */}
              {at.endsWith('.not') ? 'not' : <Check className="size-3.5" aria-hidden />}
            </button>
            <button
              type="button"
              aria-label={`Change: ${words}`}
              className="min-w-0 px-2.5 py-1.5 text-left break-words hover:bg-raised"
              onClick={() => onEdit({ at })}
            >
              {words}
            </button>
          </li>
        ))}
        <li>
          <Button
            size="small"
            kind="quiet"
            aria-label={`Add a test: ${names[section]}`}
            onClick={() => onEdit({ section })}
          >
            <Plus className="size-3.5" aria-hidden /> {parts.length === 0 ? 'Nothing yet' : 'Add'}
          </Button>
        </li>
      </ul>
    </section>
  );
}
