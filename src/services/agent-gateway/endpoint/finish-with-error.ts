import { failure, type RpcRequest } from '#mcp/json-rpc.ts';
import type { Era } from '#mcp/protocol.ts';
import type { LiveGateway } from './live-gateway.ts';
import type { ReplyStream } from './reply-stream.ts';
import { errorFor, headersOf, statusOf } from './results.ts';

export interface FailedRequest {
  readonly live: LiveGateway;
  readonly era: Era;
  readonly request: RpcRequest;
  readonly reply: ReplyStream;
}

/** Responds with an error in the format of the client's era; internal errors are logged. */
export function finishWithError(
  { live, era, request, reply }: FailedRequest,
  error: unknown,
  status = statusOf(era, error),
): void {
  if (status === 500) live.deps.events.failedCall(live.gateway.gatewayId, request.method, error);
  reply.finish(status, failure(request.id, errorFor(era, error)), headersOf(error));
}
