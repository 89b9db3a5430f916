import { lintSource } from '@secretlint/core';
import { secretLintProfiler } from '@secretlint/profiler';
import { creator } from '@secretlint/secretlint-rule-preset-recommend';
import type { Argument, Expression } from '../form/form.ts';
import type { SourceModule } from '../modules.ts';
import { FormWalk } from '../patterns/walk.ts';

/** Where a secret stands. */
export interface SecretHit {
  at: number;
  end: number;
  /** What it is: `GitHub token`, or the name it has in the code. */
  what: string;
  /** A format that only such secrets have. */
  isCertain: boolean;
}

// It makes two marks for each rule and file, and Node keeps them all: a million after 9 MB of source.
secretLintProfiler.setEnabled(false);

const options = {
  config: {
    rules: [{ id: '@secretlint/secretlint-rule-preset-recommend', rule: creator, options: {} }],
  },
  noPhysicFilePath: true,
};

/** Formats that the library's rules leave out or want more context for. */
const formats: readonly (readonly [what: string, pattern: RegExp])[] = [
  ['Anthropic key', /\bsk-ant-[a-z0-9]{2,8}-[\w-]{20,}/g],
  ['OpenAI key', /\bsk-(?:proj-|svcacct-)?[A-Za-z0-9]{20}T?[\w-]{8,}/g],
  ['Google key', /\bAIza[\w-]{35}/g],
  ['AWS access key', /\bA(?:KIA|SIA)[0-9A-Z]{16}\b/g],
  ['GitHub token', /\bgh[pousr]_[A-Za-z0-9]{36}\b/g],
  ['private key', /-----BEGIN (?:RSA |EC |OPENSSH |DSA )?PRIVATE KEY-----(?=[\s\\nr]*[A-Za-z0-9+/]{40})/g],
];

const secretName =
  /(?:^|_)(?:pass(?:word|wd|phrase)?|pwd|secret|api_?key|access_?key|private_?key|auth_?token|api_?token|access_?token|token|bearer|credentials?)$|(?:password|secret|token|apikey|accesskey|privatekey|secretkey|passphrase)$|(?:^|_)(?:secret|jwt|signing|encryption|session|issuer|issuing|hmac|master|admin|root|service|fallback|default|webhook|hook|cookie|license)_?key$/i;
/** Keys of other kinds are as often names of what is stored: their values must look as if drawn by lot. */
const otherKey =
  /(?:^|_)(?:app|join|escrow|token|client|device|network|backup|shared|cluster|vault|deploy|ingest|partner|tenant|kiosk|mac|aes|cipher|crypto|subscription|team|integration|push|write|read|upload)_?key$/i;
const fewestDigits = 3;
const shortestDrawn = 20;

const looksDrawn = (text: string): boolean =>
  text.length >= shortestDrawn &&
  (text.match(/[0-9]/g)?.length ?? 0) >= fewestDigits &&
  /^(?:[a-z]{2,8}_)*[A-Za-z0-9+/=]+$/.test(text);

const otherName =
  /(?:url|uri|endpoint|path|file|name|field|header|param|label|type|prefix|env|var|id|placeholder|message|error|regex|pattern|count|limit|length|max|min|title|description|help|prompt)s?$/i;

const placeholder =
  /^(?:<.*>|\$\{.*\}|\{\{.*\}\}|%.*%|\*+|x+|\.+)$|your|example|sample|placeholder|changeme$|change[-_]?me$|dummy|fake|mock|test|xxx|insert|replace|todo|redacted|undefined|secret$|^password|password$|token$|^none$|^null$|\.\.\.|<|>|^process\.env|^env[.:]|^bearer$|^basic$|default$|foobar|12345|abcde/i;

