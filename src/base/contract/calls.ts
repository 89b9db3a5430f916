/** One service calls another through its contract: in this process where both run in it, else over HTTP. */
import { createClient } from './client.ts';
import type { Operation, Received, Sent } from './operation.ts';

/** Answers an operation for a caller of this process; the input is of our own making and not checked again. */
export type LocalHandler<Caller> = (caller: Caller, input: unknown) => Promise<unknown>;

export interface ServiceCalls<Caller> {
  /** The operation can be called in this process from now on. */
  provide<O extends Operation>(
    operation: O,
    handler: (caller: Caller, input: Sent<O>) => Promise<Received<O>>,
  ): void;
  /** @throws AppError of the service that is asked; 503 where it cannot be reached, 504 where it takes too long. */
  call<O extends Operation>(
    operation: O,
    caller: Caller,
    input: Sent<O>,
    elsewhere: Elsewhere<Caller>,
  ): Promise<Received<O>>;
}

/** Where the operation is answered when it is not in this process, and what it is shown. */
export interface Elsewhere<Caller> {
  readonly baseUrl: string;
  /** A credential of the caller's, for another service of ours. */
  readonly tokenFor: (caller: Caller) => Promise<string>;
  readonly timeoutMs?: number;
}

export interface ServiceCallsSettings {
  /** The id of the request that is being answered, which what is asked elsewhere carries on. */
  readonly requestId?: () => string | undefined;
}

export function createServiceCalls<Caller>({
  requestId = () => undefined,
}: ServiceCallsSettings = {}): ServiceCalls<Caller> {
  const handlers = new Map<Operation, LocalHandler<Caller>>();
  return {
    provide(operation, handler) {
      handlers.set(operation, handler as LocalHandler<Caller>);
    },
    async call<O extends Operation>(
      operation: O,
      caller: Caller,
      input: Sent<O>,
      elsewhere: Elsewhere<Caller>,
    ) {
      const handler = handlers.get(operation);
      if (handler !== undefined) return (await handler(caller, input)) as Received<O>;
      const { baseUrl, tokenFor, timeoutMs } = elsewhere;
      const token = await tokenFor(caller);
      const id = requestId();
      const client = createClient(
        { call: operation as Operation },
        {
          baseUrl,
          headers: () => ({
            authorization: `Bearer ${token}`,
            ...(id !== undefined && { 'x-request-id': id }),
          }),
          ...(timeoutMs !== undefined && { timeoutMs }),
        },
      );
      // The client's input type cannot be followed through the generic operation.
      const send = client.call as unknown as (input: Sent<O>) => Promise<Received<O>>;
      return send(input);
    },
  };
}
