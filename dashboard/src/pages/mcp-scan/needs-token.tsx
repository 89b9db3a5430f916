import { useState } from 'react';
import { mcpScan, scanKey, type Scan } from '../../api/mcp-scan.ts';
import { Facts } from '../../parts/facts.tsx';
import { TextField } from '../../parts/field.tsx';
import { Form } from '../../parts/form.tsx';
import { Panel } from '../../parts/page.tsx';

/** A scan whose server wants a token: where to get one, and a field for it. */
export function NeedsToken({ scan }: { scan: Scan }) {
  const [token, setToken] = useState('');
  const oauth = scan.oauth_metadata;
  return (
    <div className="grid max-w-3xl gap-6">
      <Panel
        title="The server wants an access token"
        note="The scan goes on with it. It is kept encrypted, and deleted when the scan has ended."
      >
        <Form
          action="Go on"
          ready={token.trim() !== ''}
          run={() =>
            mcpScan.authenticateScan({
              params: { scan_id: scan.id },
              headers: { 'X-MCP-Auth-Token': token.trim() },
            })
          }
          changes={scanKey}
        >
          <TextField
            label="Access token"
            type="password"
            autoComplete="off"
            value={token}
            onChange={({ target }) => setToken(target.value)}
            {...(scan.error_message !== null && { error: scan.error_message })}
          />
        </Form>
      </Panel>
      {oauth !== null && (
        <Panel title="Where to get one" note="As the server says; nothing of it has been checked.">
          <Facts
            facts={[
              ['Server', oauth.server_url],
              ['Authorization server', oauth.authorization_server?.issuer ?? 'it names none'],
              ['Sign-in', oauth.authorization_server?.authorization_endpoint ?? '–'],
              ['Scopes', oauth.scopes_required.join(' ') || oauth.scopes_supported.join(' ') || '–'],
              ...oauth.errors.map((error): [string, string] => ['Problem', error]),
            ]}
          />
        </Panel>
      )}
    </div>
  );
}
