import { useEffect, useState, type ReactNode } from 'react';
import { Failure } from '../parts/states.tsx';
import { session } from './session.ts';
import { SignInPage } from './sign-in-page.tsx';
import { useSession } from './use-session.ts';

/** Shows its content to users who are signed in, and the sign-in form to all others, at the same address. */
export function SessionGate({ children }: { children: ReactNode }) {
  const state = useSession();
  const [failure, setFailure] = useState<unknown>();
  useEffect(() => {
    session.resume().catch(setFailure);
  }, []);
  if (state.kind === 'signed-in') return children;
  if (state.kind === 'signed-out') return <SignInPage why={state.why} />;
  return failure === undefined ? null : (
    <main className="mx-auto max-w-lg px-4 py-24">
      <Failure error={failure} retry={() => location.reload()} />
    </main>
  );
}
