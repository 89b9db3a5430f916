import { Shield } from 'lucide-react';
import { useState, type FormEvent } from 'react';
import { Button } from '../parts/button.tsx';
import { TextField } from '../parts/field.tsx';
import { Failure } from '../parts/states.tsx';
import { session } from './session.ts';

/** The sign-in form; `why` is the reason shown for the end of a session. */
export function SignInPage({ why }: { why?: string | undefined }) {
  const [failure, setFailure] = useState<unknown>();
  const [busy, setBusy] = useState(false);
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const text = (name: string) => {
      const value = form.get(name);
      return typeof value === 'string' ? value : '';
    };
    setBusy(true);
    setFailure(undefined);
    try {
      await session.signIn({
        username: text('username'),
        password: text('password'),
        tenant_name: text('tenant') || 'system',
      });
    } catch (error) {
      setFailure(error);
    } finally {
      setBusy(false);
    }
  };
  return (
    <main className="grid min-h-screen place-items-center bg-linear-to-b from-accent-soft/60 to-ground px-4 py-10">
      <div className="w-full max-w-sm">
        <div className="mb-6 flex items-center gap-2.5">
          <span className="grid size-10 place-content-center rounded-xl bg-accent text-accent-ink">
            <Shield className="size-5" aria-hidden />
          </span>
          <div>
            <h1 className="text-lg font-semibold tracking-tight">Bulwark</h1>
            <p className="text-[13px] text-ink-soft">Guards for models and agents</p>
          </div>
        </div>
        <form
          onSubmit={(event) => void submit(event)}
          className="grid gap-4 rounded-2xl border border-line bg-panel p-6 shadow-panel"
        >
          {why !== undefined && failure === undefined && (
            <p role="status" className="rounded-lg bg-warn-soft px-3 py-2 text-sm text-warn">
              {why}
            </p>
          )}
          {failure !== undefined && <Failure error={failure} />}
          <TextField label="Username" name="username" autoComplete="username" autoFocus required />
          <TextField
            label="Password"
            name="password"
            type="password"
            autoComplete="current-password"
            required
          />
          <TextField label="Tenant" name="tenant" placeholder="system" hint="Leave empty for system." />
          <Button type="submit" kind="primary" busy={busy} className="mt-1">
            Sign in
          </Button>
        </form>
        <p className="mt-4 text-center text-[13px] text-ink-soft">
          The first administrator is <code className="font-mono">admin</code>; the password was printed when
          the server first started.
        </p>
      </div>
    </main>
  );
}
