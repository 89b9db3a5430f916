import { useMutation, useQueryClient, type QueryKey } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { toast } from 'sonner';
import { Button } from './button.tsx';
import { cn } from './cn.ts';
import { Dialog } from './dialog.tsx';
import { LeaveQuestion } from './leave-question.tsx';
import { Failure } from './states.tsx';
import { UnsavedEdits } from './unsaved-edits.tsx';

interface Work<T> {
  /** The text of the button; undefined for a form without one. */
  readonly action: string | undefined;
  readonly run: () => Promise<T>;
  /** The queries to load again afterwards. */
  readonly changes?: QueryKey | undefined;
  readonly onDone?: ((result: T) => unknown) | undefined;
  /** False while the form is incomplete: the button is disabled. */
  readonly ready?: boolean;
  readonly children: ReactNode;
}

/** A form: the error above its fields, the button below. */
export function Form<T>({
  action,
  run,
  changes,
  onDone,
  ready = true,
  beside,
  end = false,
  stays = false,
  className,
  onEdited,
  children,
}: Work<T> & {
  /** Shown next to the button. */
  beside?: ReactNode;
  /** The buttons are at the right, as in a dialog. */
  end?: boolean;
  /** The button stays in sight where the form is longer than the screen. */
  stays?: boolean;
  className?: string;
  /** Called with true once something was entered, and with false once it is saved. */
  onEdited?: (isEdited: boolean) => void;
}) {
  const queries = useQueryClient();
  const work = useMutation({
    mutationFn: run,
    onSuccess: async (result) => {
      if (changes !== undefined) await queries.invalidateQueries({ queryKey: changes });
      onEdited?.(false);
      await onDone?.(result);
    },
  });
  return (
    <form
      className={cn('grid grid-cols-1 gap-4', className)}
      onChange={() => onEdited?.(true)}
      onSubmit={(event) => {
        event.preventDefault();
        work.mutate();
      }}
    >
      {work.isError && <Failure error={work.error} />}
      {children}
      {action !== undefined && (
        <div
          className={cn(
            'flex flex-wrap items-center gap-2',
            end && 'justify-end',
            stays && 'sticky z-10 border-t border-line bg-panel py-3',
            // In a dialog it covers the space below it too.
            stays && (end ? '-bottom-6 -mb-6 pb-6' : 'bottom-0'),
          )}
        >
          {end && beside}
          <Button type="submit" kind="primary" busy={work.isPending} disabled={!ready}>
            {action}
          </Button>
          {!end && beside}
        </div>
      )}
    </form>
  );
}

/**
 * A form for settings: confirms saving, and stays open. Leaving the page with unsaved changes asks first. Without edit
 * permission it has no button.
 */
export function SettingsForm<T>({
  editable = true,
  action = 'Save',
  ...settings
}: Omit<Work<T>, 'action' | 'onDone'> & { editable?: boolean; className?: string; action?: string }) {
  const [isEdited, setIsEdited] = useState(false);
  return (
    <>
      <Form
        {...settings}
        action={editable ? action : undefined}
        stays={isEdited}
        onEdited={(edited) => setIsEdited(edited && editable)}
        onDone={() => {
          toast.success('Saved.');
        }}
      />
      <UnsavedEdits isEdited={isEdited} />
    </>
  );
}

/**
 * A form in a dialog; closes when its action has succeeded, unless `onDone` navigates elsewhere. What was entered is
 * not lost by accident: a click outside does not close the dialog, and every other way asks first.
 */
export function FormDialog<T>({
  title,
  lead,
  wide = false,
  edited = false,
  onClose,
  onDone = onClose,
  ...work
}: Work<T> & {
  title: string;
  lead?: ReactNode;
  wide?: boolean | 'full';
  /** Something was changed other than by typing. */
  edited?: boolean;
  onClose: () => void;
}) {
  const [isEdited, setIsEdited] = useState(false);
  const [isLeaving, setIsLeaving] = useState(false);
  const leave = () => (isEdited || edited ? setIsLeaving(true) : onClose());
  return (
    <>
      <Dialog open onClose={leave} title={title} lead={lead} wide={wide} keepsText>
        <Form
          {...work}
          onDone={onDone}
          onEdited={setIsEdited}
          end
          stays
          beside={<Button onClick={onClose}>Cancel</Button>}
        />
      </Dialog>
      <LeaveQuestion
        open={isLeaving}
        title="Discard what you entered?"
        stay="Keep editing"
        leave="Discard"
        onStay={() => setIsLeaving(false)}
        onLeave={onClose}
      >
        It has not been saved.
      </LeaveQuestion>
    </>
  );
}
