/** Asking another service through its contract, in the name of a caller. */
import type { ServiceCalls } from './calls.ts';
import type { Operation, Received, Sent } from './operation.ts';

export interface ServiceAccess<Caller> {
  readonly calls: ServiceCalls<Caller>;
  /** Where the service listens. */
  readonly url: () => string;
  readonly tokenFor: (caller: Caller) => Promise<string>;
}

export type AskService<Caller> = <O extends Operation>(
  operation: O,
  caller: Caller,
  input: Sent<O>,
) => Promise<Received<O>>;

const timeoutMs = 30_000;

/** @throws AppError of the asked service; 503 if it cannot be reached */
export const askService =
  <Caller>({ calls, url, tokenFor }: ServiceAccess<Caller>): AskService<Caller> =>
  (operation, caller, input) =>
    calls.call(operation, caller, input, { baseUrl: url(), tokenFor, timeoutMs });
