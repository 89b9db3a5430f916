/** Pages that users see when they return from an authorization server. */
import { html, page, type Page } from '../oauth/page-frame.ts';

export const messagePage = (title: string, text: string, status = 200): Page =>
  page(
    title,
    html`<h1>${title}</h1>
      <p>${text}</p>`,
    status,
  );

export interface Confirmation {
  readonly action: string;
  readonly serverName: string;
  readonly serverUrl: string;
  readonly username: string;
  readonly tenantName: string;
  /** Where the user signed in, and which server receives the code. */
  readonly authorizationEndpoint: string;
  readonly tokenEndpoint: string;
  /** The parameters of the authorization response, to be sent back when the user confirms. */
  readonly parameters: Iterable<readonly [string, string]>;
}

const hostOf = (url: string) => (URL.canParse(url) ? new URL(url).host : url);

/**
 * Asks a user who has just consented elsewhere whether they started it here. Otherwise an attacker could send a user a
 * link that connects the user's account to the attacker's server.
 */
export function confirmationPage(facts: Confirmation): Page {
  const from = hostOf(facts.authorizationEndpoint);
  const to = hostOf(facts.tokenEndpoint);
  const rows: readonly (readonly [string, string])[] = [
    ['MCP server', `${facts.serverName} (${facts.serverUrl})`],
    ['Signed in at', from],
    ...(from === to ? [] : ([['Token from', to]] as const)),
    ['For', `${facts.username}, tenant ${facts.tenantName}`],
  ];
  const list = rows.map(
    ([term, value]) =>
      html`<div>
        <dt>${term}</dt>
        <dd>${value}</dd>
      </div>`,
  );
  const hidden = [...facts.parameters].map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`,
  );
  return page(
    'Connect this MCP server?',
    html`<h1>Connect this MCP server?</h1>
      <p>
        The gateway will use your account there for calls to this server. Go on only if you began this
        yourself.
      </p>
      <dl>${list}</dl>
      <form method="post" action="${facts.action}">
        ${hidden}
        <div class="actions">
          <button name="confirm" value="no">Cancel</button>
          <button class="first" name="confirm" value="yes">Connect</button>
        </div>
      </form>`,
  );
}
