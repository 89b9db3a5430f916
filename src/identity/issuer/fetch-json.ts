const timeoutMs = 5000;
const limitBytes = 1024 * 1024;

async function readLimited(response: Response): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length;
    if (bytes > limitBytes) throw new Error(`${response.url} answered more than ${limitBytes} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/**
 * A JSON document of the issuer. The address is the operator's choice, so a private one is fine; an answer that
 * sends us elsewhere, is endless, or takes more than 5 seconds is not.
 */
export async function fetchJson(url: string): Promise<Record<string, unknown>> {
  const response = await fetch(url, {
    headers: { accept: 'application/json' },
    redirect: 'error',
    signal: AbortSignal.timeout(timeoutMs),
  });
  if (!response.ok) {
    await response.body?.cancel();
    throw new Error(`${url} answered ${response.status}`);
  }
  const document: unknown = JSON.parse(new TextDecoder().decode(await readLimited(response)));
  if (typeof document !== 'object' || document === null || Array.isArray(document))
    throw new Error(`${url} answered no JSON object`);
  return document as Record<string, unknown>;
}
