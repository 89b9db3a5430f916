/** Tells clients that lack a scope which scopes to request from the user. */
import { AppError } from '#base/errors.ts';
import type { Caller } from '#identity/caller.ts';
import { asMessage, fieldsOf } from '#mcp/json-rpc.ts';
import { scopeFor, scopes, type Scope } from '../oauth/scopes.ts';

function neededFor(body: unknown): Scope[] {
  const messages = (Array.isArray(body) ? body.slice(0, 100) : [body]).map(asMessage);
  return messages.flatMap((message) => {
    if (message === undefined || !('method' in message)) return [];
    return scopeFor(message.method, fieldsOf(message.params)) ?? [];
  });
}

/**
 * Callers without OAuth are limited only by the access rules.
 * @throws AppError 403 `insufficient_scope` with the required scopes and those granted already.
 */
export function requireScopes({ oauth }: Caller, body: unknown, metadataUrl: () => string): void {
  if (oauth === undefined) return;
  const missing = new Set(neededFor(body).filter((scope) => !oauth.scopes.includes(scope)));
  if (missing.size === 0) return;
  const asked = scopes.filter((scope) => missing.has(scope) || oauth.scopes.includes(scope)).join(' ');
  const detail = `The client was not allowed ${[...missing].join(' and ')}. It has to ask for it.`;
  throw new AppError(403, 'insufficient_scope', detail, {
    headers: {
      'www-authenticate':
        `Bearer error="insufficient_scope", scope="${asked}", resource_metadata="${metadataUrl()}", ` +
        `error_description="${detail}"`,
    },
  });
}
