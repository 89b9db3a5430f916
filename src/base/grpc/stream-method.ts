/** A gRPC method with a stream in both directions. */
import type { handleBidiStreamingCall, ServerDuplexStream } from '@grpc/grpc-js';
import type { Operation } from '../contract/operation.ts';
import { unavailable } from '../errors.ts';
import type { Logger } from '../log/log.ts';
import type { Admission } from './admission.ts';
import { toAppError, toStatus } from './status.ts';

export interface GrpcStreamCall<Caller> {
  readonly caller: Caller;
  readonly requestId: string;
  /** Messages of the caller, with the field names of the proto file; ends when the caller has no more. */
  readonly requests: AsyncIterable<unknown>;
  /** Aborted at the caller's deadline or when it disconnects. */
  readonly signal: AbortSignal;
  /** Sends a message, and resolves once there is room for another. @throws the signal’s reason */
  send(message: object): Promise<void>;
}

/** The call ends when the handler returns, or with the error that it throws. */
export interface GrpcStreamMethod<Caller> {
  /** Whose access rules apply. */
  readonly operation: Operation;
  readonly serve: (call: GrpcStreamCall<Caller>) => Promise<void>;
}

export function streaming<Caller>(
  { serve }: GrpcStreamMethod<Caller>,
  admission: Admission<Caller>,
  log: Logger,
): handleBidiStreamingCall<unknown, unknown> {
  async function respond(call: ServerDuplexStream<unknown, unknown>) {
    const { caller, requestId } = admission.admitted(call.metadata);
    const gone = new AbortController();
    const leave = () => gone.abort(unavailable('The caller has gone.'));
    call.once('cancelled', leave);
    call.once('error', leave);
    try {
      await serve({
        caller: caller as Caller,
        requestId,
        signal: gone.signal,
        requests: call,
        send: (message) => sendTo(call, message, gone.signal),
      });
      call.end();
    } catch (thrown) {
      if (gone.signal.aborted) return;
      const error = toAppError(thrown);
      if (error.status >= 500)
        log.error({ request_id: requestId, err: error.cause ?? error, code: error.code }, error.detail);
      call.emit('error', toStatus(error, requestId));
    }
  }
  return (call) => {
    void respond(call);
  };
}

async function sendTo(
  call: ServerDuplexStream<unknown, unknown>,
  message: object,
  signal: AbortSignal,
): Promise<void> {
  signal.throwIfAborted();
  if (call.write(message)) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  const ready = () => resolve();
  call.once('drain', ready);
  signal.addEventListener('abort', ready);
  await promise;
  signal.removeEventListener('abort', ready);
  signal.throwIfAborted();
}
