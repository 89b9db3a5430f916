import { useState } from 'react';
import type { PredicateKind } from '../../../api/action-guard.ts';
import { SelectField, TextField } from '../../../parts/field.tsx';
import { groupOfKind, kindGroups, otherKinds } from './predicate-groups.ts';
import { wordsOfKind } from './predicate-words.ts';

const groups = [...kindGroups.map(({ name }) => name), otherKinds];

/** Whether each word of the search stands in the name, the meaning or the group of the kind. */
function isFound(is: string, search: string): boolean {
  const { name, meaning } = wordsOfKind(is);
  const all = `${name} ${meaning} ${groupOfKind(is)} ${is}`.toLowerCase();
  return search
    .toLowerCase()
    .split(/\s+/)
    .every((word) => all.includes(word));
}

/** The kinds of tests in their groups, with a search. */
export function KindChoice({
  kinds,
  value,
  onChoice,
}: {
  kinds: readonly PredicateKind[];
  value: string;
  onChoice: (is: string) => void;
}) {
  const [search, setSearch] = useState('');
  const found = kinds.filter(({ is }) => isFound(is, search.trim()));
  // What is chosen stays in the list, or the list would show something else as chosen.
  const shown = kinds.filter((kind) => kind.is === value || found.includes(kind));
  const options = shown
    .map(({ is }) => ({ value: is, label: wordsOfKind(is).name, group: groupOfKind(is) }))
    .toSorted((a, b) => groups.indexOf(a.group) - groups.indexOf(b.group) || a.label.localeCompare(b.label));
  return (
    <div className="grid gap-3">
      <TextField
        label="Search"
        value={search}
        placeholder="money, recipient, approval …"
        hint={search.trim() === '' ? undefined : `${found.length} of ${kinds.length} kinds of tests`}
        onChange={({ target }) => setSearch(target.value)}
      />
      <SelectField
        label="Kind of test"
        value={value}
        options={options}
        hint={wordsOfKind(value).meaning}
        onChoice={onChoice}
      />
    </div>
  );
}
