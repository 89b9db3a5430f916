import { QueryCache, QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { Toaster } from 'sonner';
import { AppError } from '#base/errors.ts';
import { makeRouter } from './router.tsx';
import { session } from './session/session.ts';
import { SessionGate } from './session/session-gate.tsx';
import './styles.css';

const isHopeless = (error: unknown) => error instanceof AppError && error.status < 500;

const queries = new QueryClient({
  queryCache: new QueryCache(),
  defaultOptions: {
    queries: { staleTime: 5_000, retry: (failures, error) => failures < 2 && !isHopeless(error) },
  },
});
const router = makeRouter();

// After signing out, the cache must not contain data that the next user could see.
session.subscribe(() => {
  if (session.state().kind === 'signed-out') queries.clear();
});

const root = document.querySelector('#root');
if (root === null) throw new Error('The page has no place for the application.');
createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={queries}>
      <SessionGate>
        <RouterProvider router={router} />
      </SessionGate>
      <Toaster position="bottom-right" closeButton />
    </QueryClientProvider>
  </StrictMode>,
);
