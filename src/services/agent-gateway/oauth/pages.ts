/** Pages of the user interaction; they work without JavaScript. */
import { html, page, type Page } from './page-frame.ts';
import { scopeWords, type Scope } from './scopes.ts';

/** The client as shown to the user. */
export interface ShownClient {
  readonly name: string;
  /** The host that vouches for the client's name: that of its metadata document; undefined if there is none. */
  readonly voucher: string | undefined;
  /** Where the user is redirected to. */
  readonly redirectPlace: string;
  /** The same for the content security policy: an origin or URI scheme. */
  readonly redirectTarget: string;
  readonly onThisMachine: boolean;
  /** Whether the client may refresh its access without the user, and for how long. */
  readonly staysForDays: number | undefined;
}

interface FormPlace {
  /** The request that is answered. */
  readonly action: string;
  /** CSRF token of the form. */
  readonly csrf: string;
}

const errorBox = (error: string | undefined) =>
  error === undefined ? undefined : html`<p class="error" role="alert">${error}</p>`;

export interface SignInView extends FormPlace {
  readonly clientName: string;
  readonly username: string;
  readonly error: string | undefined;
  /** Host of the issuer that users can sign in at. */
  readonly issuerHost: string | undefined;
}

export function signInPage(view: SignInView, status = 200): Page {
  const { action, csrf, clientName, username, error, issuerHost } = view;
  const other =
    issuerHost === undefined
      ? undefined
      : html`<p class="soft">or</p>
          <a class="button" href="${action}/issuer">Sign in with ${issuerHost}</a>`;
  const title = 'Sign in';
  return page(
    title,
    html`<h1>Sign in</h1>
      <p>${clientName} asks for access to a gateway. Sign in to see what it asks for.</p>
      ${errorBox(error)}
      <form method="post" action="${action}/sign-in">
        <input type="hidden" name="csrf" value="${csrf}" />
        <label for="username">Username</label>
        <input
          type="text"
          id="username"
          name="username"
          value="${username}"
          autocomplete="username"
          autocapitalize="none"
          spellcheck="false"
          required
          maxlength="255"
        />
        <label for="password">Password</label>
        <input
          type="password"
          id="password"
          name="password"
          autocomplete="current-password"
          required
          maxlength="1024"
        />
        <button class="first" type="submit">Sign in</button>
      </form>
      ${other}`,
    status,
  );
}

export interface ConsentView extends FormPlace {
  readonly client: ShownClient;
  readonly gatewayName: string;
  readonly username: string;
  readonly scopes: readonly Scope[];
  readonly error: string | undefined;
}

const scopeBox = (scope: Scope) =>
  html`<label class="scope">
    <input type="checkbox" name="scope" value="${scope}" checked />
    <span><b>${scopeWords[scope].title}</b><span class="soft">${scopeWords[scope].detail}</span></span>
  </label>`;

const vouching = ({ voucher }: ShownClient) =>
  voucher === undefined
    ? html`<dd>Nobody: it registered itself under this name</dd>`
    : html`<dd>${voucher}</dd>`;

const returnPlace = ({ redirectPlace, onThisMachine }: ShownClient) =>
  onThisMachine
    ? html`<dd>${redirectPlace} <span class="soft">(a program on this computer)</span></dd>`
    : html`<dd>${redirectPlace}</dd>`;

const staying = ({ staysForDays }: ShownClient) =>
  staysForDays === undefined
    ? html`<p class="soft">The access ends after ten minutes.</p>`
    : html`<p class="soft">
        It keeps the access while it is in use, for at most ${String(staysForDays)} days. You can end it at
        any time.
      </p>`;

export function consentPage(view: ConsentView, status = 200): Page {
  const { action, csrf, client, gatewayName, username, scopes, error } = view;
  const title = `Allow ${client.name}?`;
  return page(
    title,
    html`<h1>Allow “${client.name}” to use the gateway “${gatewayName}”?</h1>
      <p>Only allow this if you have just asked this client to connect.</p>
      ${errorBox(error)}
      <dl>
        <div>
          <dt>Who vouches for its name</dt>
          ${vouching(client)}
        </div>
        <div>
          <dt>You are sent back to</dt>
          ${returnPlace(client)}
        </div>
        <div>
          <dt>It acts as</dt>
          <dd>${username}</dd>
        </div>
      </dl>
      <form method="post" action="${action}/consent">
        <input type="hidden" name="csrf" value="${csrf}" />
        <fieldset>
          <legend>It may, within the rules of the gateway:</legend>
          ${scopes.map(scopeBox)}
        </fieldset>
        ${staying(client)}
        <div class="actions">
          <button type="submit" name="decision" value="deny">Refuse</button>
          <button class="first" type="submit" name="decision" value="allow">Allow</button>
        </div>
      </form>
      <form method="post" action="${action}/switch">
        <input type="hidden" name="csrf" value="${csrf}" />
        <button class="link" type="submit">Use another account</button>
      </form>`,
    status,
    client.redirectTarget,
  );
}

/** An error page that tells the user what to do. */
export const failurePage = (detail: string, status: number): Page =>
  page(
    'This did not work',
    html`<h1>This did not work</h1>
      <p class="error" role="alert">${detail}</p>
      <p class="soft">Go back to the program that sent you here and connect again.</p>`,
    status,
  );
