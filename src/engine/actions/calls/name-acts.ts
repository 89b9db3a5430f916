/** What a tool does, by its name. */
import { nounSenses, verbSenses } from '../verbs.ts';
import { root } from '../words.ts';
import { readsAspect } from './aspect-names.ts';

const moneyNouns = new Set(
  [
    'money',
    'payment',
    'transaction',
    'transfer',
    'funds',
    'fund',
    'invoice',
    'payout',
    'fee',
    'crypto',
    'cryptocurrency',
    'bitcoin',
    'ethereum',
  ].map(root),
);
/** What is transferred is no money: a call to a human, a file, a repository. */
const handedOver = new Set(
  [
    'human',
    'agent',
    'agents',
    'call',
    'support',
    'file',
    'files',
    'repository',
    'repo',
    'ownership',
    'ticket',
    'data',
    'records',
    'document',
  ].map(root),
);
const mailNouns = new Set(['email', 'mail', 'message', 'sms', 'tweet', 'notification', 'post'].map(root));
const grantNouns = new Set(
  ['permission', 'role', 'privilege', 'member', 'admin', 'collaborator', 'access', 'acl'].map(root),
);
const invites = new Set(['invite', 'invitation'].map(root));
/** `add_user_to_group`. */
const joined = new Set(['group', 'team'].map(root));
const persons = new Set(['user', 'person', 'people', 'guest', 'employee', 'contractor', 'account'].map(root));
const givers = new Set(['give', 'provide', 'allow']);

/** Verbs that leave the act to the noun: `make_payment`, `process_refund`. */
const lightVerbs = new Set([
  'make',
  'do',
  'issue',
  'process',
  'perform',
  'create',
  'submit',
  'initiate',
  'execute',
  'place',
  'run',
  'trigger',
  'complete',
  'start',
]);

/** Senses of the first verb of a name; nouns such as `payment` only where no verb stands. */
export function sensesOfName(words: readonly string[]): Set<string> {
  if (readsAspect(words)) return new Set(['read']);
  const found = new Set<string>();
  const first = firstVerb(words);
  const addAll = (senses: readonly string[]) => senses.forEach((sense) => found.add(sense));
  addAll(verbSenses(first));
  words.forEach((word, index) => {
    const before = words[index - 1];
    if (before === 'and' || before === 'or') addAll(verbSenses(word));
  });
  const others = lightVerbs.has(first) ? words.filter((word) => word !== first) : [];
  for (const word of others) addAll([...nounSenses(word), ...(alsoNouns.has(word) ? verbSenses(word) : [])]);
  if (found.size === 0)
    for (const word of words) if (!isPlural(word) && !isBookPart(words, word)) addAll(nounSenses(word));
  return found;
}

const plainVerbs = new Set(
  'get set list read update create delete add remove send write fetch search'.split(' '),
);

/** The first verb; behind a thing (`smart_lock_set_state`) a plain one, where there is one. */
export function firstVerb(words: readonly string[]): string {
  const isVerb = (word: string) => verbSenses(word).length > 0 && !isNounUse(words, word) && !doers.has(word);
  const first = words.findIndex(isVerb);
  const plain = first > 0 ? words.slice(first + 1).find((word) => plainVerbs.has(word)) : undefined;
  return plain ?? words[first] ?? '';
}

/** Whoever or whatever does it: `browser_click`, `server_restart`. */
const doers = new Set(['browser', 'server', 'scanner', 'reader', 'sender', 'printer', 'container']);

const alsoNouns = new Set([
  'link',
  'pair',
  'order',
  'book',
  'charge',
  'bill',
  'record',
  'log',
  'count',
  'schedule',
  'access',
  'release',
  'post',
  'script',
  'list',
  'set',
  'view',
  'plan',
  'report',
  'check',
  'call',
  'type',
  'fill',
  'void',
  'contents',
  'content',
  'payout',
  'transfer',
  'deposit',
  'export',
  'import',
]);

/** Verbs where they begin a name: `list_donations`, `check_charges`. */
const leading = new Set(['list', 'check', 'view', 'count']);

const isBookPart = (words: readonly string[], word: string) =>
  word === 'book' && bookParts.has(words[words.indexOf(word) + 1] ?? '');

const isPlural = (word: string) => word.endsWith('s') && alsoNouns.has(word.slice(0, -1));

