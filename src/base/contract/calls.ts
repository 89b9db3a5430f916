/** Calls between services through their contracts: in process if both run in it, else over HTTP. */
import { createClient } from './client.ts';
import type { Operation, Received, Sent } from './operation.ts';

/** Handles an operation for a caller in this process; the input is trusted and not validated again. */
export type LocalHandler<Caller> = (caller: Caller, input: unknown) => Promise<unknown>;

export interface ServiceCalls<Caller> {
  /** Registers the handler of an operation, so that it can be called in this process. */
  provide<O extends Operation>(
    operation: O,
    handler: (caller: Caller, input: Sent<O>) => Promise<Received<O>>,
  ): void;
  /** @throws AppError of the called service; 503 if it cannot be reached, 504 on timeout. */
  call<O extends Operation>(
    operation: O,
    caller: Caller,
    input: Sent<O>,
    elsewhere: Elsewhere<Caller>,
  ): Promise<Received<O>>;
}

/** Address and credentials of a service that runs in another process. */
export interface Elsewhere<Caller> {
  readonly baseUrl: string;
  /** Creates a token that identifies the caller to another of our services. */
  readonly tokenFor: (caller: Caller) => Promise<string>;
  readonly timeoutMs?: number;
}

export interface ServiceCallsSettings {
  /** The id of the current request, which is passed on to other services. */
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
    call(operation, caller, input, elsewhere) {
      const handler = handlers.get(operation);
      return handler === undefined
        ? callElsewhere(operation, caller, input, elsewhere)
        : (handler(caller, input) as ReturnType<typeof callElsewhere<typeof operation>>);
    },
  };

  async function callElsewhere<O extends Operation>(
    operation: O,
    caller: Caller,
    input: Sent<O>,
    elsewhere: Elsewhere<Caller>,
  ): Promise<Received<O>> {
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
    // TypeScript cannot relate the client's input type to the generic operation.
    const send = client.call as unknown as (input: Sent<O>) => Promise<Received<O>>;
    return send(input);
  }
}
