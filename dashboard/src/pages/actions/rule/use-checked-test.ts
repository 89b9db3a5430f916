import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { actionGuard, type PredicateKind } from '../../../api/action-guard.ts';
import { messageOf } from '../../../parts/states.tsx';
import { labelOfField, plainProblem } from './field-words.ts';
import type { Predicate } from './form.ts';

const listed = new Intl.ListFormat('en', { type: 'conjunction' });

/** What a test lacks that it cannot be without; undefined where it has all. */
function missingIn(kind: PredicateKind | undefined, test: Predicate): string | undefined {
  const missing = (kind?.fields ?? [])
    .filter(({ name, required }) => required && test[name] === undefined)
    .map(({ name }) => `“${labelOfField(test.is, name)}”`);
  return missing.length === 0
    ? undefined
    : `Fill in ${listed.format(missing)}: the test needs ${missing.length === 1 ? 'it' : 'them'}.`;
}

/** Checks a test before it becomes a part of the rule, as the service would check it there. */
export function useCheckedTest(kind: PredicateKind | undefined, onChecked: (test: Predicate) => void) {
  const [missing, setMissing] = useState<string>();
  const asked = useMutation({
    mutationFn: (test: Predicate) => actionGuard.draftRule({ body: { rule: { when: { ...test } } } }),
    onSuccess: (_, test) => onChecked(test),
  });
  return {
    check: (test: Predicate) => {
      const lacks = missingIn(kind, test);
      setMissing(lacks);
      if (lacks === undefined) asked.mutate(test);
    },
    problem:
      missing ?? (asked.isError ? plainProblem(asked.variables.is, messageOf(asked.error)) : undefined),
    isChecking: asked.isPending,
    /** The test was changed: what was said of it no longer holds. */
    forget: () => {
      setMissing(undefined);
      if (!asked.isIdle) asked.reset();
    },
  };
}
