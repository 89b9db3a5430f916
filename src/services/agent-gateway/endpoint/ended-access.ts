import { RpcError, rpcCodes } from '#mcp/json-rpc.ts';

/** The error for clients whose user, key or consent was revoked. */
export const accessEnded = (): RpcError =>
  new RpcError(rpcCodes.internalError, 'Your access has ended. Sign in, or connect again.');
