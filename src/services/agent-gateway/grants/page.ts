/** The pages that a person sees on the way back from an authorization server. */
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
  /** Where the person signed in, and where the code goes. */
  readonly authorizationEndpoint: string;
  readonly tokenEndpoint: string;
  /** What came with the person, to be sent back with their word. */
  readonly parameters: Iterable<readonly [string, string]>;
}

const hostOf = (url: string) => (URL.canParse(url) ? new URL(url).host : url);

/**
 * Asks the person, who has just consented elsewhere, whether they began this here: somebody else may have sent them an
 * address that ends with their account in that one's hands.
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
