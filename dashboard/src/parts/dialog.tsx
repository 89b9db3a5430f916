import { X } from 'lucide-react';
import { AlertDialog, Dialog as RadixDialog } from 'radix-ui';
import { useRef, useState, type ReactNode } from 'react';
import { toast } from 'sonner';
import { Button } from './button.tsx';
import { cn } from './cn.ts';
import { messageOf } from './states.tsx';

/** The look of what lies behind a dialog, and of the dialog itself. */
export const veil = 'fixed inset-0 z-40 bg-black/40 backdrop-blur-[1px]';
export const sheet =
  'fixed top-1/2 left-1/2 z-50 max-h-[88vh] w-[min(94vw,34rem)] -translate-x-1/2 -translate-y-1/2 overflow-y-auto ' +
  'rounded-2xl border border-line bg-panel p-6 shadow-panel';

/** A dialog. With `keepsText` a click outside does not close it. */
export function Dialog({
  open,
  onClose,
  title,
  lead,
  wide = false,
  keepsText = false,
  children,
}: {
  open: boolean;
  onClose: () => void;
  title: string;
  lead?: ReactNode;
  /** `full`: as wide as the screen, for two columns. */
  wide?: boolean | 'full';
  keepsText?: boolean;
  children: ReactNode;
}) {
  const focusedBefore = useRef<Element>(null);
  return (
    <RadixDialog.Root open={open} onOpenChange={(next) => !next && onClose()}>
      <RadixDialog.Portal>
        <RadixDialog.Overlay className={veil} />
        <RadixDialog.Content
          onOpenAutoFocus={() => {
            focusedBefore.current = document.activeElement;
          }}
          // Radix returns the focus only to a trigger element, and this dialog has none.
          onCloseAutoFocus={(event) => {
            if (!(focusedBefore.current instanceof HTMLElement)) return;
            event.preventDefault();
            focusedBefore.current.focus();
          }}
          className={cn(
            sheet,
            wide === true && 'w-[min(94vw,56rem)]',
            wide === 'full' && 'w-[min(94vw,80rem)]',
          )}
          {...(keepsText && { onInteractOutside: (event: Event) => event.preventDefault() })}
          {...(lead === undefined && { 'aria-describedby': undefined })}
        >
          <RadixDialog.Title className="pr-8 text-lg font-semibold tracking-tight">{title}</RadixDialog.Title>
          {lead !== undefined && (
            <RadixDialog.Description className="mt-1 text-sm text-ink-soft">{lead}</RadixDialog.Description>
          )}
          <div className="mt-5">{children}</div>
          {/* Last, so that the first field gets the focus when the dialog opens. */}
          <RadixDialog.Close asChild>
            <Button kind="quiet" size="icon" aria-label="Close" className="absolute top-4 right-4">
              <X className="size-4" />
            </Button>
          </RadixDialog.Close>
        </RadixDialog.Content>
      </RadixDialog.Portal>
    </RadixDialog.Root>
  );
}

/** Asks for confirmation before something is deleted; after an error the dialog stays open. */
export function Confirm({
  trigger,
  title,
  children,
  action,
  run,
}: {
  trigger: ReactNode;
  title: string;
  children: ReactNode;
  action: string;
  run: () => Promise<unknown>;
}) {
  const [open, setOpen] = useState(false);
  const [busy, setBusy] = useState(false);
  const confirm = async () => {
    setBusy(true);
    try {
      await run();
      setOpen(false);
    } catch (error) {
      toast.error(messageOf(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <AlertDialog.Root open={open} onOpenChange={setOpen}>
      <AlertDialog.Trigger asChild>{trigger}</AlertDialog.Trigger>
      <AlertDialog.Portal>
        <AlertDialog.Overlay className={veil} />
        <AlertDialog.Content className={sheet}>
          <AlertDialog.Title className="text-lg font-semibold tracking-tight">{title}</AlertDialog.Title>
          <AlertDialog.Description className="mt-2 text-sm text-ink-soft">{children}</AlertDialog.Description>
          <div className="mt-6 flex justify-end gap-2">
            <AlertDialog.Cancel asChild>
              <Button>Cancel</Button>
            </AlertDialog.Cancel>
            <Button kind="danger" busy={busy} onClick={() => void confirm()}>
              {action}
            </Button>
          </div>
        </AlertDialog.Content>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  );
}
