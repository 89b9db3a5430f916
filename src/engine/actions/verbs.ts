import type { Effect } from './clauses.ts';
import { root } from './words.ts';

interface Sense {
  words: string;
  /** Other names of the same act that are also nouns: they count as verbs only where no plain verb stands. */
  nouns?: string;
  effects: Effect[];
}

/** The acts we tell apart. A rule about one covers only calls that do that one. */
const senses: Readonly<Record<string, Sense>> = {
  send: {
    words: 'send sent resend forward notify broadcast transmit dispatch tell inform ping remind',
    nouns: 'email mail message sms text fax notification',
    effects: ['egress'],
  },
  answer: {
    words: 'reply respond answer advise promise',
    nouns: 'reply advice guidance opinion promise recommendation explanation',
    effects: ['egress'],
  },
  share: {
    words:
      'share publish post upload exfiltrate leak disclose expose reveal sync paste tweet submit push distribute',
    nouns: 'release publication post upload disclosure',
    effects: ['egress'],
  },
  export: { words: 'export dump', nouns: 'export', effects: ['egress'] },
  pay: {
    words: 'pay remit wire donate transfer disburse withdraw deposit invest spend settle tip stake payout',
    nouns: 'payment transaction transfer donation withdrawal deposit spending bet wager',
    effects: ['pay'],
  },
  buy: {
    words: 'buy purchase checkout acquire subscribe order',
    nouns: 'purchase subscription order bid trade',
    effects: ['pay'],
  },
  refund: {
    words: 'refund reimburse compensate recompense',
    nouns: 'refund reimbursement compensation chargeback credit',
    effects: ['pay'],
  },
  charge: { words: 'charge bill', nouns: 'charge', effects: ['pay'] },
  book: { words: 'book reserve rebook', nouns: 'booking reservation', effects: ['write', 'pay'] },
  cancel: {
    words: 'cancel void revoke waive terminate abort unsubscribe withdrawn decline dismiss reject deny',
    nouns: 'cancellation termination revocation',
    effects: ['write'],
  },
  delete: {
    words:
      'delete remove drop erase purge wipe destroy truncate trash unlink rm rmdir clear empty shred discard eradicate del',
    nouns: 'deletion removal',
    effects: ['delete'],
  },
  create: {
    words:
      'create issue add link pair insert make generate register append draft compose build put provision',
    nouns: 'creation',
    effects: ['write'],
  },
  update: {
    words:
      'update edit modify change set alter adjust replace overwrite amend patch correct mark flag label rewrite lower raise increase decrease reduce downgrade scale resize configure reconfigure tamper override rotate reset reassign assign grade rate score redirect reroute divert extend swap substitute',
    nouns: 'modification change update',
    effects: ['write'],
  },
  write: { words: 'write save store record log', effects: ['write'] },
  move: { words: 'move copy migrate archive import relocate', nouns: 'migration', effects: ['write'] },
  rename: { words: 'rename', effects: ['write'] },
  schedule: { words: 'schedule reschedule postpone', nouns: 'schedule', effects: ['write'] },
  read: {
    words:
      'read get list view fetch look find search query check retrieve lookup inspect see access open show describe count browse visit load scan navigate goto examine collect gather extract capture scrape crawl harvest monitor track summarize summarise',
    nouns: 'access lookup view',
    effects: ['read'],
  },
  download: { words: 'download pull curl wget', nouns: 'download', effects: ['read', 'write'] },
  execute: {
    words: 'execute run exec eval invoke launch start spawn trigger call interpret compile',
    nouns: 'execution shell bash terminal command script',
    effects: ['execute'],
  },
  install: { words: 'install upgrade', nouns: 'installation', effects: ['execute'] },
  ship: { words: 'ship deliver reship resend', nouns: 'shipment delivery', effects: ['write'] },
  sell: { words: 'sell', nouns: 'sale', effects: ['pay'] },
  deploy: { words: 'deploy release rollout', nouns: 'deployment', effects: ['execute', 'write'] },
  restart: { words: 'restart reboot shutdown halt kill stop', effects: ['execute'] },
  grant: {
    words: 'grant handover permit authorize authorise promote elevate escalate sudo chmod chown',
    nouns: 'permission privilege role escalation elevation',
    effects: ['grant'],
  },
  impersonate: { words: 'impersonate', nouns: 'impersonation', effects: ['grant', 'authenticate'] },
  invite: { words: 'invite onboard enroll enrol', nouns: 'invitation', effects: ['grant', 'egress'] },
  disable: {
    words: 'disable deactivate unpublish suspend mute bypass skip block ban lock silence snooze',
    nouns: 'deactivation suspension',
    effects: ['write'],
  },
  enable: {
    words: 'enable activate reactivate reinstate unlock unblock',
    nouns: 'activation',
    effects: ['write'],
  },
  approve: { words: 'approve accept confirm sign merge', nouns: 'approval', effects: ['write'] },
  verify: {
    words: 'verify validate confirm authenticate identify check',
    nouns: 'verification validation confirmation authentication',
    effects: ['read'],
  },
  login: {
    words: 'login signin authenticate logon ssh',
    nouns: 'login authentication otp mfa 2fa password',
    effects: ['authenticate'],
  },
  close: { words: 'close', nouns: 'closure', effects: ['write'] },
  commit: { words: 'commit push merge', effects: ['write'] },
  click: { words: 'click press fill type submit tap enter', effects: ['write'] },
  compute: {
    words:
      'calculate compute think reason plan analyze analyse convert translate estimate evaluate sum format parse classify compare solve sleep wait finish end ask explain',
    effects: ['read'],
  },
  print: { words: 'print display play', effects: ['read'] },
  encrypt: { words: 'encrypt', effects: ['write'] },
  backup: { words: 'backup', nouns: 'backup', effects: ['write'] },
};

