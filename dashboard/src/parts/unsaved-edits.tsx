import { useBlocker } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { LeaveQuestion } from './leave-question.tsx';
import type { Address } from './use-address.ts';

/** Asks before the page, or the tab of it that holds the form, is left with unsaved changes. */
export function UnsavedEdits({
  isEdited,
  children = 'Your changes have not been saved.',
}: {
  isEdited: boolean;
  /** What would be lost. */
  children?: ReactNode;
}) {
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: ({ current, next }) =>
      isEdited &&
      (current.pathname !== next.pathname ||
        (current.search as Address).tab !== (next.search as Address).tab),
    enableBeforeUnload: () => isEdited,
    withResolver: true,
  });
  return (
    <LeaveQuestion
      open={status === 'blocked'}
      title="Leave without saving?"
      stay="Keep editing"
      leave="Leave"
      onStay={() => reset?.()}
      onLeave={() => proceed?.()}
    >
      {children}
    </LeaveQuestion>
  );
}
