/** Legacy sessions with one call each, left open by their clients. */
export async function abandonSessions(
  target: { readonly url: string; readonly key: string; readonly tool: string },
  count: number,
): Promise<void> {
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'x-api-key': target.key,
  };
  for (let i = 0; i < count; i += 1) {
    const params = {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 'bench', version: '1' },
    };
    const begun = await fetch(target.url, {
      method: 'POST',
      headers,
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params }),
    });
    await begun.text();
    const session = { 'mcp-session-id': begun.headers.get('mcp-session-id') ?? '' };
    const call = { name: target.tool, arguments: { message: `${i} ${'x'.repeat(200)}` } };
    const answer = await fetch(target.url, {
      method: 'POST',
      headers: { ...headers, ...session },
      body: JSON.stringify({ jsonrpc: '2.0', id: 2, method: 'tools/call', params: call }),
    });
    await answer.text();
  }
}