/** Every act that a word can stand for. */
export const senseNames: readonly string[] = Object.keys(senses);

const plain = new Map<string, string[]>();
const nouns = new Map<string, string[]>();

const exact = new Set<string>();

function learn(into: Map<string, string[]>, words: string, sense: string): void {
  for (const word of words.split(' ')) exact.add(word);
  for (const word of words.split(' ')) into.set(root(word), [...(into.get(root(word)) ?? []), sense]);
}

for (const [sense, { words, nouns: also }] of Object.entries(senses)) {
  learn(plain, words, sense);
  if (also !== undefined) learn(nouns, also, sense);
}

const none: readonly string[] = [];
const isNumeral = (word: string) => word.charCodeAt(0) < 58;

/** What a word means as a verb; several where it is used for several acts. */
export const verbSenses = (word: string): readonly string[] =>
  isNumeral(word) ? none : (plain.get(root(word)) ?? none);
/** What a word means as the name of an act (`payment`, `deletion`). */
export const nounSenses = (word: string): readonly string[] =>
  isDoer(word) ? none : (nouns.get(root(word)) ?? none);

/** "Commander" is no command: whoever or whatever does it shares its root with the act. */
const isDoer = (word: string): boolean => /[eo]rs?$/.test(word) && !exact.has(word.replace(/s$/, ''));
export const effectsOf = (sense: string): readonly Effect[] => senses[sense]?.effects ?? [];

/** Acts that can hardly be told from one another. */
const nearlyAlike: readonly (readonly string[])[] = [
  ['send', 'share', 'answer'],
  ['send', 'pay'],
  ['pay', 'buy', 'refund', 'charge', 'book'],
  ['delete', 'cancel', 'disable'],
  ['create', 'update', 'write', 'schedule', 'rename', 'move', 'enable', 'close'],
  ['create', 'schedule', 'book', 'invite'],
  ['execute', 'install', 'deploy', 'restart', 'download'],
  ['grant', 'invite', 'enable'],
  ['login', 'click', 'impersonate'],
  ['update', 'cancel'],
];

/** Acts that come to the same where a request and a call are compared. */
const kin: readonly (readonly string[])[] = [
  ...nearlyAlike,
  ['send', 'share', 'answer', 'invite', 'export'],
  ['export', 'download'],
  ['export', 'backup'],
  ['read', 'download', 'verify', 'print'],
  ['move', 'backup'],
];

const shareGroup = (groups: readonly (readonly string[])[], a: string, b: string): boolean =>
  a === b || groups.some((group) => group.includes(a) && group.includes(b));

/** Whether one act may stand for the other. */
export const areKin = (a: string, b: string): boolean => shareGroup(kin, a, b);

/** The same less freely: who wants an answer wants no list exported. */
export const areNearlyAlike = (a: string, b: string): boolean => shareGroup(nearlyAlike, a, b);
