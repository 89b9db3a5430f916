import { AlertDialog } from 'radix-ui';
import type { ReactNode } from 'react';
import { Button } from './button.tsx';
import { sheet, veil } from './dialog.tsx';

/** Asks before something that was entered, or is shown only once, is lost. */
export const LeaveQuestion = ({
  open,
  title,
  stay,
  leave,
  onStay,
  onLeave,
  children,
}: {
  open: boolean;
  title: string;
  stay: string;
  leave: string;
  onStay: () => void;
  onLeave: () => void;
  children: ReactNode;
}) => (
  <AlertDialog.Root open={open} onOpenChange={(next) => !next && onStay()}>
    <AlertDialog.Portal>
      <AlertDialog.Overlay className={veil} />
      <AlertDialog.Content className={sheet}>
        <AlertDialog.Title className="text-lg font-semibold tracking-tight">{title}</AlertDialog.Title>
        <AlertDialog.Description className="mt-2 text-sm text-ink-soft">{children}</AlertDialog.Description>
        <div className="mt-6 flex justify-end gap-2">
          <AlertDialog.Cancel asChild>
            <Button>{stay}</Button>
          </AlertDialog.Cancel>
          <Button kind="danger" onClick={onLeave}>
            {leave}
          </Button>
        </div>
      </AlertDialog.Content>
    </AlertDialog.Portal>
  </AlertDialog.Root>
);
