/** What of a server's message a client may see: nothing that nobody sees, and no secrets where these are redacted. */
import type { Fields } from '#mcp/json-rpc.ts';
import type { Gateway } from '../registry/gateways/gateway.ts';
import { redactResult, type RedactedResult } from './redact-result.ts';
import { withoutHidden } from './unseen.ts';

/** Hidden characters go first: they could split a secret. Synchronous where nothing is redacted. */
export const deliverable = (
  { outputGuard, resultRedaction }: Pick<Gateway, 'outputGuard' | 'resultRedaction'>,
  message: Fields,
): RedactedResult | Promise<RedactedResult> =>
  redactResult(resultRedaction, outputGuard === 'off' ? message : withoutHidden(message));