/** Bits of information in each letter, by how often letters come. */
function entropyOf(text: string): number {
  const counts = new Map<string, number>();
  for (const letter of text) counts.set(letter, (counts.get(letter) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values()) bits -= (count / text.length) * Math.log2(count / text.length);
  return bits;
}

const kinds = [/[a-z]/, /[A-Z]/, /[0-9]/, /[^a-zA-Z0-9]/];

/** Words, names in capitals and in camel case. */
const words = /^[a-z]+(?:[-_. :/][a-z]+)*$|^[a-z]+(?:[A-Z][a-z]+)*$|^[A-Z][A-Za-z]*(?:[-_. :/][A-Za-z]+)*$/;
const places =
  /^(?:https?:|\/|\.|[a-z]+:\/\/|@)|^[\w.-]+\.(?:json|ya?ml|pem|key|txt|env|com|org|io|ts|js|py)$/i;

/** Whether a text could be what a person or a machine chose as a secret: not a word, a name, a sentence or a path. */
function looksSecret(text: string): boolean {
  // Secrets are made of what every keyboard has: other letters are those of a sentence.
  if (text.length < 8 || text.length > 300 || /[^\u0020-\u007e]/.test(text)) return false;
  if ([/\s/, placeholder, places, words].some((pattern) => pattern.test(text))) return false;
  const varied = kinds.filter((kind) => kind.test(text)).length;
  return entropyOf(text) >= 3 && varied >= (text.length >= 16 ? 2 : 3);
}

const credentialsInUrl = /\b[a-z][a-z0-9+]*:\/\/[^\s:/@'"`${}<]+:([^\s:/@'"`${}<]{6,})@(?!localhost|127\.)/gi;

/** What an address with credentials has behind its scheme, which may begin at any letter: looked for first. */
const credentialsBehindScheme = /:\/\/[^\s:/@'"`${}<]+:[^\s:/@'"`${}<]{6,}@/;

/** Arguments that are secrets by their place: the key of a signature. */
const keyArgument: readonly (readonly [RegExp, number])[] = [
  [/(?:^|\.)(?:jwt|jsonwebtoken)\.(?:sign|verify|encode|decode)$/, 1],
  [/(?:^|\.)createHmac$/, 1],
  [/(?:^|\.)create(?:C|Dec)ipheriv$/, 1],
  [/(?:^|\.)(?:Fernet|hmac\.new)$/, 0],
];

/** The password of a user, behind the name: what it is given must look like one. */
const passwordArgument =
  /(?:^|\.)(?:auth\.basic|basic_?[aA]uth|HTTPBasicAuth|BasicAuth|SetBasicAuth|BasicAuthentication|login|UsernamePasswordCredentials|PlainTextAuthProvider)$/;

/** `z.string().default('…')`, `Field("…")`, `field(default="…")`: what counts where nothing is set. */
const presets = /(?:^|\.)(?:default|prefault|catch|Field|field|mapped_column|config)$/;

/** `Bearer …` with the token in it. */
const signsIn = /^(?:bearer|basic|token|apikey) (?=\S{16,200}$)/i;
const ofSignIn = /^(?:authorization|proxy-authorization|x-(?:[a-z]+-)*(?:key|token|secret))$/i;

/** Functions that read a setting, and give what is said last where there is none. */
const givesDefault = /env|(?:or|with)_?default|fallback|coalesce|^cmp\.Or$/i;

/** `flag.String("api-key", "something", …)`, `viper.SetDefault("db.password", "something")`: places of name and value. */
const declaresSetting: readonly (readonly [RegExp, number])[] = [
  [/\.(?:SetDefault|String|StringP)$/, 0],
  [/\.(?:StringVar|StringVarP)$/, 1],
];

const calleeText = (expression: Expression): string => {
  if (expression.is === 'name') return expression.name;
  return expression.is === 'member' ? `${calleeText(expression.object)}.${expression.property}` : '';
};

/** A setting that a call declares, with its default. */
function settingIn(
  callee: string,
  args: readonly Argument[],
): { name: string; value: Expression } | undefined {
  const at = declaresSetting.find(([pattern]) => pattern.test(callee))?.[1];
  if (at === undefined) return undefined;
  const setting = args[at]?.value;
  const value = args[at + (callee.endsWith('P') ? 2 : 1)]?.value;
  if (value === undefined || setting?.is !== 'literal') return undefined;
  return { name: String(setting.value).replaceAll(/[.-]/g, '_'), value };
}

/** Defaults in the tags of Go's structs: `Token string \`env:"TOKEN" envDefault:"…"\``. */
const tagged =
  /\b(\w{1,60})\s+string\s+`[^`\n]{0,200}?\b(?:envDefault|env-default|default):"([^"`\n]{1,200})"/g;

const textOf = (expression: Expression | undefined): string =>
  expression?.is === 'literal' && typeof expression.value === 'string' ? expression.value : '';

/** What `Buffer.from('…', 'hex')` and `'…'.encode()` are made of. */
const bytesOf = (value: Expression | undefined): Expression | undefined => {
  if (value?.is !== 'call' || value.callee.is !== 'member') return value;
  if (/^(?:encode|getBytes|as_bytes)$/.test(value.callee.property)) return value.callee.object;
  return value.callee.property === 'from' ? value.args[0]?.value : value;
};

const looksDrawnToken = (text: string): boolean => text.length >= 16 && looksSecret(text) && /\d/.test(text);

/** What a call gives where nothing is set: `env("SECRET", "something")`, `z.string().default("something")`. */
function presetOf({ callee, args }: Extract<Expression, { is: 'call' }>): Expression | undefined {
  const name = calleeText(callee);
  if (!presets.test(name)) return args.length > 1 && givesDefault.test(name) ? args.at(-1)?.value : undefined;
  const preset = args.find((each) => each.name === 'default') ?? args.find((each) => each.name === undefined);
  return preset?.value;
}

/** Values with telling names, and keys of signatures, that stand in the source as they are. */
function namedSecrets(module: SourceModule): SecretHit[] {
  const hits: SecretHit[] = [];
  const add = (value: Expression, what: string, looks = looksSecret) => {
    if (value.is === 'literal' && typeof value.value === 'string' && looks(value.value))
      hits.push({ at: value.at, end: value.end, what, isCertain: false });
    // `process.env.SECRET || 'something'` is what counts where nothing is set.
    else if (value.is === 'binary' && ['||', '??', 'or'].includes(value.operator))
      add(value.right, what, looks);
    else if (value.is === 'call') {
      const preset = presetOf(value);
      if (preset !== undefined) add(preset, what, looks);
    }
  };
  const addNamed = (name: string, value: Expression) => {
    addSignIn(name, value);
    const bare = name.replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2');
    if (secretName.test(bare) && !otherName.test(bare)) add(value, name);
    else if (otherKey.test(bare)) add(value, name, (text) => looksSecret(text) && looksDrawn(text));
  };
  /** `Authorization: "Bearer …"`, `auth=("user", "…")`. */
  const addSignIn = (name: string, value: Expression) => {
    const text = textOf(value);
    if (
      ofSignIn.test(name) &&
      (looksDrawnToken(text.replace(signsIn, '')) || (!signsIn.test(text) && looksSecret(text)))
    )
      hits.push({ at: value.at, end: value.end, what: name, isCertain: false });
    const pair = name === 'auth' && (value.is === 'list' || value.is === 'several') ? value.items : [];
    if (pair.length === 2 && pair[1] !== undefined) add(pair[1], 'password of a user');
  };
  if (module.grammar === 'go')
    for (const { index, 0: whole, 1: name = '', 2: value = '' } of module.text.matchAll(tagged)) {
      const end = index + whole.length;
      addNamed(name, { is: 'literal', value, at: end - value.length - 1, end });
    }
  new FormWalk({
    call: ({ callee, args }) => {
      const name = calleeText(callee);
      const setting = settingIn(name, args);
      if (setting !== undefined) addNamed(setting.name, setting.value);
      if (passwordArgument.test(name) && args[1] !== undefined) add(args[1].value, 'password of a user');
      for (const [pattern, at] of keyArgument) {
        const value = bytesOf(args[at]?.value);
        if (value !== undefined && textOf(value).length >= 8 && pattern.test(name))
          hits.push({ at: value.at, end: value.end, what: 'key of a signature', isCertain: false });
      }
    },
    entry: addNamed,
    // `headers['x-api-key'] !== '…'`
    binary: ({ operator, left, right }) => {
      if (!/^[!=]==?$/.test(operator)) return;
      const [asked, known] = left.is === 'literal' ? [right, left] : [left, right];
      const name =
        asked.is === 'index'
          ? textOf(asked.key)
          : textOf(asked.is === 'call' ? asked.args[0]?.value : undefined);
      if (ofSignIn.test(name) && looksSecret(textOf(known).replace(signsIn, '')))
        hits.push({ at: known.at, end: known.end, what: name, isCertain: false });
    },
    loop: () => undefined,
    fn: () => undefined,
  }).run(module.form.body);
  return hits;
}

function formatted(text: string): SecretHit[] {
  const hits: SecretHit[] = [];
  for (const [what, pattern] of formats)
    for (const match of text.matchAll(pattern))
      if (entropyOf(match[0]) > 3.2 && !/x{5}|example|your/i.test(match[0]))
        hits.push({ at: match.index, end: match.index + match[0].length, what, isCertain: true });
  return hits;
}

const ordinaryWord =
  /^(?:pass(?:word)?|secret|user|postgres|root|admin|guest|example|test|mysecretpassword)\d*$/i;

function inAddresses(text: string): SecretHit[] {
  if (!credentialsBehindScheme.test(text)) return [];
  const hits: SecretHit[] = [];
  for (const { index, 0: whole, 1: password = '' } of text.matchAll(credentialsInUrl))
    if ((!placeholder.test(password) || /\d/.test(password)) && !ordinaryWord.test(password))
      hits.push({ at: index, end: index + whole.length, what: 'password in an address', isCertain: false });
  return hits;
}

/** The library's own names of what it finds without certainty, or finds by another hit as well. */
const loose = /basicauth|database-connection|filter/;

/** The whole of a private key, of which its first line alone is what is told. */
const keyBlock =
  /-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----[^-]{0,20000}(?:-----END [A-Z ]{0,30}PRIVATE KEY-----)?/g;

const keyBlocks = (text: string): Pick<SecretHit, 'at' | 'end'>[] =>
  text.includes('PRIVATE KEY-----')
    ? [...text.matchAll(keyBlock)].map(({ index, 0: block }) => ({ at: index, end: index + block.length }))
    : [];

export interface FoundSecrets {
  /** Where several say the same place, the first one counts. */
  hits: SecretHit[];
  /** All of what must not be shown, more than what is told of. */
  spans: Pick<SecretHit, 'at' | 'end'>[];
}

/** Secrets that stand in the source. */
export async function findSecrets(module: SourceModule): Promise<FoundSecrets> {
  const found: SecretHit[] = [...formatted(module.text), ...inAddresses(module.text)];
  const { messages } = await lintSource({
    source: { filePath: module.path, content: module.text, ext: '', contentType: 'text' },
    options,
  });
  for (const { ruleId, range, messageId } of messages)
    if (!loose.test(ruleId) && !/x{5}|example/i.test(module.text.slice(range[0], range[1])))
      found.push({
        at: range[0],
        end: range[1],
        what: ruleId.replace(/^.*secretlint-rule-/, '') || messageId,
        isCertain: true,
      });
  found.push(...namedSecrets(module));
  const kept: SecretHit[] = [];
  for (const hit of found) if (!kept.some(({ at, end }) => hit.at < end && at < hit.end)) kept.push(hit);
  const spans = [...found, ...keyBlocks(module.text)].map(({ at, end }) => ({ at, end }));
  return { hits: kept, spans };
}
