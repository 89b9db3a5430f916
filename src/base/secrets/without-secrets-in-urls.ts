const blackedOut = '[redacted]';

/**
 * A password in a URL, up to the last `@` before the host ends: people leave `@` in passwords unescaped. Every
 * repetition is bounded, so matching is linear in the text's length. `\\.` is a JSON escape.
 */
const passwordInUrl =
  /\b([a-z][a-z\d+.-]{0,30}:\/\/(?:\\.|[^\s/?#:@'"<>\\]){0,200}:)(?:\\.|[^\s/?#'"<>\\]){1,500}@/gi;

const secretInQuery =
  /([?&;](?:[\w-]{0,40}[_-])?(?:password|passwd|pwd|sslpassword|secret|token|api[_-]?key|apikey|signature|sig)=)[^\s&;#'"<>\\]{1,2000}/gi;

/**
 * Redacts passwords in URLs, such as `postgres://user:[redacted]@host`, and the values of
 * query parameters with secret-like names.
 */
export function withoutSecretsInUrls(text: string): string {
  if (!text.includes('://') && !text.includes('=')) return text;
  return text.replaceAll(passwordInUrl, `$1${blackedOut}@`).replaceAll(secretInQuery, `$1${blackedOut}`);
}
