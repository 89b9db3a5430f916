import { useEffect, useRef, useState } from 'react';
import { toast } from 'sonner';
import { AppError } from '#base/errors.ts';
import { newPassword } from '#identity/contract/auth.ts';
import { TextField } from '../parts/field.tsx';
import { FormDialog } from '../parts/form.tsx';
import { session, type User } from '../session/session.ts';

const rules = newPassword();

type Typed = { current: string; next: string; repeated: string };
type Errors = Partial<Record<keyof Typed, string>>;

/** Errors that are found without sending a request. */
function errorsIn({ next, repeated }: Typed): Errors {
  return {
    ...(!rules.safeParse(next).success && {
      next: 'It must have at least 8 characters and at most 1024 bytes.',
    }),
    ...(repeated !== next && { repeated: 'It differs from the new password.' }),
  };
}

/** The dialog for changing one’s password. If the OpenID Connect issuer manages it, the server’s error says so. */
export function ChangePassword({ user, onClose }: { user: User; onClose: () => void }) {
  const [typed, setTyped] = useState<Typed>({ current: '', next: '', repeated: '' });
  const [errors, setErrors] = useState<Errors>({});
  const fields = useRef<HTMLDivElement>(null);
  // The invalid field gets the focus, so that a screen reader announces the error.
  useEffect(() => fields.current?.querySelector<HTMLInputElement>('[aria-invalid]')?.focus(), [errors]);

  const field = (name: keyof Typed) => ({
    type: 'password',
    value: typed[name],
    error: errors[name],
    required: true,
    onChange: ({ target }: { target: HTMLInputElement }) => setTyped({ ...typed, [name]: target.value }),
  });
  /** Returns whether the password was changed; an error of one field is shown at that field. */
  const change = async (): Promise<boolean> => {
    const found = errorsIn(typed);
    setErrors(found);
    if (Object.keys(found).length > 0) return false;
    try {
      await session.changePassword(typed);
      return true;
    } catch (error) {
      if (!(error instanceof AppError) || error.status !== 403) throw error;
      setErrors({ current: 'This is not your current password.' });
      return false;
    }
  };
  return (
    <FormDialog
      title="Change password"
      lead="This browser stays signed in. All your other sessions end, and so does the access you gave to AI clients. API keys stay valid."
      action="Change password"
      run={change}
      onClose={onClose}
      onDone={(changed) => {
        if (!changed) return;
        toast.success('Your password is changed.');
        onClose();
      }}
    >
      <div ref={fields} className="grid gap-4">
        {/* Password managers use the field with this name to update their entry. */}
        <input type="text" autoComplete="username" value={user.username} readOnly hidden />
        <TextField label="Current password" autoComplete="current-password" {...field('current')} />
        <TextField
          label="New password"
          autoComplete="new-password"
          hint="At least 8 characters, at most 1024 bytes."
          {...field('next')}
        />
        <TextField label="Repeat the new password" autoComplete="new-password" {...field('repeated')} />
      </div>
    </FormDialog>
  );
}
