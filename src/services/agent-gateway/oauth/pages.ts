/** What a person sees between a client's request and its answer; it works without JavaScript. */
import { html, page, type Page } from './page-frame.ts';
import { scopeWords, type Scope } from './scopes.ts';

/** The client as the person should know it. */
export interface ShownClient {
  readonly name: string;
  /** Who vouches for the name: the host of its document; undefined where nobody does. */
  readonly voucher: string | undefined;
  /** Where the person is sent back to. */
  readonly redirectPlace: string;
  /** For the browser: the origin or the scheme of that place. */
  readonly redirectTarget: string;
  readonly onThisMachine: boolean;
  /** Whether it may come back without the person, and for how long. */
  readonly staysForDays: number | undefined;
}

interface FormPlace {
  /** Of the request that is answered. */
  readonly action: string;
  /** Proves that the form is ours. */
  readonly csrf: string;
}

const errorBox = (error: string | undefined) =>
  error === undefined ? undefined : html`<p class="error" role="alert">${error}</p>`;

export interface SignInView extends FormPlace {
  readonly clientName: string;
  readonly username: string;
  readonly error: string | undefined;
  /** The host of the issuer that people may sign in at. */
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

/** What a person can do where nothing else can be shown. */
export const failurePage = (detail: string, status: number): Page =>
  page(
    'This did not work',
    html`<h1>This did not work</h1>
      <p class="error" role="alert">${detail}</p>
      <p class="soft">Go back to the program that sent you here and connect again.</p>`,
    status,
  );
