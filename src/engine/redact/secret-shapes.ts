/** Patterns of keys, tokens and passwords, by their format or the words before them. */
import { matchesSome, type Shape } from './finding.ts';

const secret = (type: string, shape: RegExp, check?: Shape['check']): Shape => ({
  kind: 'secret',
  type,
  shape,
  ...(check && { check }),
});

/** Placeholders that are not secrets. */
const placeholder =
  /^(?:<.*|\[.*|\{\{.*|\$[\w{(].*|%\w+%|x{3,}|\*{3,}|\.{3,}|•+|your[_-].*|my[_-].*|example.*|placeholder.*|redacted|none|null|undefined|true|false|string|process\.env.*|os\.environ.*|env\..*)$/i;

const isReal = (value: string) => !placeholder.test(value);

/** Bits for each character, by how often each occurs. */
function entropyOf(text: string): number {
  const counts = new Map<string, number>();
  for (const sign of text) counts.set(sign, (counts.get(sign) ?? 0) + 1);
  return [...counts.values()].reduce(
    (sum, count) => sum - (count / text.length) * Math.log2(count / text.length),
    0,
  );
}

const isRandom = (value: string) =>
  isReal(value) && /\d/.test(value) && /[a-z]/i.test(value) && entropyOf(value) >= 3.2;

/** Keys that are recognised by their form alone. */
export const keyShapes: readonly Shape[] = [
  secret('anthropic_key', /\bsk-ant-[\w-]{16,200}/dg),
  secret('openai_key', /\bsk-[\w-]{16,200}/dg),
  secret('aws_access_key', /\b(?:AKIA|ASIA|AGPA|AIDA|AROA)[A-Z0-9]{16}\b/dg),
  secret('github_token', /\b(?:gh[pousr]_[A-Za-z0-9]{20,255}|github_pat_\w{20,255})/dg),
  secret('gitlab_token', /\bgl(?:pat|dt|rt|cbt|ptt|ft|soat)-[\w-]{20,100}/dg),
  secret('slack_token', /\bxox[abeoprs]-[A-Za-z0-9-]{10,200}|\bxapp-\d-[A-Za-z0-9-]{10,200}/dg),
  secret('slack_webhook', /https:\/\/hooks\.slack\.com\/services\/[\w/]{20,100}/dg),
  secret('google_key', /\bAIza[\w-]{30,60}|\bGOCSPX-[\w-]{20,60}|\bya29\.[\w-]{20,500}/dg),
  secret('stripe_key', /\b(?:sk|pk|rk)_(?:live|test)_\w{10,200}|\bwhsec_\w{16,100}/dg),
  secret('npm_token', /\bnpm_[A-Za-z0-9]{36}\b/dg),
  secret('pypi_token', /\bpypi-AgE[\w-]{50,400}/dg),
  secret('huggingface_token', /\bhf_[A-Za-z]{30,50}\b/dg),
  secret('sendgrid_key', /\bSG\.[\w-]{16,64}\.[\w-]{16,100}/dg),
  secret('mailgun_key', /\bkey-[0-9a-f]{32}\b/dg),
  secret('twilio_key', /\b(?:SK|AC)[0-9a-f]{32}\b/dg),
  secret('digitalocean_token', /\bdo[opr]_v1_[0-9a-f]{64}\b/dg),
  secret('shopify_token', /\bshp(?:at|ca|pa|ss)_[0-9a-fA-F]{32}\b/dg),
  secret('databricks_token', /\bdapi[0-9a-f]{32}\b/dg),
  secret('telegram_token', /\b\d{8,10}:AA[\w-]{33}\b/dg),
  secret('discord_token', /\b[MNO][\w-]{23,27}\.[\w-]{6}\.[\w-]{27,40}\b/dg),
  secret('bulwark_key', /\bblwk_[\w-]{43}\b/dg),
  secret('azure_key', /\b(?:AccountKey|SharedAccessKey)=(?<value>[A-Za-z0-9+/]{40,100}={0,2})/dg),
  secret(
    'private_key',
    /-----BEGIN [A-Z ]{0,30}PRIVATE KEY(?: BLOCK)?-----(?:(?:\s|\\[nr]){0,4}[A-Za-z-]{1,20}: [^\n\\]{1,100}){0,3}(?:\\n|\\r|[A-Za-z0-9+/=\s]){0,12000}(?:-----END [A-Z ]{0,30}PRIVATE KEY(?: BLOCK)?-----)?/dg,
  ),
  secret('jwt', /(?<![\w-])eyJ[\w-]{10,4000}\.(?:eyJ)?[\w-]{5,6000}(?:\.[\w-]{0,2000})?/dg),
  secret(
    'connection_password',
    /\b[a-z][a-z0-9+]{1,15}:\/\/[^\s/:@'"]{0,100}:(?<value>[^\s/@'"]{3,100})@/dg,
    isReal,
  ),
];

const shortestPiece = 12;
const inPiece = Uint8Array.from({ length: 128 }, (_, unit) =>
  /[\w+/=-]/.test(String.fromCharCode(unit)) ? 1 : 0,
);

/** Whether so many letters, digits and signs of keys stand in a row: by counting, which is much faster than a pattern. */
function hasLongPiece(text: string): boolean {
  let count = 0;
  for (let at = 0; at < text.length; at++) {
    count = inPiece[text.charCodeAt(at)] === 1 ? count + 1 : 0;
    if (count === shortestPiece) return true;
  }
  return false;
}

/**
 * What the shapes above have in them, each one of the three: without that no text has such a key, and one look tells.
 * Running text and names hardly ever have so long a piece without a blank.
 */
const pieces: readonly ((text: string) => boolean)[] = [
  hasLongPiece,
  (text) => text.includes('://'),
  (text) => text.includes('-----BEGIN'),
];
const pieceOf: Readonly<Record<string, number>> = {
  slack_webhook: 1,
  connection_password: 1,
  private_key: 2,
};

/** For each set of pieces, as bits, the shapes that a text with these may have. */
const shapesBy: readonly (readonly Shape[])[] = Array.from({ length: 1 << pieces.length }, (_, bits) =>
  keyShapes.filter(({ type }) => (bits & (1 << (pieceOf[type] ?? 0))) !== 0),
);

/** Those of the shapes that the text may have: nearly always none. */
export function keyShapesFor(text: string): readonly Shape[] {
  let bits = 0;
  pieces.forEach((piece, at) => {
    if (piece(text)) bits |= 1 << at;
  });
  return shapesBy[bits] ?? keyShapes;
}

const label =
  'pass(?:word|wd|code|phrase)|pwd|secret(?:[ _-]?(?:access[ _-]?)?key)?|api[ _-]?(?:key|token|secret)|access[ _-]?(?:key|token)|auth[ _-]?token|private[ _-]?key|client[ _-]?secret|refresh[ _-]?token|encryption[ _-]?key|signing[ _-]?key|token|bearer|credentials?|contraseña|passwort|kennwort|mot de passe';

/** A word for a secret, and what stands after it. */
const labelled = new RegExp(
  `(?:\\b|_)(?:${label})["']?\\s{0,3}(?<verb>(?:is|are|was|as|lautet|ist|est|es)\\b)?\\s{0,3}(?<link>=>|:=|=|:)?\\s{0,3}(?<quote>["'\`]?)(?<value>[^\\s"'\`,;]{3,200})`,
  'dgi',
);

const plainAfterLabel =
  /^(?:is|the|for|has|was|and|or|to|of|in|on|not|no|must|should|reset|policy|manager|change|changed|your|my|our|their|his|her|field|required|expired|a|an|it|that|this|which|with|from|by|at|be|can|will|would|please|again|here|there|correct|incorrect|wrong|invalid|valid|missing|leaked|stolen|safe|secure|weak|strong|forgotten|protected|hashed|encrypted|based|count|counts|limit|limits|length|budget|usage|auth|authentication|type)[.!?)]*$/i;

/**
 * Values after words such as `password`. With `=` or `:` nearly anything is one; without, only what no word looks
 * like. Linear in the text's length.
 */
export function* labelledSecrets(text: string): Generator<{ start: number; end: number }> {
  if (!matchesSome(labelled, text)) return;
  for (const match of text.matchAll(labelled)) {
    const value = (match.groups?.['value'] ?? '').replace(/[.?)\]}>]+$/, '');
    const start = match.indices?.groups?.['value']?.[0] ?? 0;
    if (isSecretAfter(match.groups ?? {}, value)) yield { start, end: start + value.length };
  }
}

function isSecretAfter({ verb, link, quote }: Record<string, string | undefined>, value: string): boolean {
  if (value.length < 3 || plainAfterLabel.test(value) || !isReal(value)) return false;
  if (link !== undefined) return value.length >= 4 || quote !== '';
  const hasSigns = /\d/.test(value) || /[!@#$%^&*_+~-]/.test(value.slice(1, -1));
  return hasSigns && (verb !== undefined || isRandom(value));
}

/** Long random texts after a word for a key, a few words apart. */
export const randomTokens: Shape = {
  kind: 'secret',
  type: 'random_token',
  shape: /(?<![\w+/=-])[A-Za-z0-9][\w+/=-]{19,200}(?![\w+/=-])/dg,
  check: (value) =>
    isRandom(value) && entropyOf(value) >= 3.5 && !/^[a-z]+(?:[-_][a-z]+)*[-_]?\d{0,4}$/i.test(value),
  after:
    /\b(?:key|token|secret|password|passwd|credential|bearer|authorization|auth|hmac|signature|cookie|session)s?\b/i,
};
