import { RpcError, rpcCodes } from '#mcp/json-rpc.ts';

/** What is told to a client whose user, key or consent is gone. */
export const accessEnded = (): RpcError =>
  new RpcError(rpcCodes.internalError, 'Your access has ended. Sign in, or connect again.');
