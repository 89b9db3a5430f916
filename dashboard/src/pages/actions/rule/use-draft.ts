import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { actionGuard, actionKeys } from '../../../api/action-guard.ts';
import type { Form } from './form.ts';

/** The value a moment after it last changed. */
function useSettled<T>(value: T, delayMs: number): T {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), delayMs);
    return () => clearTimeout(timer);
  }, [value, delayMs]);
  return settled;
}

const ofForm = (form: Form, text: string) => ({
  rule: { ...form },
  ...(text.trim() !== '' && { sentence: text }),
});

/** What the service makes of a sentence, or of a form beside it where one is given; follows typing. */
export function useDraft({ text, form }: { text: string; form: Form | undefined }) {
  const settled = useSettled(text, 350);
  const asked = form === undefined ? { text: settled } : ofForm(form, settled);
  return useQuery({
    queryKey: actionKeys.draft(asked),
    queryFn: () => actionGuard.draftRule({ body: asked }),
    enabled: form !== undefined || settled.trim() !== '',
    placeholderData: keepPreviousData,
    retry: false,
    staleTime: 60_000,
  });
}