const bookParts = new Set([
  'page',
  'pages',
  'chapter',
  'cover',
  'title',
  'text',
  'review',
  'reviews',
  'info',
  'details',
]);

/** `order_cancel`, `record_update`: what stands first is what it is done to. */
const isDoneTo = (words: readonly string[]) =>
  [words[1] ?? '', words.at(-1) ?? ''].some(
    (word, at) =>
      word !== '' &&
      verbSenses(word).length > 0 &&
      !alsoNouns.has(word) &&
      (at === 0 || plainVerbs.has(word) || /^(?:cancel|approve|close|reject)$/.test(word)),
  );

/** `order` in `cancel_order` is a thing; in `order_item` it is the act. */
function isNounUse(words: readonly string[], word: string): boolean {
  // `fleet_orders`: things, not an act.
  if (isPlural(word)) return true;
  if (isBookPart(words, word)) return true;
  if (!isNounLike(word)) return false;
  const index = words.indexOf(word);
  if (index === 0 && (leading.has(word) || !isDoneTo(words))) return false;
  if (words.some((other, at) => at !== index && verbSenses(other).length > 0 && !isNounLike(other)))
    return true;
  // `shipment_set_address`: of two words that may be either, one has the form of a noun.
  return nounForm.test(word) && words.some((other) => !nounForm.test(other) && verbSenses(other).length > 0);
}

const nounForm = /(?:ment|ing|[st]ion|ance|ence)$/;
const isNounLike = (word: string) => alsoNouns.has(word) || nounForm.test(word);

/** `turn_on`, `switch_off`. */
function switchedTo(words: readonly string[]): string {
  if (words.includes('off')) return 'disable';
  return words.includes('on') ? 'enable' : 'update';
}
/** What is opened to be used, and not to be read. */
const opened = new Set(['port', 'ports', 'firewall', 'gate', 'valve', 'breaker', 'door', 'lock', 'account']);
/** To post an entry there is to book it. */
const books = new Set(['ledger', 'gl', 'bookkeeping', 'accounting']);
const switches = new Set(['turn', 'switch', 'power']);
/** Acts that change nothing. */
export const reads = new Set(['read', 'verify', 'print']);

export function addCompounds(senses: Set<string>, words: readonly string[]): void {
  const roots = words.map(root);
  if (givers.has(words[0] ?? '') && words.includes('access')) senses.add('grant');
  if (words.some((word) => switches.has(word))) senses.add(switchedTo(words));
  if (words[0] === 'open' && words.some((word) => opened.has(word))) {
    senses.delete('read');
    senses.add('enable');
  }
  if (senses.has('share') && words.includes('post') && words.some((word) => books.has(word))) {
    senses.delete('share');
    senses.add('create');
  }
  if (senses.size > 0 && [...senses].every((sense) => reads.has(sense))) return;
  addMoney(senses, roots);
  addReached(senses, roots);
}

/** Who is told, asked along or let in, by the nouns of a name. */
function addReached(senses: Set<string>, roots: readonly string[]): void {
  const has = (group: ReadonlySet<string>) => roots.some((word) => group.has(word));
  const does = (...names: string[]) => names.some((name) => senses.has(name));
  if (has(mailNouns) && does('create', 'write')) senses.add('send');
  if (has(invites) && does('send', 'create', 'write')) senses.add('invite');
  const joins = has(joined) && has(persons);
  if ((has(grantNouns) || joins) && does('create', 'update', 'write')) senses.add('grant');
}

const invoice = root('invoice');
const billing = new Set(['create', 'write', 'send', 'share', 'update', 'print', 'export']);

/** `create_invoice`, `invoice_reissue`: a bill is written or sent, and nothing is paid. */
const writesBill = (senses: ReadonlySet<string>): boolean =>
  senses.size > 0 && [...senses].every((sense) => billing.has(sense));

function addMoney(senses: Set<string>, roots: readonly string[]): void {
  const money = roots.filter((word) => moneyNouns.has(word));
  const isMoney = money.length > 0 && !(money.every((word) => word === invoice) && writesBill(senses));
  if (isMoney && !['refund', 'cancel', 'delete'].some((name) => senses.has(name))) {
    senses.add('pay');
    if (!roots.includes(root('invoice'))) senses.delete('send');
  }
  if (senses.has('pay') && roots.some((word) => handedOver.has(word))) {
    senses.delete('pay');
    senses.add('move');
  }
}
