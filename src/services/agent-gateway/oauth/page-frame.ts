/** Layout of sign-in and consent pages: escaped HTML, one style sheet, strict security headers. */
import { hash } from 'node:crypto';

/** Text that is already HTML. */
export class Html {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

const escaped = (text: string) => text.replace(/[&<>"']/g, (sign) => entities[sign] ?? sign);

type Part = string | Html | undefined | readonly Html[];

function written(part: Part): string {
  if (part === undefined) return '';
  if (part instanceof Html) return part.text;
  return typeof part === 'string' ? escaped(part) : part.map(({ text }) => text).join('');
}

/** Template tag: values are escaped unless they are {@link Html}. */
export const html = (texts: TemplateStringsArray, ...parts: readonly Part[]): Html =>
  new Html(texts.map((text, i) => text + written(parts[i])).join(''));

const style = `
:root{color-scheme:light dark;--ground:#f7f8fb;--panel:#fff;--line:#d9dce5;--ink:#171a26;--soft:#545a6d;--accent:#4a3fd6;
--accent-ink:#fff;--raised:#eff0f6;--flag:#b3261e;--flag-soft:#fdecea}
@media (prefers-color-scheme:dark){:root{--ground:#0f1118;--panel:#171a23;--line:#333847;--ink:#eceef4;--soft:#aeb4c4;
--accent:#aaa4ff;--accent-ink:#14122e;--raised:#20242f;--flag:#ff9a92;--flag-soft:#3a1c1b}}
*{box-sizing:border-box}
body{margin:0;min-height:100vh;display:grid;place-items:center;padding:1.5rem 1rem;background:var(--ground);color:var(--ink);
font:1rem/1.5 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif}
main{width:100%;max-width:27rem;background:var(--panel);border:1px solid var(--line);border-radius:14px;padding:1.75rem}
.brand{margin:0 0 1.25rem;font-weight:600;color:var(--soft);font-size:.875rem}
h1{font-size:1.3rem;line-height:1.3;margin:0 0 .75rem;overflow-wrap:anywhere}
p{margin:.5rem 0}.soft{color:var(--soft);font-size:.9rem}
dl{margin:1.25rem 0;padding:.9rem 1rem;background:var(--raised);border-radius:10px;display:grid;gap:.6rem}
dt{color:var(--soft);font-size:.8rem}dd{margin:0;overflow-wrap:anywhere;font-weight:550}
label{display:block;font-weight:550;margin:1rem 0 .3rem}
input[type=text],input[type=password]{width:100%;padding:.65rem .75rem;font:inherit;color:inherit;background:var(--ground);
border:1px solid var(--line);border-radius:9px}
fieldset{border:0;margin:1.25rem 0;padding:0}legend{font-weight:600;padding:0;margin-bottom:.25rem}
.scope{display:grid;grid-template-columns:auto 1fr;gap:0 .7rem;align-items:start;margin:.6rem 0;font-weight:400}
.scope input{width:1.15rem;height:1.15rem;margin:.2rem 0 0;accent-color:var(--accent)}
.scope b{display:block;font-weight:550}
.actions{display:grid;grid-template-columns:1fr 1fr;gap:.75rem;margin-top:1.5rem}
button,.button{display:block;width:100%;padding:.7rem 1rem;font:inherit;font-weight:600;text-align:center;text-decoration:none;
border-radius:9px;border:1px solid var(--line);background:var(--panel);color:var(--ink);cursor:pointer}
.first{background:var(--accent);border-color:var(--accent);color:var(--accent-ink)}
form>.first{margin-top:1.5rem}
.link{border:0;background:none;padding:.4rem;color:var(--accent);font-weight:500;margin-top:.75rem}
.error{background:var(--flag-soft);color:var(--flag);border-radius:9px;padding:.7rem .9rem;margin:1rem 0}
:focus-visible{outline:3px solid var(--accent);outline-offset:2px}
`;

/** Must match the hash in the content security policy below. */
const styleTag = new Html(`<style>${style}</style>`);
const styleHash = hash('sha256', style, 'base64');

/**
 * No external resources, no scripts, no framing; forms may submit only to us and be redirected only to `formTarget`.
 */
const policyFor = (formTarget: string | undefined) =>
  `default-src 'none'; style-src 'sha256-${styleHash}'; base-uri 'none'; frame-ancestors 'none'; ` +
  `form-action 'self'${formTarget === undefined ? '' : ` ${formTarget}`}`;

export interface Page {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/**
 * A complete page.
 * @param formTarget an origin or URI scheme, besides our own origin, that the form's submission may redirect to
 */
export function page(title: string, content: Html, status = 200, formTarget?: string): Page {
  const { text } = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <title>${title} · Bulwark</title>
        ${styleTag}
      </head>
      <body>
        <main>
          <p class="brand">Bulwark agent gateway</p>
          ${content}
        </main>
      </body>
    </html> `;
  return {
    status,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': policyFor(formTarget),
      // With `no-referrer`, browsers would not send the Origin header with our own forms either.
      'referrer-policy': 'same-origin',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
      'permissions-policy': 'publickey-credentials-get=()',
    },
    body: text,
  };
}
