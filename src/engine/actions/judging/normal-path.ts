const mostEscaped = 3;

/** `%2e%2e/` is taken for `../` by whoever reads an address; escaped several times, too. */
function plainPath(path: string): string {
  let plain = path;
  for (let at = 0; at < mostEscaped && /%(?:2e|2f|5c|25|7e|00)/i.test(plain); at++)
    plain = plain.replaceAll(/%(2e|2f|5c|25|7e|00)/gi, (_, code: string) =>
      String.fromCharCode(Number.parseInt(code, 16)),
    );
  return plain;
}

/** Resolves `..` and `.`, so that `/srv/data/../etc` is not below `/srv/data`. */
export function normalPath(path: string): string {
  const parts: string[] = [];
  for (const part of plainPath(path).trim().toLowerCase().replaceAll('\\', '/').split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '.' && part !== '') parts.push(part);
  }
  return (/^[/\\]/.test(path.trim()) ? '/' : '') + parts.join('/');
}
