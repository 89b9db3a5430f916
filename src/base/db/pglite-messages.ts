/** Messages between the embedded database's thread and its client. */
import type { RawResult } from './pglite-engine.ts';

export interface ThreadRequest {
  readonly id: number;
  readonly ask:
    | { readonly query: string; readonly params: readonly (string | null)[] }
    | { readonly exec: string }
    | { readonly copy: string; readonly text: string }
    | 'close';
}

/** An error of the database: copying one between threads would lose its `code` and `severity`. */
export interface ThreadError {
  readonly message: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

export type ThreadMessage =
  | { readonly ready: true }
  | { readonly channel: string; readonly payload: string }
  | { readonly id: number; readonly results: readonly RawResult[] }
  | { readonly id: number; readonly error: ThreadError };
