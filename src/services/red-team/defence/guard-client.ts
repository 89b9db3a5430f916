/** What is asked of the action guard, through its contract, in the name of the caller. */
import type { ServiceCalls } from '#base/contract/calls.ts';
import type { Operation, Received, Sent } from '#base/contract/operation.ts';
import type { Caller } from '#identity/caller.ts';

export interface ActionGuardAccess {
  readonly calls: ServiceCalls<Caller>;
  /** Where the action guard listens. */
  readonly guardUrl: () => string;
  readonly tokenFor: (caller: Caller) => Promise<string>;
}

const timeoutMs = 30_000;

/** @throws AppError of the action guard; 503 if it cannot be reached */
export const askGuard =
  ({ calls, guardUrl, tokenFor }: ActionGuardAccess) =>
  <O extends Operation>(operation: O, caller: Caller, input: Sent<O>): Promise<Received<O>> =>
    calls.call(operation, caller, input, { baseUrl: guardUrl(), tokenFor, timeoutMs });

export type AskGuard = ReturnType<typeof askGuard>;
